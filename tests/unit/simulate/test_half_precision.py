"""What is computed only on a GPU, here on the processor."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.simulate.swarms import KINDS, corpus_of, random_vectors

from graphpalace.simulate import documents, swarm

pytestmark = pytest.mark.skipif("torch" not in KINDS, reason="PyTorch is not installed")


@pytest.fixture(autouse=True)
def as_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (documents, swarm):
        monkeypatch.setattr(module, "on_cpu", lambda _values: False)


def test_half_precision_selects_and_full_precision_computes_the_cosines() -> None:
    corpus = corpus_of(random_vectors(3000, 16), kind="torch")
    assert str(corpus.documents.quick.dtype) == "torch.float16"
    vectors, positions = corpus.documents.vectors.numpy(), corpus.documents.vectors[:50]
    found, cosines = corpus.documents.nearest(positions)
    product = positions.numpy() @ vectors.T
    np.testing.assert_allclose(cosines, -np.sort(-product, axis=1)[:, :3], rtol=0, atol=2e-3)
    np.testing.assert_allclose(np.take_along_axis(product, found.numpy(), axis=1), cosines, rtol=0, atol=1e-6)
    assert found[:, 0].tolist() == list(range(50))


def test_the_same_seed_draws_the_same_numbers_on_the_device_and_each_draw_others() -> None:
    corpus = corpus_of(random_vectors(200, 16), kind="torch")
    one, again, other = (corpus.after(corpus.swarm(40, seed=seed), 8) for seed in (1, 1, 2**62))
    assert one.agents.positions.equal(again.agents.positions)
    assert not one.agents.positions.equal(other.agents.positions)
    numbers, later = swarm.RandomStream(1).normal((4000,), beside=corpus.query)
    assert abs(float(numbers.mean())) < 0.06
    assert float(numbers.std()) == pytest.approx(1, abs=0.04)
    assert not numbers.equal(later.normal((4000,), beside=corpus.query)[0])

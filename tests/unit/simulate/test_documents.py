from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.simulate.swarms import DEVICES, random_vectors

from graphpalace.simulate import documents as documents_module
from graphpalace.simulate.documents import Documents, _top


def _units(agents: int, dimension: int, *, seed: int = 8) -> torch.Tensor:
    return torch.nn.functional.normalize(torch.from_numpy(random_vectors(agents, dimension, seed=seed)))


def _as_one_topk(documents: Documents, positions: torch.Tensor) -> None:
    # Near ties may come in either order, so the cosines are compared and not the documents.
    found, cosines = documents.nearest(positions)
    product = positions @ documents.vectors.T
    best = torch.topk(product, min(3, len(documents)))
    tolerance = 1e-6 if documents.device.type == "cpu" else 2e-3  # half precision chooses
    torch.testing.assert_close(cosines, best.values, rtol=0, atol=tolerance)
    torch.testing.assert_close(product.gather(1, found), cosines, rtol=0, atol=1e-5)
    assert all(len(set(row)) == len(row) for row in found.tolist())


def test_documents_have_length_one_and_an_empty_one_attracts_nobody() -> None:
    documents = Documents.of(np.array([[3.0, 4.0], [0.0, 0.0], [0.0, 0.001]]))
    torch.testing.assert_close(documents.vectors, torch.tensor([[0.6, 0.8], [0.0, 0.0], [0.0, 1.0]]))
    assert documents.cosines(torch.tensor([0.0, 7.0])).tolist() == pytest.approx([0.8, 0.0, 1.0])


def test_the_vectors_that_are_given_stay_as_they_are() -> None:
    given_vectors = np.array([[3.0, 4.0]], np.float32)
    Documents.of(given_vectors)
    assert given_vectors.tolist() == [[3.0, 4.0]]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_corpus_of_a_few_documents_gives_no_more_than_there_are(count: int) -> None:
    documents = Documents.of(np.eye(3, dtype=np.float32)[:count])
    found, cosines = documents.nearest(torch.nn.functional.normalize(torch.tensor([[3.0, 2.0, 1.0]])))
    assert found.tolist() == [[0, 1, 2][:count]]
    assert cosines[0].tolist() == pytest.approx((np.array([3.0, 2.0, 1.0]) / np.sqrt(14))[:count].tolist())


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    ("documents", "agents"), [(8192, 1024), (8193, 1024), (8194, 1025), (20000, 1500), (1023, 2048)]
)
def test_blocks_find_the_same_as_one_product(documents: int, agents: int, device: str) -> None:
    corpus = Documents.of(random_vectors(documents, 16), device=device)
    _as_one_topk(corpus, _units(agents, 16).to(device))


def test_the_best_of_the_last_short_block_and_of_other_blocks_are_found_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(documents_module, "_PRODUCT_CPU", 1024)  # documents of a block, of one agent
    vectors = np.zeros((4097, 2), np.float32)
    vectors[:, 1] = 1
    vectors[4096], vectors[17], vectors[2000] = (1, 0), (0.9, 0.1), (0.8, 0.2)
    found, _ = Documents.of(vectors).nearest(torch.tensor([[1.0, 0.0]]))
    assert found.tolist() == [[4096, 17, 2000]]


@pytest.mark.parametrize("columns", [3, 63, 1023, 1024, 1087, 4096])
@given(seed=st.integers(0, 10_000), near=st.booleans())
def test_looking_at_groups_first_finds_the_greatest(columns: int, seed: int, near: bool) -> None:
    random = np.random.default_rng(seed)
    values = torch.from_numpy(random.permuted(np.tile(np.arange(columns, dtype=np.float32), (4, 1)), axis=1))
    if near:  # all of the greatest in one group, or among those after the last group
        start = int(random.integers(columns - 2))
        values[:, start : start + 3] += columns
    best, at = _top(values, 3)
    wanted = torch.topk(values, 3)
    assert torch.equal(best, wanted.values)
    assert torch.equal(at, wanted.indices)

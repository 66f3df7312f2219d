from __future__ import annotations

import numpy as np
import pytest
import torch
from tests.unit.simulate.swarms import random_vectors

from graphpalace.simulate.principal_axes import PrincipalAxes


def test_the_axes_are_those_of_greatest_variance_first() -> None:
    # Along the second coordinate it spreads by 2, along the first by 1; the mean is (1, 2, 0, 7).
    vectors = torch.tensor([[0.0, 2.0, 0.0, 7.0], [2.0, 2.0, 0.0, 7.0], [1.0, 0.0, 0.0, 7.0], [1.0, 4.0, 0.0, 7.0]])
    axes = PrincipalAxes.of(vectors)
    assert axes.mean.tolist() == [1.0, 2.0, 0.0, 7.0]
    points = axes.points(vectors, dims=2)
    torch.testing.assert_close(points, torch.tensor([[0.0, -1.0], [0.0, 1.0], [-2.0, 0.0], [2.0, 0.0]]))


def test_they_agree_with_a_singular_value_decomposition() -> None:
    vectors = random_vectors(500, 12) * np.linspace(1, 3, 12, dtype=np.float32)
    found = PrincipalAxes.of(torch.from_numpy(vectors)).points(torch.from_numpy(vectors), dims=3).numpy()
    centred = vectors.astype(np.float64) - vectors.mean(axis=0)
    left, size, _ = np.linalg.svd(centred, full_matrices=False)
    for axis in range(3):
        wanted = left[:, axis] * size[axis]
        sign = np.sign(wanted @ found[:, axis])
        np.testing.assert_allclose(found[:, axis], sign * wanted, atol=1e-3)


def test_more_documents_than_a_block_give_the_same_axes(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = torch.from_numpy(random_vectors(100, 6) * np.arange(1, 7, dtype=np.float32))
    whole = PrincipalAxes.of(vectors)
    monkeypatch.setattr("graphpalace.simulate.principal_axes._BLOCK", 7)
    torch.testing.assert_close(PrincipalAxes.of(vectors).axes, whole.axes, rtol=0, atol=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_the_axes_are_orthonormal_and_point_the_same_way_each_time(seed: int) -> None:
    vectors = torch.from_numpy(random_vectors(50, 9, seed=seed))
    axes = PrincipalAxes.of(vectors).axes
    torch.testing.assert_close(axes.T @ axes, torch.eye(3), rtol=0, atol=1e-5)
    assert torch.equal(axes, PrincipalAxes.of(vectors).axes)
    greatest = axes.gather(0, axes.abs().argmax(dim=0, keepdim=True))
    assert bool((greatest > 0).all())


@pytest.mark.parametrize(("documents", "dimension"), [(1, 5), (2, 1), (3, 2)])
@pytest.mark.parametrize("dims", [2, 3])
def test_a_corpus_of_few_documents_or_dimensions_still_has_points(documents: int, dimension: int, dims: int) -> None:
    vectors = torch.from_numpy(random_vectors(documents, dimension))
    points = PrincipalAxes.of(vectors).points(vectors, dims=dims)
    assert points.shape == (documents, dims)
    assert bool(torch.isfinite(points).all())
    if dimension < dims:
        assert points[:, dimension:].abs().max() == 0

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.simulate.swarms import KINDS, array, random_vectors

from graphpalace.arrays import to_numpy
from graphpalace.domain.vectors import unit_rows
from graphpalace.simulate import documents as documents_module
from graphpalace.simulate.documents import Documents, PrincipalAxes


def _as_one_sort(documents: Documents, positions: np.ndarray, kind: str) -> None:
    # Near ties may come in either order, so the cosines are compared and not the documents.
    found, cosines = (to_numpy(part) for part in documents.nearest(array(positions, kind)))
    product = positions @ to_numpy(documents.vectors).T
    tolerance = 2e-3 if kind == "cuda" else 1e-6  # half precision chooses
    np.testing.assert_allclose(cosines, -np.sort(-product, axis=1)[:, :3], rtol=0, atol=tolerance)
    np.testing.assert_allclose(np.take_along_axis(product, found, axis=1), cosines, rtol=0, atol=1e-5)
    assert all(len(set(row)) == len(row) for row in found.tolist())


@pytest.mark.parametrize("kind", KINDS)
def test_documents_have_length_one_and_an_empty_one_attracts_nobody(kind: str) -> None:
    documents = Documents.of(array([[3.0, 4.0], [0.0, 0.0], [0.0, 0.001]], kind))
    np.testing.assert_allclose(to_numpy(documents.vectors), [[0.6, 0.8], [0.0, 0.0], [0.0, 1.0]], rtol=1e-6)
    assert documents.cosines(array([0.0, 7.0], kind)).tolist() == pytest.approx([0.8, 0.0, 1.0])


def test_the_vectors_that_are_given_stay_as_they_are() -> None:
    given_vectors = np.array([[3.0, 4.0]], np.float32)
    Documents.of(given_vectors)
    assert given_vectors.tolist() == [[3.0, 4.0]]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_corpus_of_a_few_documents_gives_no_more_than_there_are(count: int) -> None:
    documents = Documents.of(np.eye(3, dtype=np.float32)[:count])
    found, cosines = documents.nearest(unit_rows(array([[3.0, 2.0, 1.0]])))
    assert found.tolist() == [[0, 1, 2][:count]]
    assert cosines[0].tolist() == pytest.approx((np.array([3.0, 2.0, 1.0]) / np.sqrt(14))[:count].tolist())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("documents", "agents"), [(8192, 1024), (8193, 1024), (8194, 1025), (20000, 1500), (1023, 2048)]
)
def test_blocks_find_the_same_as_one_product(documents: int, agents: int, kind: str) -> None:
    corpus = Documents.of(array(random_vectors(documents, 16), kind))
    _as_one_sort(corpus, unit_rows(random_vectors(agents, 16, seed=8)), kind)


def test_the_best_of_the_last_short_block_and_of_other_blocks_are_found_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(documents_module, "_PRODUCT_CPU", 1024)  # documents of a block, of one agent
    vectors = np.zeros((4097, 2), np.float32)
    vectors[:, 1] = 1
    vectors[4096], vectors[17], vectors[2000] = (1, 0), (0.9, 0.1), (0.8, 0.2)
    found, _ = Documents.of(vectors).nearest(array([[1.0, 0.0]]))
    assert found.tolist() == [[4096, 17, 2000]]


def test_the_axes_are_those_of_greatest_variance_first() -> None:
    # Along the second coordinate it spreads by 2, along the first by 1; the mean is (1, 2, 0, 7).
    vectors = array([[0.0, 2.0, 0.0, 7.0], [2.0, 2.0, 0.0, 7.0], [1.0, 0.0, 0.0, 7.0], [1.0, 4.0, 0.0, 7.0]])
    axes = PrincipalAxes.of(vectors)
    assert axes.mean.tolist() == [1.0, 2.0, 0.0, 7.0]
    points = axes.points(vectors, dims=2)
    np.testing.assert_allclose(points, [[0.0, -1.0], [0.0, 1.0], [-2.0, 0.0], [2.0, 0.0]], rtol=0, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_they_agree_with_a_singular_value_decomposition(kind: str) -> None:
    vectors = random_vectors(500, 12) * np.linspace(1, 3, 12, dtype=np.float32)
    found = to_numpy(PrincipalAxes.of(array(vectors, kind)).points(array(vectors, kind), dims=3))
    centred = vectors.astype(np.float64) - vectors.mean(axis=0)
    left, size, _ = np.linalg.svd(centred, full_matrices=False)
    for axis in range(3):
        wanted = left[:, axis] * size[axis]
        sign = np.sign(wanted @ found[:, axis])
        np.testing.assert_allclose(found[:, axis], sign * wanted, atol=1e-3)


def test_more_documents_than_a_block_give_the_same_axes(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = random_vectors(100, 6) * np.arange(1, 7, dtype=np.float32)
    whole = PrincipalAxes.of(vectors)
    monkeypatch.setattr("graphpalace.simulate.documents._BLOCK", 7)
    np.testing.assert_allclose(PrincipalAxes.of(vectors).axes, whole.axes, rtol=0, atol=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_the_axes_are_orthonormal_and_point_the_same_way_each_time(seed: int) -> None:
    vectors = random_vectors(50, 9, seed=seed)
    axes = PrincipalAxes.of(vectors).axes
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), rtol=0, atol=1e-5)
    assert (axes == PrincipalAxes.of(vectors).axes).all()
    assert (axes[np.abs(axes).argmax(axis=0), range(3)] > 0).all()


@pytest.mark.parametrize(("documents", "dimension"), [(1, 5), (2, 1), (3, 2)])
@pytest.mark.parametrize("dims", [2, 3])
def test_a_corpus_of_few_documents_or_dimensions_still_has_points(documents: int, dimension: int, dims: int) -> None:
    vectors = random_vectors(documents, dimension)
    points = PrincipalAxes.of(vectors).points(vectors, dims=dims)
    assert points.shape == (documents, dims)
    assert np.isfinite(points).all()
    if dimension < dims:
        assert np.abs(points[:, dimension:]).max() == 0

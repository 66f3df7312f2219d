"""The documents of a simulation as arrays, the search for those nearest to agents, and their places in a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from graphpalace.arrays import Array, array_namespace, first_greatest, like, on_cpu, to_numpy

_NO_LENGTH = 1e-12  # what is shorter has no direction
NEIGHBOURS = 3  # seed 000: fixed
_AGENTS_CPU, _AGENTS_GPU = 1024, 16384  # agents of one block
_PRODUCT_CPU, _PRODUCT_GPU = 2**23, 2**29  # cosines of one block: 32 MiB and 1 GiB
_BLOCK = 65536
DIMENSIONS = 3


@dataclass(frozen=True, eq=False)
class Documents:
    """The embeddings of a corpus on a device, with a half-precision copy for large matrix products on a GPU.

    Attributes:
        vectors: Unit vectors, 32-bit floats; a vector of length zero stays zero.
        quick: The same vectors for large products: `vectors` itself on a CPU, a half-precision copy elsewhere.
    """

    vectors: Float[Array, "documents dim"]
    quick: Float[Array, "documents dim"]

    @classmethod
    def of(cls, vectors: Float[Array, "documents dim"]) -> Documents:
        """Scale embeddings to length one.

        Args:
            vectors: Embeddings of any length, on the device that shall compute. A vector of length zero stays zero and
                attracts no agent.
        """
        xp = array_namespace(vectors)
        exact = unit(xp.astype(vectors, xp.float32))
        return cls(exact, exact if on_cpu(exact) else xp.astype(exact, xp.float16))

    def __len__(self) -> int:
        return len(self.vectors)

    def cosines(self, query: Float[Array, " dim"]) -> Float[Array, " documents"]:
        """Return the cosine of each document to a query vector of any length."""
        xp = array_namespace(self.quick)
        asked = xp.astype(unit(like(query, self.vectors)), self.quick.dtype)
        return xp.astype(self.quick @ asked, xp.float32)

    def nearest(
        self, positions: Float[Array, "agents dim"]
    ) -> tuple[Int[Array, "agents near"], Float[Array, "agents near"]]:
        """Find the three documents with the highest cosine to each agent.

        The product is computed in blocks, so memory does not grow with agents x documents. On a GPU, half precision
        selects the documents and full precision computes their cosines.

        Args:
            positions: Unit vectors.

        Returns:
            Indices of the documents and their cosines, highest first. `near` is 3, or the number of documents if there
            are fewer.
        """
        xp, cpu = array_namespace(positions), on_cpu(positions)
        agents_block = min(len(positions), _AGENTS_CPU if cpu else _AGENTS_GPU)
        documents_block = (_PRODUCT_CPU if cpu else _PRODUCT_GPU) // max(agents_block, 1)
        parts = [
            self._nearest(positions[start : start + agents_block], documents_block)
            for start in range(0, len(positions), agents_block)
        ]
        indices = xp.concat([part[0] for part in parts])
        if cpu:
            return indices, xp.concat([part[1] for part in parts])
        # Half precision only selects; the forces need exact cosines.
        exact = xp.vecdot(self.vectors[indices], positions[:, None, :])
        order = xp.argsort(exact, axis=1, descending=True)
        return xp.take_along_axis(indices, order, axis=1), xp.take_along_axis(exact, order, axis=1)

    def _nearest(self, positions: Array, block: int) -> tuple[Array, Array]:
        xp = array_namespace(positions)
        asked = xp.astype(positions, self.quick.dtype, copy=False)
        room = xp.empty(len(positions) * min(block, len(self)), dtype=asked.dtype, device=asked.device)
        best: list[Array] = []
        best_at: list[Array] = []
        for start in range(0, len(self), block):
            part = self.quick[start : start + block]
            cosines = xp.reshape(room[: len(positions) * len(part)], (len(positions), len(part)))
            xp.matmul(asked, part.T, out=cosines)
            values, at = first_greatest(cosines, min(NEIGHBOURS, len(part)))
            best.append(values)
            best_at.append(at + start)
        if len(best) == 1:
            return best_at[0], xp.astype(best[0], xp.float32)
        values, at = first_greatest(xp.concat(best, axis=1), min(NEIGHBOURS, len(self)))
        return xp.take_along_axis(xp.concat(best_at, axis=1), at, axis=1), xp.astype(values, xp.float32)


def lengths(vectors: Float[Array, "*rows dim"]) -> Float[Array, "*rows"]:
    """Return the length of each vector, at least 1e-12, so that one can divide by it."""
    xp = array_namespace(vectors)
    return xp.maximum(xp.sqrt(xp.vecdot(vectors, vectors)), _NO_LENGTH)


def unit(vectors: Float[Array, "*rows dim"]) -> Float[Array, "*rows dim"]:
    """Return each vector divided by its length. A vector of length zero stays zero."""
    return vectors / lengths(vectors)[..., None]


@dataclass(frozen=True, eq=False)
class PrincipalAxes:
    """The first three principal axes of a corpus, in order of decreasing variance.

    Attributes:
        mean: Mean vector of the corpus.
        axes: Orthonormal columns; a column is 0 if the embeddings have fewer than three dimensions.
    """

    mean: Float[Array, " dim"]
    axes: Float[Array, "dim 3"]

    @classmethod
    def of(cls, vectors: Float[Array, "documents dim"]) -> PrincipalAxes:
        """Compute the principal axes of a corpus of at least one document.

        The same corpus always gives the same axes: the sign of each is chosen so that its largest entry is positive.
        The covariance is summed in blocks, so that working memory does not grow with the corpus.
        """
        mean = vectors.mean(axis=0)
        covariance = np.zeros((vectors.shape[1],) * 2)
        for start in range(0, len(vectors), _BLOCK):
            centred = vectors[start : start + _BLOCK] - mean
            covariance += to_numpy(centred.T @ centred)
        axes = np.linalg.eigh(covariance).eigenvectors[:, ::-1][:, :DIMENSIONS]
        # The sign of an eigenvector is arbitrary.
        signs = np.sign(np.take_along_axis(axes, np.abs(axes).argmax(axis=0, keepdims=True), axis=0))
        axes = np.pad(axes * signs, ((0, 0), (0, DIMENSIONS - axes.shape[1])))
        return cls(mean, like(axes.astype(np.float32), vectors))

    def points(self, vectors: Float[Array, "rows dim"], *, dims: int) -> Float[Array, "rows dims"]:
        """Return the coordinates of vectors on the first `dims` axes, 2 or 3."""
        return (vectors - self.mean) @ self.axes[:, :dims]

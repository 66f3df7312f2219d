"""Where documents and agents are drawn: the corpus's first principal components."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

_BLOCK = 65536
DIMENSIONS = 3


@dataclass(frozen=True, eq=False)
class PrincipalAxes:
    """An affine map to three coordinates, those of greatest variance first.

    Attributes:
        mean: Of the corpus.
        axes: Orthonormal, 0 where the corpus has fewer dimensions.
    """

    mean: Float[Tensor, " dim"]
    axes: Float[Tensor, "dim 3"]

    @classmethod
    def of(cls, vectors: Float[Tensor, "documents dim"]) -> PrincipalAxes:
        """Return the axes of a corpus of at least one document; the same corpus gives the same ones.

        The covariance is summed in blocks, so that memory does not grow with the corpus.
        """
        mean = vectors.mean(dim=0)
        covariance = torch.zeros((vectors.shape[1],) * 2, dtype=torch.float64)
        for start in range(0, len(vectors), _BLOCK):
            centred = vectors[start : start + _BLOCK] - mean
            covariance += (centred.T @ centred).cpu().double()
        axes = torch.linalg.eigh(covariance).eigenvectors.flip(1)[:, :DIMENSIONS]
        # An eigenvector may point either way: the greatest entry is made positive.
        signs = axes.gather(0, axes.abs().argmax(dim=0, keepdim=True)).sign()
        axes = torch.nn.functional.pad(axes * signs, (0, DIMENSIONS - axes.shape[1]))
        return cls(mean, axes.float().to(vectors.device))

    def points(self, vectors: Float[Tensor, "rows dim"], *, dims: int) -> Float[Tensor, "rows dims"]:
        """Return coordinates of vectors on the first two or three axes."""
        return (vectors - self.mean) @ self.axes[:, :dims]

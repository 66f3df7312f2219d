"""Principal component analysis of a corpus, which gives the coordinates of documents and agents in a picture."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float

from graphpalace.lazy_torch import torch

_BLOCK = 65536
DIMENSIONS = 3


@dataclass(frozen=True, eq=False)
class PrincipalAxes:
    """The first three principal axes of a corpus, in order of decreasing variance.

    Attributes:
        mean: Mean vector of the corpus.
        axes: Orthonormal columns; a column is 0 if the embeddings have fewer than three dimensions.
    """

    mean: Float[torch.Tensor, " dim"]
    axes: Float[torch.Tensor, "dim 3"]

    @classmethod
    def of(cls, vectors: Float[torch.Tensor, "documents dim"]) -> PrincipalAxes:
        """Compute the principal axes of a corpus of at least one document.

        The same corpus always gives the same axes: the sign of each is chosen so that its largest entry is positive.
        The covariance is summed in blocks, so that working memory does not grow with the corpus.
        """
        mean = vectors.mean(dim=0)
        covariance = torch.zeros((vectors.shape[1],) * 2, dtype=torch.float64)
        for start in range(0, len(vectors), _BLOCK):
            centred = vectors[start : start + _BLOCK] - mean
            covariance += (centred.T @ centred).cpu().double()
        axes = torch.linalg.eigh(covariance).eigenvectors.flip(1)[:, :DIMENSIONS]
        # The sign of an eigenvector is arbitrary.
        signs = axes.gather(0, axes.abs().argmax(dim=0, keepdim=True)).sign()
        axes = torch.nn.functional.pad(axes * signs, (0, DIMENSIONS - axes.shape[1]))
        return cls(mean, axes.float().to(vectors.device))

    def points(self, vectors: Float[torch.Tensor, "rows dim"], *, dims: int) -> Float[torch.Tensor, "rows dims"]:
        """Return the coordinates of vectors on the first `dims` axes, 2 or 3."""
        return (vectors - self.mean) @ self.axes[:, :dims]

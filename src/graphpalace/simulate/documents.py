"""The documents of a simulation as tensors, and the search for those nearest to each agent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from graphpalace.lazy_torch import torch

NEIGHBOURS = 3  # seed 000: fixed
_GROUP = 64
_PRODUCT_CPU, _PRODUCT_GPU = 2**23, 2**29  # cosines of one block: 32 MiB and 1 GiB


@dataclass(frozen=True, eq=False)
class Documents:
    """The embeddings of a corpus on a device, with a half-precision copy for large matrix products on a GPU.

    Attributes:
        vectors: Unit vectors, 32-bit floats; a vector of length zero stays zero.
        quick: The same vectors for large products: `vectors` itself on a CPU, a half-precision copy elsewhere.
    """

    vectors: Float[torch.Tensor, "documents dim"]
    quick: Float[torch.Tensor, "documents dim"]

    @classmethod
    def of(cls, vectors: np.ndarray, *, device: str = "cpu") -> Documents:
        """Copy embeddings to a device and scale them to length one.

        Args:
            vectors: documents x dim, of any length. A vector of length zero stays zero and attracts no agent.
        """
        exact = torch.nn.functional.normalize(torch.from_numpy(np.ascontiguousarray(vectors, np.float32)).to(device))
        return cls(exact, exact if exact.device.type == "cpu" else exact.half())

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def device(self) -> torch.device:
        """The device that holds the tensors."""
        return self.vectors.device

    def cosines(self, query: Float[torch.Tensor, " dim"]) -> Float[torch.Tensor, " documents"]:
        """Return the cosine of each document to a query vector of any length."""
        unit = torch.nn.functional.normalize(query.to(self.device, torch.float32), dim=0)
        return torch.mv(self.quick, unit.to(self.quick.dtype)).float()

    def nearest(
        self, positions: Float[torch.Tensor, "agents dim"]
    ) -> tuple[Int[torch.Tensor, "agents near"], Float[torch.Tensor, "agents near"]]:
        """Find the three documents with the highest cosine to each agent.

        The product is computed in blocks, so memory does not grow with agents x documents. On a GPU, half precision
        selects the documents and full precision computes their cosines.

        Args:
            positions: Unit vectors.

        Returns:
            Indices of the documents and their cosines, highest first. `near` is 3, or the number of documents if there
            are fewer.
        """
        on_cpu = self.device.type == "cpu"
        agents_block = min(len(positions), 1024 if on_cpu else 16384)
        documents_block = (_PRODUCT_CPU if on_cpu else _PRODUCT_GPU) // max(agents_block, 1)
        parts = [
            self._nearest(positions[start : start + agents_block], documents_block)
            for start in range(0, len(positions), agents_block)
        ]
        indices = torch.cat([part[0] for part in parts])
        if on_cpu:
            return indices, torch.cat([part[1] for part in parts])
        # Half precision only selects; the forces need exact cosines.
        exact = (self.vectors[indices] * positions[:, None, :]).sum(dim=2)
        order = exact.argsort(dim=1, descending=True, stable=True)
        return indices.gather(1, order), exact.gather(1, order)

    def _nearest(self, positions: torch.Tensor, block: int) -> tuple[torch.Tensor, torch.Tensor]:
        k = min(NEIGHBOURS, len(self))
        asked = positions.to(self.quick.dtype)
        room = torch.empty((len(positions) * min(block, len(self)),), dtype=asked.dtype, device=self.device)
        best_at: list[torch.Tensor] = []
        best: list[torch.Tensor] = []
        for start in range(0, len(self), block):
            part = self.quick[start : start + block]
            cosines = room[: len(positions) * len(part)].view(len(positions), len(part))
            torch.mm(asked, part.T, out=cosines)
            values, at = _top(cosines, k)
            best.append(values)
            best_at.append(at + start)
        if len(best) == 1:
            return best_at[0], best[0].float()
        values, at = torch.topk(torch.cat(best, dim=1), k)
        return torch.cat(best_at, dim=1).gather(1, at), values.float()


def _top(values: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the k largest values of each row and their columns.

    One fast pass computes the maximum of each group of columns, so that `topk` needs to search only k groups.
    """
    count = values.shape[1] // _GROUP * _GROUP
    if count < 16 * _GROUP:
        best = torch.topk(values, min(k, values.shape[1]))
        return best.values, best.indices
    groups = values[:, :count].unflatten(1, (-1, _GROUP))
    chosen = torch.topk(groups.amax(dim=2), k).indices  # the k largest values lie in the k groups with largest maxima
    inside = torch.arange(_GROUP, device=values.device)
    columns = (chosen[:, :, None] * _GROUP + inside).flatten(1)
    if count < values.shape[1]:
        rest = torch.arange(count, values.shape[1], device=values.device).expand(len(values), -1)
        columns = torch.cat([columns, rest], dim=1)
    best = torch.topk(values.gather(1, columns), k)
    return best.values, columns.gather(1, best.indices)

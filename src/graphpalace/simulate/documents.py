"""The documents of a simulation as tensors on a device."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

NEIGHBOURS = 3  # seed 000: fixed
_GROUP = 64
_PRODUCT_CPU, _PRODUCT_GPU = 2**23, 2**29  # cosines of one block: 32 MiB and 1 GiB


@dataclass(frozen=True, eq=False)
class Documents:
    """Embeddings of documents, in full precision, and on a GPU a copy in half precision for the great products.

    Attributes:
        vectors: Length one each.
        quick: The same for products; in half precision on a GPU.
    """

    vectors: Float[Tensor, "documents dim"]
    quick: Float[Tensor, "documents dim"]

    @classmethod
    def of(cls, vectors: np.ndarray, *, device: str = "cpu") -> Documents:
        """Return documents on a device.

        Args:
            vectors: documents x dim, any length; a vector of length zero stays zero and attracts nobody.
        """
        exact = torch.nn.functional.normalize(torch.from_numpy(np.ascontiguousarray(vectors, np.float32)).to(device))
        return cls(exact, exact if exact.device.type == "cpu" else exact.half())

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def device(self) -> torch.device:
        """Where they are."""
        return self.vectors.device

    def cosines(self, query: Float[Tensor, " dim"]) -> Float[Tensor, " documents"]:
        """Return the cosine of each document to a query of any length."""
        unit = torch.nn.functional.normalize(query.to(self.device, torch.float32), dim=0)
        return torch.mv(self.quick, unit.to(self.quick.dtype)).float()

    def nearest(
        self, positions: Float[Tensor, "agents dim"]
    ) -> tuple[Int[Tensor, "agents near"], Float[Tensor, "agents near"]]:
        """Return the documents of greatest cosine to each position (length one), best first, and the cosines.

        The product is taken in blocks, so memory does not grow with agents times documents.

        Returns:
            Up to three documents for each agent, fewer only if there are fewer documents.
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
        # Half precision only chooses; the cosines that forces are made of are exact.
        exact = (self.vectors[indices] * positions[:, None, :]).sum(dim=2)
        order = exact.argsort(dim=1, descending=True, stable=True)
        return indices.gather(1, order), exact.gather(1, order)

    def _nearest(self, positions: Tensor, block: int) -> tuple[Tensor, Tensor]:
        k = min(NEIGHBOURS, len(self))
        asked = positions.to(self.quick.dtype)
        room = torch.empty((len(positions) * min(block, len(self)),), dtype=asked.dtype, device=self.device)
        best_at: list[Tensor] = []
        best: list[Tensor] = []
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


def _top(values: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """Return the k greatest of each row; the greatest of groups are looked at first, which is one quick pass."""
    count = values.shape[1] // _GROUP * _GROUP
    if count < 16 * _GROUP:
        best = torch.topk(values, min(k, values.shape[1]))
        return best.values, best.indices
    groups = values[:, :count].unflatten(1, (-1, _GROUP))
    chosen = torch.topk(groups.amax(dim=2), k).indices  # the k greatest lie in the k groups of the greatest maxima
    inside = torch.arange(_GROUP, device=values.device)
    columns = (chosen[:, :, None] * _GROUP + inside).flatten(1)
    if count < values.shape[1]:
        rest = torch.arange(count, values.shape[1], device=values.device).expand(len(values), -1)
        columns = torch.cat([columns, rest], dim=1)
    best = torch.topk(values.gather(1, columns), k)
    return best.values, columns.gather(1, best.indices)

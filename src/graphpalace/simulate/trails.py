"""Pheromone trails between documents: undirected, so they work both ways (seed 000, "Pheromone Mechanics")."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

PRUNED_BELOW = 0.01
_DEPOSIT = 0.1


@dataclass(frozen=True, eq=False)
class Trails:
    """Trails as columns, ordered by their documents.

    Attributes:
        documents: Number of documents of the corpus.
        keys: lower document x documents + higher document, ascending, each once.
        strength: >= 0.
    """

    documents: int
    keys: Int[Tensor, " trails"]
    strength: Float[Tensor, " trails"]

    @classmethod
    def none(cls, documents: int, device: torch.device) -> Trails:
        """Return no trails."""
        return cls(documents, torch.empty(0, dtype=torch.int64, device=device), torch.empty(0, device=device))

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def ends(self) -> tuple[Int[Tensor, " trails"], Int[Tensor, " trails"]]:
        """The lower and the higher document of each trail."""
        return self.keys // self.documents, self.keys % self.documents

    def with_deposits(
        self,
        here: Int[Tensor, " deposits"],
        there: Int[Tensor, " deposits"],
        amounts: Float[Tensor, " deposits"],
    ) -> Trails:
        """Return the trails with amounts added between pairs of different documents; the order of a pair is nothing."""
        if not len(here):
            return self
        given = torch.minimum(here, there) * self.documents + torch.maximum(here, there)
        keys, at = torch.unique(torch.cat([self.keys, given]), return_inverse=True)
        # In double precision such sums are exact, so the order in which a GPU adds makes no difference.
        strength = torch.zeros(len(keys), dtype=torch.float64, device=keys.device)
        strength.index_add_(0, at, torch.cat([self.strength, amounts]).double())
        return Trails(self.documents, keys, strength.float())

    def decayed(self, share_left: float) -> Trails:
        """Return what is left after a step; what falls under .01 is deleted.

        Args:
            share_left: `pheromone_decay`, 0 to 1.
        """
        strength = self.strength * share_left
        kept = strength >= PRUNED_BELOW
        return Trails(self.documents, self.keys[kept], strength[kept])

    def capped(self, ceiling: float) -> Trails:
        """Return the trails, none stronger than `ceiling`, > 0, as in the MAX-MIN ant system."""
        return Trails(self.documents, self.keys, self.strength.clamp(max=ceiling))

    def strongest(self, documents: Int[Tensor, " agents"]) -> tuple[Int[Tensor, " agents"], Float[Tensor, " agents"]]:
        """Return the other end of the strongest trail at each of some documents, and its strength.

        Of equally strong ones the other end of the lowest number is taken. Strength 0 says that there is none; then
        the document is returned itself.
        """
        if not len(self):
            return documents, torch.zeros(len(documents), device=documents.device)
        lower, higher = self.ends
        end, other = torch.cat([lower, higher]), torch.cat([higher, lower])
        strength = torch.cat([self.strength, self.strength])
        best = torch.zeros(self.documents, device=end.device).scatter_reduce_(0, end, strength, "amax")
        first = torch.full((self.documents,), self.documents, device=end.device)
        wins = strength == best[end]
        first.scatter_reduce_(0, end[wins], other[wins], "amin")
        found = best[documents]
        return torch.where(found > 0, first[documents], documents), found


def deposit_amounts(
    energy: Float[Tensor, " agents"], trail_strength: Float[Tensor, " agents"]
) -> Float[Tensor, " agents"]:
    """Return what each agent adds to a trail: E x T_s x 0.1 (seed 000)."""
    return energy * trail_strength * _DEPOSIT

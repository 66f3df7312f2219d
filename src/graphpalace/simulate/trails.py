"""Undirected pheromone trails between pairs of documents (seed 000, "Pheromone Mechanics")."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float, Int

from graphpalace.lazy_torch import torch

PRUNED_BELOW = 0.01
_DEPOSIT = 0.1


@dataclass(frozen=True, eq=False)
class Trails:
    """All trails of a simulation, as a sorted sparse array.

    Attributes:
        documents: Number of documents in the corpus.
        keys: Each trail as i x documents + j, for its documents i < j; ascending and unique.
        strength: Pheromone on each trail, >= 0.
    """

    documents: int
    keys: Int[torch.Tensor, " trails"]
    strength: Float[torch.Tensor, " trails"]

    @classmethod
    def none(cls, documents: int, device: torch.device) -> Trails:
        """Return an empty set of trails."""
        return cls(documents, torch.empty(0, dtype=torch.int64, device=device), torch.empty(0, device=device))

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def ends(self) -> tuple[Int[torch.Tensor, " trails"], Int[torch.Tensor, " trails"]]:
        """The documents of each trail: first those with the lower index, then those with the higher."""
        return self.keys // self.documents, self.keys % self.documents

    def with_deposits(
        self,
        here: Int[torch.Tensor, " deposits"],
        there: Int[torch.Tensor, " deposits"],
        amounts: Float[torch.Tensor, " deposits"],
    ) -> Trails:
        """Add pheromone between pairs of documents, creating trails where there are none.

        Args:
            here, there: The two different documents of each pair, in either order. A pair may occur several times.
            amounts: Pheromone to add to each pair.
        """
        if not len(here):
            return self
        given = torch.minimum(here, there) * self.documents + torch.maximum(here, there)
        keys, at = torch.unique(torch.cat([self.keys, given]), return_inverse=True)
        # In double precision these sums are exact, so the order in which a GPU adds does not matter.
        strength = torch.zeros(len(keys), dtype=torch.float64, device=keys.device)
        strength.index_add_(0, at, torch.cat([self.strength, amounts]).double())
        return Trails(self.documents, keys, strength.float())

    def decayed(self, share_left: float) -> Trails:
        """Return the trails after one step of decay. Trails that fall below 0.01 are deleted.

        Args:
            share_left: Share of each trail that remains, 0 to 1; the setting `pheromone_decay`.
        """
        strength = self.strength * share_left
        kept = strength >= PRUNED_BELOW
        return Trails(self.documents, self.keys[kept], strength[kept])

    def capped(self, ceiling: float) -> Trails:
        """Limit each trail's strength to `ceiling`, > 0, as the MAX-MIN ant system does."""
        return Trails(self.documents, self.keys, self.strength.clamp(max=ceiling))

    def strongest(
        self, documents: Int[torch.Tensor, " agents"]
    ) -> tuple[Int[torch.Tensor, " agents"], Float[torch.Tensor, " agents"]]:
        """Find the strongest trail of each given document.

        Ties are broken by the lower index of the document at the other end.

        Returns:
            The document at the other end of the trail, and its strength. A document without a trail gets itself and 0.
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
    energy: Float[torch.Tensor, " agents"], trail_strength: Float[torch.Tensor, " agents"]
) -> Float[torch.Tensor, " agents"]:
    """Return how much pheromone each agent adds to a trail: energy x trail_strength x 0.1.

    Source: seed 000, "Pheromone Mechanics".
    """
    return energy * trail_strength * _DEPOSIT

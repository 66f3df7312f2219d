"""Undirected pheromone trails between pairs of documents (seed 000, "Pheromone Mechanics")."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from graphpalace.arrays import Array, array_namespace, greatest_at, like

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
    keys: Int[Array, " trails"]
    strength: Float[Array, " trails"]

    @classmethod
    def none(cls, documents: int, *, beside: Array) -> Trails:
        """Return an empty set of trails, in arrays like `beside`."""
        return cls(documents, like(np.empty(0, np.int64), beside), like(np.empty(0, np.float32), beside))

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def ends(self) -> tuple[Int[Array, " trails"], Int[Array, " trails"]]:
        """The documents of each trail: first those with the lower index, then those with the higher."""
        return self.keys // self.documents, self.keys % self.documents

    def with_deposits(
        self,
        here: Int[Array, " deposits"],
        there: Int[Array, " deposits"],
        amounts: Float[Array, " deposits"],
    ) -> Trails:
        """Add pheromone between pairs of documents, creating trails where there are none.

        Args:
            here, there: The two different documents of each pair, in either order. A pair may occur several times.
            amounts: Pheromone to add to each pair.
        """
        if not len(here):
            return self
        xp = array_namespace(here)
        given = xp.minimum(here, there) * self.documents + xp.maximum(here, there)
        keys, at = xp.unique_inverse(xp.concat([self.keys, given]))
        # In double precision these sums are exact, so the order in which a GPU adds does not matter.
        laid = xp.astype(xp.concat([self.strength, amounts]), xp.float64)
        strength = xp.bincount(at, weights=laid, minlength=len(keys))
        return Trails(self.documents, keys, xp.astype(strength, xp.float32))

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
        return Trails(self.documents, self.keys, array_namespace(self.strength).minimum(self.strength, ceiling))

    def strongest(self, documents: Int[Array, " agents"]) -> tuple[Int[Array, " agents"], Float[Array, " agents"]]:
        """Find the strongest trail of each given document.

        Ties are broken by the lower index of the document at the other end.

        Returns:
            The document at the other end of the trail, and its strength. A document without a trail gets itself and 0.
        """
        xp = array_namespace(documents)
        lower, higher = self.ends
        end, other = xp.concat([lower, higher]), xp.concat([higher, lower])
        strength = xp.concat([self.strength, self.strength])
        best = greatest_at(strength, end, self.documents)
        wins = strength == best[end]
        first = self.documents - greatest_at(self.documents - other[wins], end[wins], self.documents)
        found = best[documents]
        return xp.where(found > 0, first[documents], documents), found


def deposit_amounts(
    energy: Float[Array, " agents"], trail_strength: Float[Array, " agents"]
) -> Float[Array, " agents"]:
    """Return how much pheromone each agent adds to a trail: energy x trail_strength x 0.1.

    Source: seed 000, "Pheromone Mechanics".
    """
    return energy * trail_strength * _DEPOSIT

"""What a request created or deleted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Created:
    """Whether a request created something, or it existed already."""

    name: str
    created: bool


@dataclass(frozen=True, slots=True)
class Deleted:
    """The number of deleted drawers or, for a palace, nodes, and of facts that were read only from these drawers."""

    deleted: int
    facts: int = 0

    def __add__(self, other: Deleted) -> Deleted:
        return Deleted(self.deleted + other.deleted, self.facts + other.facts)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The number of deleted feedbacks."""

    forgotten: int

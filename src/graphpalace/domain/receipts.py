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
    """The number of deleted drawers or, for a palace, nodes."""

    deleted: int


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The number of deleted feedbacks."""

    forgotten: int

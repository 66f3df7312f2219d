"""A list as an answer, which must be an object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from pydantic import Field

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shown(Generic[T]):
    """The first entries of a list."""

    shown: Sequence[T]
    left_out: Annotated[int, Field(description="entries beyond the limit")]

    @classmethod
    def of(cls, entries: Sequence[T], limit: int) -> Shown[T]:
        """Return the first entries, and the number of the others."""
        return cls(entries[:limit], max(0, len(entries) - limit))

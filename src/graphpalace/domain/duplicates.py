"""Whether a text is in a palace already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A drawer that has the same text, or a similar one.

    Attributes:
        exact: Whether its text is the same, character for character.
        same: Whether it says the same: it differs only in case and white space, or it has the same numbers and nearly
            the same words.
        cosine: Of the vectors of both texts, -1 to 1. Nothing that was learned changes it.
    """

    id: str
    wing: str
    room: str
    source_uri: str
    text: str
    exact: Annotated[bool, Field(description="the same text, character for character")]
    same: Annotated[
        bool, Field(description="the same but for case and white space, or the same numbers and nearly the same words")
    ]
    cosine: Annotated[float, Field(description="plain cosine of both texts, -1 to 1")]
    also_at: Annotated[Sequence[str], Field(description="other drawers that say what this one says")]


@dataclass(frozen=True, slots=True)
class SimilarDrawer:
    """A drawer that stands for a text, which was therefore not stored.

    Attributes:
        how: `exact`: it has the same text; `same`: it says the same, as `Duplicate` has it; `near`: its cosine is high
            enough.
    """

    id: str
    how: Annotated[
        Literal["exact", "same", "near"],
        Field(description="exact: the same text; same: the same in nearly the same words; near: a similar meaning"),
    ]
    cosine: Annotated[float, Field(description="plain cosine of both texts, -1 to 1")]


@dataclass(frozen=True, slots=True)
class DuplicateCheck:
    """The drawers that have a text already or are near it.

    Exact ones stand first, then those that say the same, then the others by cosine.
    """

    duplicate: Annotated[bool, Field(description="whether there is any")]
    found: Sequence[Duplicate]

"""Whether a text is in a palace already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

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
class DuplicateCheck:
    """The drawers that have a text already or are near it.

    Exact ones stand first, then those that say the same, then the others by cosine.
    """

    duplicate: Annotated[bool, Field(description="whether there is any")]
    found: Sequence[Duplicate]

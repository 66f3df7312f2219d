"""Facts as answers show them: those that hold, and what is outdated because of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graphpalace.domain.field import Field


@dataclass(frozen=True, slots=True)
class CurrentFact:
    """A fact that holds."""

    fact: Annotated[str, Field(description="its id")]
    subject: str
    predicate: Annotated[str, Field(examples=["works_at"])]
    object: str
    since: Annotated[str | None, Field(description="null: since ever")]
    drawers: Annotated[Sequence[str], Field(description="ids of the drawers that say so")]


@dataclass(frozen=True, slots=True)
class Outdated:
    """That everything that is known from a drawer has ended, or that another drawer took its place."""

    since: Annotated[str, Field(description="when the last of its facts ended, or the other drawer took its place")]
    replaced_by: Annotated[CurrentFact | None, Field(description="what holds instead; null: nothing that is known")]
    change: Annotated[
        float,
        Field(
            description="what it added to the score: 0 to -[search] outdated_penalty, or as much as it took to rank "
            "the drawer below the one that took its place"
        ),
    ]
    drawer: Annotated[str | None, Field(description="id of the drawer that took its place; null: none did")] = None

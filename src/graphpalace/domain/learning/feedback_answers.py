"""What callers are told of feedback. Clients read these, so this module imports nothing heavy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field


@dataclass(frozen=True, slots=True)
class FeedbackReceipt:
    """The result of giving feedback."""

    id: Annotated[str, Field(description="to take it back")]
    fresh: Annotated[bool, Field(description="false: the same was given before, as `id` says, and nothing changed")]
    useful: int
    useless: int


@dataclass(frozen=True, slots=True)
class RewardedDrawer:
    """A drawer and its reward."""

    drawer: str
    reward: Annotated[float, Field(description="above 0 to 1")]


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document of the caller's own that was judged."""

    namespace: str
    id: Annotated[str, Field(description="what the caller calls it")]
    useful: bool
    reward: float


@dataclass(frozen=True, slots=True)
class ListedFeedback:
    """Feedback that was given."""

    id: str
    query: str
    search: Annotated[str, Field(description="the search it is about")]
    source: Annotated[str, Field(description="given, or opened: a drawer was opened out of an answer")]
    cycle: Annotated[int, Field(description="of the palace's clock, when it was given")]
    given_at: str
    wings: Annotated[Sequence[str], Field(description="names of those that the drawers stand in")]
    useful: Sequence[RewardedDrawer]
    useless: Sequence[RewardedDrawer]
    documents: Annotated[Sequence[ListedDocument], Field(description="of callers' own")]

"""How a search is answered, and the time that its question names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from graphpalace.domain.field import Field

GRACE = timedelta(days=14)  # what happened is often told some days later


@dataclass(frozen=True, slots=True)
class NamedTime:
    """A time that a question names. What was said then, or within 14 days afterwards, is ranked higher."""

    words: Annotated[str, Field(examples=["last week"])]
    since: Annotated[str, Field(description="where it begins", examples=["2026-05-18T00:00:00+00:00"])]
    until: Annotated[str, Field(description="where it has ended", examples=["2026-05-25T00:00:00+00:00"])]


@dataclass(frozen=True, slots=True)
class Timely:
    """That a drawer was said in the time that the question names, or soon after."""

    change: Annotated[float, Field(description="of the score, [search] time_weight")]


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """How lanes become one answer."""

    lanes: tuple[str, ...]
    weights: Annotated[Mapping[str, float], Field(description="a lane that is not named has 1")]
    fusion: str
    time: Annotated[
        NamedTime | None,
        Field(description="that the question names; what was said then is ranked higher. null if it names none"),
    ] = None

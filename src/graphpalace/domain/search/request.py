"""What a search is asked: for what, where, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from graphpalace.domain.field import DATE, NAMED, WHOLE_DAY, Field
from graphpalace.domain.knowledge.fact_times import FactTime
from graphpalace.domain.search.conditions import Condition, Group, conditions_of
from graphpalace.domain.search.fusion_plan import Profile, Scheme

LaneName = Literal["fulltext", "semantic", "entity", "path", "code", "mcmp", "expanded"]
FusionName = Literal["evidence", "rrf"]

LANES: tuple[str, ...] = get_args(LaneName)
FUSIONS: tuple[str, ...] = get_args(FusionName)
MOST_RESULTS = 200

# What a search can leave out, so that each part's worth can be measured.
PARTS = {
    "titles": "words in titles",
    "exact words": "words as they are written, beside their stems",
    "phrases": "neighbouring words of the question that stand side by side",
    "sureness": "text scores measured by what the words could reach, in place of the best of this answer",
    "looked-up cosines": "cosines of what only the words found",
    "rocchio": "the question moved towards the best drawers",
}
# The same of what feedback taught; "learning" leaves all of it out.
LEARNED_PARTS = {
    "question map": "the question put as the wing's drawers answer it",
    "lane balance": "lanes weighed by what helped",
    "memory": "questions that were answered before",
    "other questions": "drawers that answered others step back",
    "trails": "names by way of which useful drawers were found",
}
# For callers who may read only the wing that they search: nothing of the answer is computed from other wings.
OTHER_WINGS = "other wings"
OWN_LANES: tuple[str, ...] = ("fulltext", "semantic", "code", "mcmp")  # that can do without them


@dataclass(frozen=True, slots=True)
class _Question:
    """What callers and operations say alike of a search."""

    query: Annotated[str, Field(max_length=20_000, description="words; may be empty if query_embedding is given")] = ""
    query_embedding: Annotated[Sequence[float] | None, Field(description="vector of the palace's dimension")] = None
    wing: Annotated[str | None, Field(description="only in this wing"), NAMED] = None
    room: Annotated[str | None, Field(description="only in rooms of this name"), NAMED] = None
    since: Annotated[datetime | None, Field(description="said, or else stored, at or after this time"), DATE] = None
    until: Annotated[
        datetime | None,
        Field(description="said, or else stored, up to this date, which is included, or before this moment"),
        WHOLE_DAY,
    ] = None
    as_of: Annotated[
        FactTime | None,
        Field(
            description="the palace as it was at this time: only what was said, or else stored, by then, and facts as "
            "they held then"
        ),
    ] = None
    speaker: Annotated[
        str | None, Field(min_length=1, description="only what this speaker said, such as user or assistant")
    ] = None
    project: Annotated[str | None, Field(min_length=1, description="only conversations on this project")] = None
    conversation: Annotated[
        str | None, Field(min_length=1, description="only the conversation of this id, or HOST/ID")
    ] = None
    top_k: Annotated[int, Field(ge=1, le=MOST_RESULTS, description="number of hits")] = 10
    target_profile: Annotated[
        Mapping[Scheme, Mapping[str, float]] | None,
        Field(description="wanted codes with weights above 0, by scheme; the lane of codes joins the lanes then"),
    ] = None
    preset: Annotated[str | None, Field(description="a plan of [search.presets]; default: the configured one")] = None
    lanes: Annotated[
        Sequence[LaneName] | None, Field(min_length=1, description="what searches; default: the plan's lanes")
    ] = None
    weights: Annotated[
        Mapping[LaneName, float] | None,
        Field(description="of some lanes, 0 to 1000; the others keep the plan's, or 1"),
    ] = None
    fusion: Annotated[FusionName | None, Field(description="how lanes are joined; default: the plan's")] = None
    rerank: Annotated[bool, Field(description="put the best into another order at last, as [rerank] says")] = False
    mmr_lambda: Annotated[
        float | None,
        Field(description="of that order: 0 for variety, 1 for relevance; default: as configured"),
    ] = None
    fold_duplicates: Annotated[
        bool | None,
        Field(description="show equal and nearly equal texts as one hit that names the others; default: as configured"),
    ] = None
    times: Annotated[
        bool | None,
        Field(description="rank higher what was said in a time that the question names; default: as configured"),
    ] = None


@dataclass(frozen=True, slots=True)
class SearchRequest(_Question):
    """What is searched for, where, and how. `domain.search.plan` says which of it is refused.

    Attributes:
        conditions: What the documents must meet (`domain.search.conditions`).
        kept: Whether feedback can be given on it.
        without: Some of `PARTS`, of `LEARNED_PARTS`, `learning`, `importance`, `facts`, `pointers`, `news` or
            `OTHER_WINGS`.
    """

    conditions: Sequence[Condition | Group] = ()
    kept: bool = True
    without: frozenset[str] = field(default_factory=frozenset)

    @property
    def has_meaning(self) -> bool:
        """Whether there are words or an embedding, beside codes."""
        return bool(self.query.strip()) or self.query_embedding is not None

    @property
    def profile(self) -> Profile:
        """The wanted codes; empty if none are."""
        return {**self.target_profile} if self.target_profile else {}


@dataclass(frozen=True, slots=True)
class SearchQuery(_Question):
    """A question, and where to look."""

    filters: Annotated[
        Sequence[Mapping[str, Any]] | Mapping[str, Any] | None,
        Field(
            description="conditions on the documents: a list of {lop, field, op, value}, or {ipc, cpc, date_from, ...}",
            examples=[[{"lop": "and", "field": "country", "op": "eq", "value": "JP"}]],
        ),
    ] = None
    unlearned: Annotated[bool, Field(description="ignore everything that was learned from feedback")] = False

    def request(self) -> SearchRequest:
        """Return the question as the search takes it.

        Raises:
            InvalidInput: If a condition cannot be read.
        """
        return SearchRequest(
            **{one.name: getattr(self, one.name) for one in fields(_Question)},
            conditions=conditions_of(self.filters),
            without=frozenset({"learning"}) if self.unlearned else frozenset(),
        )

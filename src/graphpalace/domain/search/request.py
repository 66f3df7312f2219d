"""What a search is asked, and how it is therefore answered: by which lanes, and how these become one answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from graphpalace.domain.field import DATE, NAMED, WHOLE_DAY, Field
from graphpalace.domain.identity import MOST_TITLE_CHARS, place_name
from graphpalace.domain.moments import FactTime, milliseconds, optional_time
from graphpalace.domain.search.answer import SearchPlan
from graphpalace.domain.search.conditions import Condition, Group, conditions_of
from graphpalace.domain.search.fusion_plan import Profile, Scheme, check_profile
from graphpalace.errors import EmptyQuery, InvalidInput

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
    kept: Annotated[
        bool,
        Field(description="keep the search, so that feedback can be given on it; false while somebody is still typing"),
    ] = True

    def request(self) -> SearchRequest:
        """Return the question as the search takes it.

        Raises:
            InvalidInput: If a condition cannot be read.
        """
        return SearchRequest(
            **{one.name: getattr(self, one.name) for one in fields(_Question)},
            conditions=conditions_of(self.filters),
            kept=self.kept,
            without=frozenset({"learning"}) if self.unlearned else frozenset(),
        )


def plan_of(request: SearchRequest, default: SearchPlan, presets: Mapping[str, SearchPlan]) -> SearchPlan:
    """Return how the request is to be answered, or say what is wrong with it: all checks of a request are here.

    Args:
        default: The plan of requests that name no preset.
        presets: The plans that a request may name.

    Raises:
        EmptyQuery: If there is nothing to search for.
        InvalidInput: If a value is unknown or out of range.
    """
    _check_where(request)
    if request.preset is not None and request.preset not in presets:
        raise _unknown("preset", request.preset, presets)
    plan = default if request.preset is None else presets[request.preset]
    lanes = _lanes(request, plan)
    if OTHER_WINGS in request.without:
        lanes = _own_lanes(request, lanes)
    fusion = request.fusion if request.fusion is not None else plan.fusion
    if fusion not in FUSIONS:
        raise _unknown("fusion", fusion, FUSIONS)
    if request.mmr_lambda is not None and not request.rerank:
        raise InvalidInput(
            "mmr_lambda is given, but rerank is not true; mmr_lambda applies only to a rerank",
            field="mmr_lambda",
            value=request.mmr_lambda,
        )
    if request.rerank and not request.has_meaning:
        raise InvalidInput(
            "rerank needs words or an embedding to compare the drawers with; codes alone have neither",
            field="rerank",
            value=True,
        )
    parts = [*PARTS, *LEARNED_PARTS, "learning", "importance", "facts", "pointers", "news", OTHER_WINGS]
    if not request.without <= set(parts):
        raise _unknown("without", sorted(request.without), parts)
    return SearchPlan(lanes, _weights(request, plan, lanes), fusion)


def _check_where(request: SearchRequest) -> None:
    if not request.has_meaning and not request.target_profile:
        raise EmptyQuery(field="query", value=request.query)
    if not 1 <= request.top_k <= MOST_RESULTS:
        raise InvalidInput(
            f"top_k is {request.top_k}; it must be 1 to {MOST_RESULTS}", field="top_k", value=request.top_k
        )
    for part in ("speaker", "project", "conversation"):
        if (name := getattr(request, part)) is not None:
            place_name(part, name, most_chars=MOST_TITLE_CHARS)
    since, until = milliseconds("since", request.since), milliseconds("until", request.until)
    if request.since and request.until and since is not None and until is not None and since >= until:
        raise InvalidInput(
            f"since is {request.since.isoformat()}; it must be before until, {request.until.isoformat()}",
            field="since",
        )
    as_of = milliseconds("as_of", optional_time("as_of", request.as_of))
    if request.since and since is not None and as_of is not None and since > as_of:
        raise InvalidInput(
            f"since is {request.since.isoformat()}; it must not be after as_of, {request.as_of}", field="since"
        )


def _lanes(request: SearchRequest, plan: SearchPlan) -> tuple[str, ...]:
    """Return the lanes to be asked: that of codes exactly if codes are wanted, and alone if nothing else is given."""
    check_profile(request.profile)
    lanes = plan.lanes if request.lanes is None else tuple(dict.fromkeys(request.lanes))
    if not lanes or not set(lanes) <= set(LANES):
        raise _unknown("lanes", list(lanes), LANES)
    if not request.target_profile:
        if "code" in lanes and (request.lanes is not None or len(lanes) == 1):
            raise InvalidInput("lanes has 'code', which needs a target_profile", field="target_profile")
        return tuple(lane for lane in lanes if lane != "code")
    if request.has_meaning:
        return lanes if "code" in lanes else (*lanes, "code")
    if set(lanes) != {"code"} and request.lanes is not None:
        raise EmptyQuery(field="query", value=request.query)
    return ("code",)


def _own_lanes(request: SearchRequest, lanes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lanes that can do without other wings. Whoever asks for more is told so."""
    if request.rerank:
        raise InvalidInput(
            "rerank is true, which uses questions about other wings, and this key is only for one wing; leave it out",
            field="rerank",
            value=True,
        )
    own = tuple(lane for lane in lanes if lane in OWN_LANES)
    if len(own) == len(lanes) or (own and request.lanes is None):
        return own
    other = next(lane for lane in lanes if lane not in OWN_LANES)
    raise InvalidInput(
        f"lanes has {other!r}, which uses other wings, and this key is only for one wing; choose from "
        f"{', '.join(OWN_LANES)}",
        field="lanes",
        value=list(lanes),
    )


def _weights(request: SearchRequest, plan: SearchPlan, lanes: tuple[str, ...]) -> Mapping[str, float]:
    for lane, weight in (request.weights or {}).items():
        if lane not in LANES:
            raise _unknown("weights", lane, LANES)
        if not 0 <= weight <= 1000:
            raise InvalidInput(f"weights.{lane} is {weight}; it must be 0 to 1000", field="weights", value=weight)
    weights = {**plan.weights, **(request.weights or {})}
    # The lane `entity` starts from what the others find, so it cannot be the only one that counts beside them.
    others = [lane for lane in lanes if lane != "entity"] or lanes
    if not any(weights.get(lane, 1.0) for lane in others):
        raise InvalidInput(f"weights are 0 for all of {', '.join(others)}; one must be above 0", field="weights")
    return weights


def _unknown(field: str, value: object, known: Iterable[str]) -> InvalidInput:
    choices = ", ".join(known) or "none: the settings have no [search.presets]"
    return InvalidInput(f"{field} is {value!r}; it must be some of {choices}", field=field, value=value)

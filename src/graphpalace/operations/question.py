"""What a search is asked, how it may be answered, and which of that is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphpalace.domain.conditions import Condition, Group
from graphpalace.domain.fusion_plan import Profile, check_profile
from graphpalace.domain.moments import milliseconds
from graphpalace.errors import EmptyQuery, InvalidInput

MOST_RESULTS = 200
LANES = ("fulltext", "semantic", "path", "code", "mcmp")
FUSIONS = ("evidence", "rrf")

# What a question can leave out, so that each part's worth can be measured.
PARTS = {
    "titles": "words in titles",
    "exact words": "words as they are written, beside their stems",
    "phrases": "neighbouring words of the question that stand side by side",
    "sureness": "text scores measured by what the words could reach, in place of the best of this answer",
    "looked-up cosines": "cosines of what only the words found",
    "feedback": "the question moved towards the best drawers",
}
# The same of what feedback taught; "learning" leaves all of it out.
LEARNED_PARTS = {
    "question map": "the question put as the wing's drawers answer it",
    "lane balance": "lanes weighed by what helped",
    "memory": "questions that were answered before",
    "other questions": "drawers that answered others step back",
}


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """How lanes become one answer; the settings' section `[search]` has the meaning and the range of each."""

    lanes: tuple[str, ...] = ("fulltext", "semantic")
    weights: Mapping[str, float] = field(default_factory=dict)
    fusion: str = "evidence"


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The settings' section `[search]`."""

    plan: SearchPlan = field(default_factory=SearchPlan)
    presets: Mapping[str, SearchPlan] = field(default_factory=dict)
    lane_depth: int = 100
    lane_timeout_s: float = 10.0
    rrf_k: int = 60
    temperature: float = 0.5
    feedback_drawers: int = 2
    feedback_weight: float = 0.3
    importance_weight: float = 0.1


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched for, where, and how.

    Attributes:
        query: Words; may be empty if an embedding is given.
        embedding: Used by the semantic lane in place of the query's own.
        since, until: Of when it was said, or else stored; from, inclusive, to, exclusive.
        conditions: What the documents must meet (`domain.conditions`).
        preset: Name of a plan of the settings; None: the configured one.
        lanes: Some of `LANES`; None: the plan's.
        profile: Wanted codes with weights above 0, by scheme; the lane of codes joins the lanes then.
        weights: Of some lanes, >= 0; those that are not named keep the plan's, or 1.
        fusion: One of `FUSIONS`; None: the plan's.
        kept: Whether feedback can be given on it.
        without: Some of `PARTS`, of `LEARNED_PARTS`, `learning` or `importance`.
        rerank: Whether the best are put into another order at last, as the settings' section `[rerank]` says.
        mmr_lambda: Of that order: 0 for variety to 1 for relevance; None: the configured one.
    """

    query: str = ""
    embedding: Sequence[float] | None = None
    wing: str | None = None
    room: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    conditions: Sequence[Condition | Group] = ()
    top_k: int = 10
    preset: str | None = None
    lanes: Sequence[str] | None = None
    profile: Profile = field(default_factory=dict)
    weights: Mapping[str, float] | None = None
    fusion: str | None = None
    without: frozenset[str] = frozenset()
    kept: bool = True
    rerank: bool = False
    mmr_lambda: float | None = None


def checked(question: Question, options: SearchOptions) -> SearchPlan:
    """Return how the question is to be answered, or say what is wrong with it.

    Raises:
        EmptyQuery: If there is nothing to search for.
        InvalidInput: If a value is unknown or out of range.
    """
    _check_where(question)
    if question.preset is not None and question.preset not in options.presets:
        raise _unknown("preset", question.preset, options.presets)
    plan = options.plan if question.preset is None else options.presets[question.preset]
    lanes = _lanes(question, plan)
    fusion = question.fusion if question.fusion is not None else plan.fusion
    if fusion not in FUSIONS:
        raise _unknown("fusion", fusion, FUSIONS)
    if question.mmr_lambda is not None and not question.rerank:
        raise InvalidInput(
            "mmr_lambda is of a rerank, which is not asked for", field="mmr_lambda", value=question.mmr_lambda
        )
    if question.rerank and not question.query.strip() and question.embedding is None:
        raise InvalidInput(
            "rerank needs words or an embedding to compare the drawers with; codes alone have neither",
            field="rerank",
            value=True,
        )
    parts = [*PARTS, *LEARNED_PARTS, "learning", "importance"]
    if not question.without <= set(parts):
        raise _unknown("without", sorted(question.without), parts)
    return SearchPlan(lanes, _weights(question, plan, lanes), fusion)


def _check_where(question: Question) -> None:
    if not question.query.strip() and question.embedding is None and not question.profile:
        raise EmptyQuery(field="query", value=question.query)
    if not 1 <= question.top_k <= MOST_RESULTS:
        raise InvalidInput(
            f"top_k is {question.top_k}; it must be 1 to {MOST_RESULTS}", field="top_k", value=question.top_k
        )
    since, until = milliseconds("since", question.since), milliseconds("until", question.until)
    if question.since and question.until and since is not None and until is not None and since >= until:
        raise InvalidInput(
            f"since is {question.since.isoformat()}; it must be before until, {question.until.isoformat()}",
            field="since",
        )


def _lanes(question: Question, plan: SearchPlan) -> tuple[str, ...]:
    """Return the lanes to be asked: that of codes exactly if codes are wanted, and alone if nothing else is given."""
    check_profile(question.profile)
    lanes = plan.lanes if question.lanes is None else tuple(dict.fromkeys(question.lanes))
    if not lanes or not set(lanes) <= set(LANES):
        raise _unknown("lanes", list(lanes), LANES)
    if not question.profile:
        if "code" in lanes and (question.lanes is not None or len(lanes) == 1):
            raise InvalidInput("lanes has 'code', which needs a target_profile", field="target_profile")
        return tuple(lane for lane in lanes if lane != "code")
    if question.query.strip() or question.embedding is not None:
        return lanes if "code" in lanes else (*lanes, "code")
    if set(lanes) != {"code"} and question.lanes is not None:
        raise EmptyQuery(field="query", value=question.query)
    return ("code",)


def _weights(question: Question, plan: SearchPlan, lanes: tuple[str, ...]) -> Mapping[str, float]:
    for lane, weight in (question.weights or {}).items():
        if lane not in LANES:
            raise _unknown("weights", lane, LANES)
        if not 0 <= weight <= 1000:
            raise InvalidInput(f"weights.{lane} is {weight}; it must be 0 to 1000", field="weights", value=weight)
    weights = {**plan.weights, **(question.weights or {})}
    if not any(weights.get(lane, 1.0) for lane in lanes):
        raise InvalidInput(f"weights are 0 for all of {', '.join(lanes)}; one must be above 0", field="weights")
    return weights


def _unknown(field: str, value: object, known: Iterable[str]) -> InvalidInput:
    choices = ", ".join(known) or "none: the settings have no [search.presets]"
    return InvalidInput(f"{field} is {value!r}; it must be some of {choices}", field=field, value=value)

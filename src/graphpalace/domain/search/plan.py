"""How a search is answered: which lanes are asked, and how what they find becomes one answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphpalace.domain.identity import MOST_TITLE_CHARS, place_name
from graphpalace.domain.knowledge.fact_times import optional_time
from graphpalace.domain.moments import milliseconds
from graphpalace.domain.search.fusion_plan import check_profile
from graphpalace.domain.search.request import (
    FUSIONS,
    LANES,
    LEARNED_PARTS,
    MOST_RESULTS,
    OTHER_WINGS,
    OWN_LANES,
    PARTS,
    SearchRequest,
)
from graphpalace.domain.search.search_plan import SearchPlan
from graphpalace.errors import EmptyQuery, InvalidInput


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
    for field in ("speaker", "project", "conversation"):
        if (name := getattr(request, field)) is not None:
            place_name(field, name, most_chars=MOST_TITLE_CHARS)
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

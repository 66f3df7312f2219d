"""The checks of a question to a single lane, and the recipe by which its run can be repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphpalace.domain.runs.run_requests import BUDGET_BYTES, LaneQuestion
from graphpalace.domain.search.codes import LEVELS
from graphpalace.domain.search.conditions import conditions_of
from graphpalace.domain.search.fusion_plan import MOST_MEMBERS, check_profile
from graphpalace.domain.vectors import unit_vector
from graphpalace.errors import EmptyQuery, InvalidInput
from graphpalace.operations.search.lanes.lane import Lane
from graphpalace.replica.filters import milliseconds


def check_lane_question(question: LaneQuestion, lanes: Mapping[str, Lane], *, dimension: int) -> None:
    """Check a question before anything is searched.

    Args:
        lanes: The lanes that can be searched, by name.
        dimension: Dimension of the palace's embeddings.

    Raises:
        EmptyQuery: If there are neither words nor an embedding, for a lane other than `code`.
        InvalidInput: If a value is out of range, or the lane, a filter or a level is unknown.
        WrongDimension: If the embedding does not have the dimension.
    """
    if question.lane not in lanes:
        known = ", ".join(lanes)
        raise InvalidInput(f"lane is {question.lane!r}; it must be one of {known}", field="lane", value=question.lane)
    if (question.lane == "code") != bool(question.profile):
        raise InvalidInput(
            f"target_profile has {len(question.profile)} schemes for the lane {question.lane}; the lane code "
            "needs at least one, the other lanes take none",
            field="target_profile",
        )
    check_profile(question.profile)
    if question.profile:
        if question.q.strip() or question.query_embedding is not None:
            raise InvalidInput("the lane code takes neither q nor query_embedding", field="q", value=question.q)
    elif question.query_embedding is not None:
        if not lanes[question.lane].needs_vector:
            raise InvalidInput(f"the lane {question.lane} takes no query_embedding", field="query_embedding")
        unit_vector(question.query_embedding, dimension=dimension, field="query_embedding")
    elif not question.q.strip():
        raise EmptyQuery("q is empty: give at least one word", field="q", value=question.q)
    in_range("top_k", question.top_k, 1, MOST_MEMBERS)
    in_range("budget_bytes", question.budget_bytes, *BUDGET_BYTES)
    conditions_of(question.filters)
    for scheme, level in question.rollup.items():
        if level not in LEVELS:
            raise InvalidInput(
                f"rollup.{scheme} is {level!r}; it must be one of {', '.join(LEVELS)}",
                field=f"rollup.{scheme}",
                value=level,
            )
    since, until = milliseconds("since", question.since), milliseconds("until", question.until)
    if since is not None and until is not None and since >= until:
        raise InvalidInput(f"since is {question.since}; it must be before until, {question.until}", field="since")


def lane_recipe(
    question: LaneQuestion, *, model: str, rrf_k: int, revision: int, trace_id: str | None
) -> dict[str, Any]:
    """Return all that a later service needs to repeat the search.

    Args:
        model: Name of the embedding model.
        rrf_k: Constant of reciprocal rank fusion, which gives the scores.
        revision: Revision of the palace.
        trace_id: Id that the runs of one request share.
    """
    given = question.query_embedding
    return {
        "kind": "lane",
        "lane": question.lane,
        "q": question.q,
        "query_embedding": list(given) if given is not None else None,
        "target_profile": {scheme: dict(codes) for scheme, codes in question.profile.items()},
        "model": model,
        "wing": question.wing,
        "room": question.room,
        "since": question.since.isoformat() if question.since else None,
        "until": question.until.isoformat() if question.until else None,
        "filters": question.filters,
        "top_k": question.top_k,
        "weight": 1.0,
        "rrf_k": rrf_k,
        "revision": revision,
        "trace_id": trace_id,
    }


def in_range(name: str, value: int, low: int, high: int) -> None:
    """Raise `InvalidInput` unless low <= value <= high."""
    if not low <= value <= high:
        raise InvalidInput(f"{name} is {value}; it must be {low} to {high}", field=name, value=value)

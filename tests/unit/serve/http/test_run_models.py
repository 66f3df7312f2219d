"""What requests on runs take for a number."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from graphpalace.domain.learning.feedback_requests import FeedbackRequest
from graphpalace.domain.rerank import RerankQuery
from graphpalace.domain.runs.run_requests import (
    FulltextSearch,
    FusionChange,
    LaneSearch,
    PeekRequest,
    PublicationRequest,
    SemanticSearch,
    SnippetRequest,
)
from graphpalace.errors import InvalidInput
from graphpalace.serve.http.request_body import body_of, value_of
from graphpalace.serve.http.runs import FusionRequest

RUNS = [{"run_id_lane": "fulltext-1"}]

# A request of each kind with all its numbers.
REQUESTS: list[tuple[type[BaseModel], dict[str, Any]]] = [
    (body_of(FulltextSearch), {"q": "x", "top_k": 5, "budget_bytes": 64}),
    (body_of(SemanticSearch), {"query_embedding": [1.0, 2]}),
    (body_of(LaneSearch), {"lane": "code", "target_profile": {"ipc": {"H04L": 1}}}),
    (FusionRequest, {"runs": RUNS, "rrf_k": 5, "beta_fuse": 0.5, "weights": {"fulltext": 2}, "k_grid": [7]}),
    (FusionRequest, {"runs": RUNS, "top_m_per_lane": {"fulltext": 9}, "target_profile": {"any": {"H": 0.5}}}),
    (FusionRequest, {"runs": RUNS, "peek": {"count": 3, "per_field_chars": {"title": 9}, "budget_bytes": 300}}),
    (body_of(PeekRequest), {"run_id": "x", "limit": 2, "budget_bytes": 300}),
    (body_of(PeekRequest), {"run_id": "x", "per_field_chars": {"abst": 9}}),
    (body_of(SnippetRequest), {"ids": ["x"], "per_field_chars": {"title": 9}}),
    (body_of(PublicationRequest), {"ids": ["x"], "per_field_chars": {"title": 9}}),
    (body_of(FusionChange), {"run_id": "x", "delta": {"rrf_k": 3, "weights": {"code": 0.5}}}),
    (body_of(FeedbackRequest), {"run": "x", "useful": [{"id": "a", "reward": 0.5}], "query_embedding": [1.0]}),
    (
        body_of(RerankQuery),
        {
            "query_embedding": [1.0],
            "documents": [{"id": "a", "embedding": [0.5]}],
            "top_k": 3,
            "mmr_lambda": 0.5,
            "gating_threshold": 0.5,
            "gating_min_candidates": 2,
            "gating_max_candidates": 3,
            "gating_entropy_temp": 1,
        },
    ),
]


def changed(given: Any, change: Any, place: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    """Return the request with each of its numbers changed in turn, and where that was."""
    if isinstance(given, dict):
        parts = [(key, given[key]) for key in given]
    elif isinstance(given, list):
        parts = list(enumerate(given))
    elif isinstance(given, int | float):
        return [(place, change(given))]
    else:
        return []
    found = []
    for key, part in parts:
        for where, other in changed(part, change, (*place, key)):
            copy = dict(given) if isinstance(given, dict) else list(given)
            copy[key] = other
            found.append((where, copy))
    return found


@pytest.mark.parametrize(("model", "request_"), REQUESTS)
def test_no_number_is_read_from_a_text_or_a_truth_value(model: type[BaseModel], request_: dict[str, Any]) -> None:
    model.model_validate(request_)
    wrong = [case for change in (lambda one: f"+{one}", lambda _: True) for case in changed(request_, change)]
    assert wrong
    for where, body in wrong:
        with pytest.raises(ValidationError) as refused:
            model.model_validate(body)
        assert {error["loc"][0] for error in refused.value.errors()} == {where[0]}, where


def test_a_count_has_no_fraction() -> None:
    with pytest.raises(ValidationError, match=r"rrf_k\n.*valid integer"):
        FusionRequest.model_validate({"runs": RUNS, "rrf_k": 5.5})
    body = FusionRequest.model_validate({"runs": RUNS, "rrf_k": 5.0, "k_grid": [10.0, 20]})
    assert [type(one) for one in (body.rrf_k, *(body.k_grid or ()))] == [int, int, int]  # as JSON has it


def test_a_cursor_goes_back_as_it_came() -> None:
    page = body_of(PeekRequest)
    assert value_of(page.model_validate({"run_id": "x", "offset": "12"}), PeekRequest).start == 12
    for wrong in ("+12", " 12", "1e3", "", "-1", "1234567890"):
        with pytest.raises(InvalidInput, match="offset is"):
            _ = value_of(page.model_validate({"run_id": "x", "offset": wrong}), PeekRequest).start


def test_a_wrapped_request_is_the_request_and_its_faults_are_named_once() -> None:
    plain = FusionRequest.model_validate({"runs": RUNS, "rrf_k": 5})
    assert FusionRequest.model_validate({"request": {"runs": RUNS, "rrf_k": 5}}) == plain
    with pytest.raises(ValidationError) as refused:
        FusionRequest.model_validate({"request": {"runs": RUNS, "rrf_k": "+5"}})
    assert [error["loc"] for error in refused.value.errors()] == [("rrf_k",)]

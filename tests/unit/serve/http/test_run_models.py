"""What requests on runs take for a number."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from graphpalace.domain.learning.requests import FeedbackRequest
from graphpalace.serve.http.request_body import body_of
from graphpalace.serve.http.rerank import models as rerank_models
from graphpalace.serve.http.runs import models

RUNS = [{"run_id_lane": "fulltext-1"}]

# A request of each kind with all its numbers.
REQUESTS: list[tuple[type[BaseModel], dict[str, Any]]] = [
    (models.FulltextRequest, {"q": "x", "top_k": 5, "budget_bytes": 64}),
    (models.SemanticRequest, {"query_embedding": [1.0, 2]}),
    (models.LaneRequest, {"lane": "code", "target_profile": {"ipc": {"H04L": 1}}}),
    (models.BlendRequest, {"runs": RUNS, "rrf_k": 5, "beta_fuse": 0.5, "weights": {"fulltext": 2}, "k_grid": [7]}),
    (models.BlendRequest, {"runs": RUNS, "top_m_per_lane": {"fulltext": 9}, "target_profile": {"any": {"H": 0.5}}}),
    (models.BlendRequest, {"runs": RUNS, "peek": {"count": 3, "per_field_chars": {"title": 9}, "budget_bytes": 300}}),
    (models.PeekRequest, {"run_id": "x", "offset": 3, "limit": 2, "budget_bytes": 300, "per_field_chars": {"abst": 9}}),
    (models.SnippetsRequest, {"ids": ["x"], "per_field_chars": {"title": 9}}),
    (models.PublicationRequest, {"ids": ["x"], "per_field_chars": {"title": 9}}),
    (models.MutateRequest, {"run_id": "x", "delta": {"rrf_k": 3, "weights": {"code": 0.5}}}),
    (body_of(FeedbackRequest), {"run": "x", "useful": [{"id": "a", "reward": 0.5}], "query_embedding": [1.0]}),
    (
        rerank_models.RerankRequest,
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
        models.BlendRequest.model_validate({"runs": RUNS, "rrf_k": 5.0})


def test_a_cursor_goes_back_as_it_came() -> None:
    assert models.PeekRequest.model_validate({"run_id": "x", "offset": "12"}).offset == 12
    for wrong in ("+12", " 12", "1e3", "", "-1", "1234567890"):
        with pytest.raises(ValidationError):
            models.PeekRequest.model_validate({"run_id": "x", "offset": wrong})


def test_a_wrapped_request_is_the_request_and_its_faults_are_named_once() -> None:
    plain = models.BlendRequest.model_validate({"runs": RUNS, "rrf_k": 5})
    assert models.BlendRequest.model_validate({"request": {"runs": RUNS, "rrf_k": 5}}) == plain
    with pytest.raises(ValidationError) as refused:
        models.BlendRequest.model_validate({"request": {"runs": RUNS, "rrf_k": "+5"}})
    assert [error["loc"] for error in refused.value.errors()] == [("rrf_k",)]

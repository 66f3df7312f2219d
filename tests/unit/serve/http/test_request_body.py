from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from graphpalace.domain.learning.feedback_requests import FeedbackRequest
from graphpalace.domain.palaces.places import NewRoom, NewWing
from graphpalace.domain.rerank import RerankQuery
from graphpalace.domain.search.request import SearchQuery
from graphpalace.domain.simulation.simulation_requests import AgentCount
from graphpalace.domain.walking.walks import ExploreRequest
from graphpalace.serve.http.request_body import body_of, fields_of
from graphpalace.serve.http.simulation.routes import StartRequest


@pytest.mark.parametrize(
    ("body", "given", "field"),
    [
        (body_of(SearchQuery), {"top_k": True}, "top_k"),
        (body_of(SearchQuery), {"mmr_lambda": "0.5"}, "mmr_lambda"),
        (body_of(FeedbackRequest), {"useful": [{"id": "a", "reward": True}]}, "useful"),
        (body_of(RerankQuery), {"top_k": "3"}, "top_k"),
        (body_of(RerankQuery), {"gating_threshold": True}, "gating_threshold"),
        (body_of(RerankQuery), {"deterministic": "yes"}, "deterministic"),
        (body_of(RerankQuery), {"documents": [{"id": "a", "embedding": ["1"]}]}, "documents"),
        (body_of(RerankQuery), {"reference_time": 0}, "reference_time"),
        (body_of(RerankQuery), {"reference_time": "5"}, "reference_time"),
        (body_of(SearchQuery), {"since": "20260531"}, "since"),
        (fields_of(ExploreRequest), {"agents": "10"}, "agents"),
        (fields_of(ExploreRequest), {"seed": True}, "seed"),
        (fields_of(ExploreRequest), {"mark": 0}, "mark"),
        (body_of(AgentCount), {"count": True}, "count"),
        (StartRequest, {"num_agents": "10"}, "num_agents"),
    ],
)
def test_neither_a_truth_value_nor_a_text_is_taken_for_a_number(
    body: type[BaseModel], given: dict[str, Any], field: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        body.model_validate(given)
    assert field in {problem["loc"][0] for problem in refused.value.errors()}


def test_choices_and_times_are_texts_in_json() -> None:
    wing: Any = fields_of(NewWing).model_validate({"name": "w", "wing_type": "person"})
    room: Any = fields_of(NewRoom).model_validate({"wing": "w", "name": "r", "hall_type": "advice"})
    assert (wing.wing_type, room.hall_type) == ("person", "advice")
    asked: Any = body_of(SearchQuery).model_validate({"since": "2026-05-31T12:00:00Z"})
    since = asked.since
    assert since is not None
    assert since.isoformat() == "2026-05-31T12:00:00+00:00"
    embedded: Any = body_of(SearchQuery).model_validate({"query_embedding": [1, 0.5]})
    assert embedded.query_embedding == [1.0, 0.5]

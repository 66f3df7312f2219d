"""docs/reference/graph.md and a real Neo4j: the properties of nodes that queries fill from maps."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.architecture.test_graph_reference import LISTED
from tests.publications import write_publications

from graphpalace.app import GraphPalace
from graphpalace.domain.search.request import SearchRequest
from graphpalace.operations.runs.fusion_runs import LaneRunChoice
from graphpalace.operations.runs.lane_runs import LaneQuestion


@pytest.fixture
async def used(app: GraphPalace, palace: str, tmp_path: Path) -> str:
    """A palace with a fusion, a child of it, a search and feedback on it."""
    await app.ingesting.files([write_publications(tmp_path)], palace=palace, wing="patents")
    answers = await app.runs.lanes.multilane(palace, [LaneQuestion(lane, "lock") for lane in ("fulltext", "semantic")])
    run, _ = await app.runs.fusions.blend(palace, [LaneRunChoice(one.run_id_lane) for one in answers], {})
    await app.runs.fusions.mutate(palace, run.id, {"rrf_k": 30})
    answer = await app.recall.search(palace, SearchRequest("lock"))
    await app.learning.feedback.give(palace, run=answer.run, useful={answer.hits[0].id: 1.0}, useless={})
    await app.history.searches.flush()
    return palace


@pytest.mark.parametrize("name", ["Feedback", "Search", "Run"])
async def test_the_properties_that_are_listed_are_those_in_the_database(app: GraphPalace, used: str, name: str) -> None:
    rows = await app.database.read(used, "tests/property_names", label=name)
    assert set(rows[0]["names"]) == LISTED[name]

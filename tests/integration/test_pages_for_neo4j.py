"""The Cypher of the pages for people who know Neo4j runs, but for what only the Graph Data Science library can."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.pasted_queries import run_pasted
from tests.walks import furnish

from graphpalace.app import GraphPalace
from graphpalace.domain.knowledge.fact_requests import NewFact

_HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
_PAGES = ("use-graph-data-science", "use-neo4j-mcp", "use-neo4j-browser")
_BLOCK = re.compile(r"^```cypher\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PROJECTS = re.compile(r"RETURN gds\.graph\.project\((?P<name>'\w+'), (?P<nodes>\w+, \w+)(?P<rest>.*)\)$", re.MULTILINE)
_VALUES = re.compile(r"(?:relationshipProperties: )\{\w+: ([\w.]+)\}")


def _blocks() -> list[tuple[str, str]]:
    return [
        (f"{page} {number}", text)
        for page in _PAGES
        for number, text in enumerate(_BLOCK.findall((_HOW_TO / f"{page}.md").read_text("utf-8")), start=1)
    ]


def _without_gds(text: str) -> str | None:
    """Return what a database without the library can run: for a projection, the nodes and weights that it takes."""
    if projects := _PROJECTS.search(text):
        weights = ", ".join(_VALUES.findall(projects["rest"]))
        text = text.replace(projects[0], f"RETURN {projects['nodes']}{weights and ', ' + weights + ' AS weight'}")
    return None if re.search(r"\bgds\.|CREATE USER", text) else text


_RUNNABLE = {name: text for name, block in _blocks() if (text := _without_gds(block))}


def test_every_projection_is_run() -> None:
    projections = [name for name, text in _blocks() if "gds.graph.project" in text]
    assert len(projections) == 4
    assert set(projections) <= _RUNNABLE.keys()


@pytest.mark.parametrize("name", _RUNNABLE)
async def test_a_query_of_a_page_finds_something(
    app: GraphPalace, palace: str, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    drawers = list((await furnish(app, palace)).values())
    await app.database.write(palace, "tests/make_entities", drawers=[drawers[0], drawers[0]])
    await app.knowledge.facts.add(palace, NewFact("Ann", "bakes", "rye"))
    text = _RUNNABLE[name]
    rows, _ = await run_pasted(app, monkeypatch, palace, text, name="Yeast")
    assert bool(rows) == ("my_community" not in text)  # a property that only the library writes
    for row in rows:
        assert row.get("weight", 0.0) is None or 0 <= row.get("weight", 0.0) <= 1

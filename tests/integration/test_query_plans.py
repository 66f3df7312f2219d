"""Neo4j finds what a query names through an index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphpalace.app import GraphPalace
from graphpalace.store.connection.queries import query
from graphpalace.store.pheromones.decay import SEED_STATEMENTS

_CYPHER = Path(__file__).resolve().parents[2] / "cypher"
NAMES = sorted(
    str(path.relative_to(_CYPHER).with_suffix(""))
    for path in _CYPHER.rglob("*.cypher")
    if path.parent.name != "browser"  # for pasting; test_browser_favourites.py runs them
)
WHOLE_GRAPH = {"compact/list_nodes"}  # copies the database
SCHEMA_OR_SHOW = re.compile(r"\b(CREATE (FULLTEXT |VECTOR )?INDEX|DROP INDEX|CREATE CONSTRAINT|SHOW |awaitIndexes)")


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in NAMES
        if not SCHEMA_OR_SHOW.search(query(name).text) and name not in SEED_STATEMENTS and name not in WHOLE_GRAPH
    ],
)
async def test_no_plan_looks_at_every_node(app: GraphPalace, palace: str, name: str) -> None:
    plan = await app.database.explain(palace, name)
    assert "AllNodesScan" not in plan
    # A palace's own drawers, the palaces and the migrations may be scanned.
    scans = set(re.findall(r"NodeByLabelScan[^:]*:(\w+)", plan))
    assert scans <= {f"Drawer_{palace}", "Palace", "__Neo4jMigration"}, plan

"""Neo4j finds what a query names through an index."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.transfer.kinds import KINDS, NodeKind
from graphpalace.store.connection.queries import query
from graphpalace.store.pheromones.decay import SEED_STATEMENTS
from graphpalace.store.transfer.imports import edge_query
from graphpalace.store.transfer.reading import edge_literals, node_literals

_CYPHER = Path(__file__).resolve().parents[2] / "cypher"
NAMES = sorted(
    str(path.relative_to(_CYPHER).with_suffix(""))
    for path in _CYPHER.rglob("*.cypher")
    if path.relative_to(_CYPHER).parts[0] != "browser"  # for pasting; test_browser_favourites.py runs them
)
OF_A_KIND = {f"transfer/{name}" for name in ("list_nodes", "list_edges", "find_nodes", "create_edges", "create_links")}
WHOLE_GRAPH = {  # copies, keeps or empties the database
    "compact/list_nodes", "backup/list_nodes", "backup/delete_everything", "backup/count_contents",
}  # fmt: skip
SCHEMA_OR_SHOW = re.compile(r"\b(CREATE (FULLTEXT |VECTOR )?INDEX|DROP INDEX|CREATE CONSTRAINT|SHOW |awaitIndexes)")


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in NAMES
        if not SCHEMA_OR_SHOW.search(query(name).text)
        and name not in SEED_STATEMENTS
        and name not in WHOLE_GRAPH | OF_A_KIND
    ],
)
async def test_no_plan_looks_at_every_node(app: GraphPalace, palace: str, name: str) -> None:
    plan = await app.database.explain(palace, name)
    assert "AllNodesScan" not in plan
    # A palace's own drawers, and what there are few of, may be scanned.
    scans = set(re.findall(r"NodeByLabelScan[^:]*:(\w+)", plan))
    assert "RelationshipTypeScan" not in plan, plan
    assert scans <= {f"Drawer_{palace}", "Palace", "ApiKey", "__Neo4jMigration", "BackupGate", "Restore"}, plan


@pytest.mark.parametrize("file", KINDS)
async def test_no_plan_of_an_export_or_an_import_looks_at_every_node(app: GraphPalace, palace: str, file: str) -> None:
    kind = KINDS[file]
    if isinstance(kind, NodeKind):
        queries = {"transfer/list_nodes": node_literals(kind, palace)}
        if file not in ("pheromone_samples", "simulation_states"):  # have a query of their own
            queries["transfer/find_nodes"] = {"label": kind.label, "key": kind.key}
    else:
        name, literals = edge_query(kind)
        queries = {"transfer/list_edges": edge_literals(kind, palace), name: literals}
    for name, literals in queries.items():
        plan = await app.database.explain(palace, name, literals=literals)
        assert "AllNodesScan" not in plan
        assert set(re.findall(r"NodeByLabelScan[^:]*:(\w+)", plan)) <= {f"Drawer_{palace}", "Palace"}, plan

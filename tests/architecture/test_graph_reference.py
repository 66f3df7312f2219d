"""docs/reference/graph.md lists what the queries and migrations write to Neo4j: no more, and no less."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from tests.graph_writes import graph_writes

from graphpalace.domain.drawers.document import Publication
from graphpalace.domain.drawers.records import SaidIn
from graphpalace.domain.simulation.jobs import StoredJob
from graphpalace.domain.simulation.kept_simulation import StoredSimulation

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "graph.md").read_text("utf-8")
LISTED = {
    name: set(re.findall(r"`(\w+)`", row.rpartition(" | ")[2]))
    for row in PAGE.splitlines()
    for name in re.findall(r"^\| `(\w+)` \|", row)
}
RESERVED = set(re.findall(r"`(\w+)`", PAGE.partition("## Reserved")[2]))
WRITES = graph_writes()
# Properties that a query takes from a map, `SET s += $properties`; of Feedback, Search and Run,
# tests/integration/test_graph_reference.py reads them from the database.
MAPS = {
    "Closet": {one.name for one in fields(Publication)} | {"tags", "aliases"},
    "Drawer": {one.name for one in fields(SaidIn)} | {"imported"},
    "Simulation": {one.name for one in fields(StoredSimulation)} - {"held"},  # computed where it is read
    "SimulationJob": {one.name for one in fields(StoredJob)},
    "Deposit": set(),
    # Imported as they were exported.
    "Palace": set(),
    "HAS_DRAWER": set(),
    "HAS_CLOSET": set(),
    # Copied as they are when names are merged and split.
    "REFERENCES": set(),
    "MENTIONED": set(),
    "RELATES_TO": set(),
}
READ_FROM_THE_DATABASE = {"Feedback", "Search", "Run"}
NEVER_SET = {"ANSWERED_BY": {"current_cost"}}  # the same statement sets it on other edges; here it would be null


def test_every_label_and_relationship_type_of_queries_and_migrations_is_listed_and_no_other() -> None:
    assert LISTED.keys() | RESERVED == WRITES.mentioned


def test_what_is_listed_is_created_by_some_query_and_what_is_reserved_by_none() -> None:
    assert LISTED.keys() == WRITES.created
    assert not RESERVED & WRITES.created


@pytest.mark.parametrize("name", sorted(LISTED.keys() - READ_FROM_THE_DATABASE))
def test_the_properties_that_are_listed_are_those_that_are_written(name: str) -> None:
    written = WRITES.properties.get(name, set()) | MAPS.get(name, set())
    assert LISTED[name] == written - NEVER_SET.get(name, set())


def test_every_label_that_takes_a_map_of_properties_is_known_here() -> None:
    assert WRITES.maps == MAPS.keys() | READ_FROM_THE_DATABASE


@pytest.mark.parametrize("name", sorted(READ_FROM_THE_DATABASE))
def test_what_a_query_sets_by_name_is_listed_where_a_map_sets_the_rest(name: str) -> None:
    assert LISTED[name] >= WRITES.properties[name]

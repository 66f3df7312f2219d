"""What a query file becomes before Neo4j reads it."""

from __future__ import annotations

import pytest

from graphpalace.store.connection.queries import query


def test_the_name_of_the_palace_stands_in_labels() -> None:
    assert "(d:Drawer_garden)" in query("search/load_vectors").of_palace("garden")


def test_a_query_about_one_palace_is_refused_where_none_is_named() -> None:
    with pytest.raises(ValueError, match="search/load_vectors is about one palace"):
        query("search/load_vectors").of_palace(None)


def test_a_query_about_all_palaces_needs_no_name() -> None:
    assert "MATCH (p:Palace)" in query("palaces/list_names").of_palace(None)


def test_all_parameters_are_values_of_one_map_so_that_their_types_and_sizes_make_no_plans() -> None:
    found = query("rooms/read_language")
    assert "$texts" in found.text
    assert found.parameters == {"palace", "wing_id", "texts", "chars"}
    sent = found.of_palace("garden")
    assert "$given.texts" in sent
    assert sent.count("$") == sent.count("$given.")


def test_a_query_that_begins_by_locking_its_palace_is_known_by_its_text() -> None:
    assert query("pheromones/deposit").holds_palace
    assert query("writes/begin_write").holds_palace
    assert not query("learning/keep_searches").holds_palace  # it deletes something first
    assert not query("palaces/list_names").holds_palace

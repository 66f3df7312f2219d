"""A topic has one word in every layer: who knows it in one finds it in the others."""

from __future__ import annotations

from pathlib import Path

import pytest

import graphpalace

ROOT = Path(graphpalace.__file__).parent

TOPICS = {
    "access", "conversations", "drawers", "forgetting", "hooks", "knowledge", "learning", "palaces", "pheromones",
    "rerank", "runs", "search", "simulation", "transfer", "wake_up", "walking",
}  # fmt: skip

# What is no topic, but has a part of its own in a layer, each with the reason.
NO_TOPIC = {
    "domain": {
        # Every topic uses these.
        "deadline",  # by when a request has to be answered
        "field",  # what is said of a field of a value
        "identity",  # names, and ids that follow from them
        "moments",  # times that callers give
        "quoting",  # what is told to a model
        "texts",  # what is shown to people
        "value_reasons",  # what is wrong with a value
        "vectors",  # embeddings
        "write_key",  # the key of a write that may be sent again
        "backup",  # what the file of a whole database says of itself
        # The doors and the settings use it, and no operation does.
        "mcp_profiles",  # what a client of MCP can choose
    },
    "operations": {
        "backup",  # writes and restores a whole database, whatever topics are in it
        "history",  # what several topics write and read: searches and keyed requests of the last hours
        "reembedding",  # changes all topics' vectors at once, and therefore stands above them
    },
    "store": {
        "backup",  # reads and fills a whole database
        "connection",  # the driver, transactions and the schema, on which all topics stand
        "struck",  # takes drawers out of what several topics remember of them
        "graph_copy",  # copies a whole database, whatever topics are in it
    },
    "serve/http": {
        "limits",  # how much is asked at once, and for how long, before any route
        "pages",  # the pages for people, and the links to them
        "process",  # the life of the service
    },
}  # fmt: skip
# Layers whose loose modules are rooms too: a topic that needs one module has no folder there.
MODULES_ARE_ROOMS = {"domain", "operations", "store"}


def rooms_of(layer: str) -> set[str]:
    """Return the names of the rooms of a layer."""
    folder = ROOT / layer
    rooms = {path.parent.name for path in folder.glob("*/__init__.py")}
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"} if layer in MODULES_ARE_ROOMS else set()
    return rooms | modules


@pytest.mark.parametrize("layer", NO_TOPIC)
def test_every_room_has_the_word_of_its_topic(layer: str) -> None:
    assert sorted(rooms_of(layer) - TOPICS - NO_TOPIC[layer]) == []


@pytest.mark.parametrize("layer", NO_TOPIC)
def test_what_is_said_to_be_no_topic_is_there_and_is_none(layer: str) -> None:
    assert sorted(NO_TOPIC[layer] - rooms_of(layer)) == []
    assert sorted(NO_TOPIC[layer] & TOPICS) == []


def test_every_topic_has_operations() -> None:
    assert sorted(TOPICS - rooms_of("operations")) == []

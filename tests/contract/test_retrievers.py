"""Retrievers of LangChain, LlamaIndex and neo4j-graphrag over a palace, with the real packages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from neo4j import Driver, GraphDatabase
from neo4j_graphrag.embeddings.base import Embedder
from neo4j_graphrag.retrievers import HybridRetriever, VectorCypherRetriever, VectorRetriever

from graphpalace import Palace
from graphpalace.app import GraphPalace
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.errors import EmptyQuery, InvalidInput, NotFound
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.retrievers.langchain import GraphPalaceRetriever as LangChainRetriever
from graphpalace.retrievers.llama_index import GraphPalaceRetriever as LlamaIndexRetriever
from graphpalace.settings.load import Settings
from graphpalace.store.connection.schema import migrations
from tests.words import WordEmbedder

_TEXTS = {"keys": "The door code is 4711.", "garden": "Prune the roses in late winter.", "attic": "C++ (and C) manuals"}


@pytest.fixture
async def stored(app: GraphPalace, palace: str) -> str:
    """The name of a palace with three texts, each in a room of its own."""
    for room, text in _TEXTS.items():
        await app.drawers.add(palace, NewDrawer(text=text, wing="home", room=room))
    return palace


async def test_langchain_finds_documents_and_can_say_which_helped(
    settings: Settings, app: GraphPalace, stored: str
) -> None:
    async with AsyncPalace.open(stored, settings, embedder=WordEmbedder()) as palace:
        retriever = LangChainRetriever(palace=palace, search={"wing": "home", "top_k": 2})
        found = await retriever.ainvoke("the door code")
        assert found[0].page_content == _TEXTS["keys"]
        assert len(found) <= 2
        said = found[0].metadata
        assert (said["wing"], said["room"], said["id"]) == ("home", "keys", found[0].id)
        assert (await palace.open_drawer(said["id"], run=said["run"])).counted is True
        with pytest.raises(InvalidInput, match="AsyncPalace"):
            retriever.invoke("the door code")
        with pytest.raises(NotFound, match="nowhere"):
            await LangChainRetriever(palace=palace, search={"wing": "nowhere"}).ainvoke("x")
        with pytest.raises(EmptyQuery):
            await retriever.ainvoke(" ")


async def test_llama_index_finds_nodes_with_scores(settings: Settings, app: GraphPalace, stored: str) -> None:
    with Palace.open(stored, settings, embedder=WordEmbedder()) as palace:
        retriever = LlamaIndexRetriever(palace, top_k=1)
        found = await retriever.aretrieve("when to prune roses")
        assert [node.text for node in found] == [_TEXTS["garden"]]
        assert found[0].score is not None
        assert found[0].metadata["room"] == "garden"


def test_both_retrievers_can_be_asked_without_asyncio(settings: Settings, stored: str) -> None:
    with Palace.open(stored, settings, embedder=WordEmbedder()) as palace:
        assert LangChainRetriever(palace=palace).invoke("roses in winter")[0].page_content == _TEXTS["garden"]
        assert LlamaIndexRetriever(palace).retrieve("the door code")[0].text == _TEXTS["keys"]


class _Words(Embedder):
    """The tests' embedding model, as neo4j-graphrag takes one."""

    def embed_query(self, text: str) -> list[float]:
        return WordEmbedder().embed([text])[0].tolist()


@pytest.fixture
def driver(settings: Settings, app: GraphPalace) -> Iterator[Driver]:
    database = app.database
    section = settings.neo4j
    user, password = section.user, section.password.get_secret_value()
    if not section.uri:
        from graphpalace.app import managed_server

        server = managed_server(settings)
        user, password = server.user, server.password
    with GraphDatabase.driver(database.uri, auth=(user, password)) as opened:
        yield opened


def test_neo4j_graphrag_reads_a_palace_as_it_is(driver: Driver, stored: str) -> None:
    shown = ["id", "text"]
    by_vector = VectorRetriever(driver, f"drawer_vector_{stored}", _Words(), return_properties=shown)
    assert _TEXTS["keys"] in by_vector.search(query_text="door code", top_k=1).items[0].content

    both = HybridRetriever(
        driver, f"drawer_vector_{stored}", f"drawer_stems_{stored}", _Words(), return_properties=shown
    )
    found = both.search(query_text=r"C\+\+ manuals \(and C\)", top_k=1)  # Lucene's characters are escaped
    assert _TEXTS["attic"] in found.items[0].content

    along = VectorCypherRetriever(
        driver,
        f"drawer_vector_{stored}",
        "MATCH (node)<-[:HAS_DRAWER]-(:Closet)<-[:HAS_CLOSET]-(room:Room) RETURN node.text AS text, room.name AS room",
        _Words(),
    )
    assert "garden" in along.search(query_text="prune roses", top_k=1).items[0].content


@pytest.mark.parametrize(
    ("filters", "rooms"),
    [
        ({"wing": "home"}, {"keys", "garden", "attic"}),
        ({"wing": "another"}, set()),
        ({"wing": "home", "room": "garden"}, {"garden"}),
        ({"room": {"$in": ["keys", "attic"]}}, {"keys", "attic"}),
        ({"wing": {"$ne": "home"}}, set()),
    ],
)
def test_neo4j_graphrag_filters_by_the_names_of_wings_and_rooms(
    driver: Driver, stored: str, filters: dict[str, Any], rooms: set[str]
) -> None:
    by_vector = VectorRetriever(driver, f"drawer_vector_{stored}", _Words(), return_properties=["room"])
    found = by_vector.search(query_vector=_Words().embed_query("door code"), top_k=5, filters=filters).items
    assert {room for item in found for room in _TEXTS if room in str(item.content)} == rooms


def test_the_query_of_neo4j_graphrag_can_filter_by_the_names_of_places(driver: Driver, stored: str) -> None:
    query = "WITH node, score WHERE node.wing = 'home' AND node.room <> 'keys' RETURN node.text AS text"
    along = VectorCypherRetriever(driver, f"drawer_vector_{stored}", query, _Words())
    found = along.search(query_text="door code", top_k=5).items
    assert len(found) == 2
    assert not any(_TEXTS["keys"] in item.content for item in found)


async def test_drawers_of_before_get_the_names_of_their_places(app: GraphPalace, stored: str) -> None:
    def of_drawers(nodes: Any) -> set[tuple[str, str]]:
        drawers = [node["properties"] for node in nodes if "Drawer" in node["labels"]]
        return {(drawer.get("wing"), drawer.get("room")) for drawer in drawers}

    await app.database.write(stored, "tests/forget_places")
    assert of_drawers(await app.database.read(stored, "tests/all_nodes")) == {(None, None)}
    (migration,) = [one for one in migrations() if one.description == "names_of_places"]
    for statement in migration.statements * 2:
        await app.database.run_statement(statement)
    assert of_drawers(await app.database.read(stored, "tests/all_nodes")) == {("home", room) for room in _TEXTS}

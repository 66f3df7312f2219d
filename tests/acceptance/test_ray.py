"""Commands whose reading, embedding and names are computed by a Ray cluster of two nodes on this machine."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import sys
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from graphpalace.app import GraphPalace
from graphpalace.errors import NotFound
from graphpalace.store.knowledge.name_reading import NameReadingStore
from tests.acceptance.commands import Ran, environ_of
from tests.graphs import differences, edges_of, nodes_of
from tests.ray_cluster import Nodes, command, two_nodes

Graph = tuple[list[dict[str, Any]], ...]  # nodes and edges
_PEOPLE = ("Ada Lovelace", "Grace Hopper", "Alan Turing", "Mary Shelley", "Jane Austen", "Emmy Noether")
_ENDS_S = 200
_SLOW_S = 0.1  # for each text, so that commands can be killed
_DRAWERS = 480


@pytest.fixture
async def palace(app: GraphPalace) -> AsyncIterator[str]:
    """The name of a palace that the first command creates."""
    name = f"cliray{uuid.uuid4().hex[:8]}"
    yield name
    with suppress(NotFound):
        await app.drop_palace(name)


@pytest.fixture
def environ(neo4j_settings: dict[str, object], palace: str) -> dict[str, str]:
    own = {"GRAPHPALACE_EMBEDDINGS__MODEL": "all-MiniLM-L6-v2", "GRAPHPALACE_ENTITIES__RECOGNISER": "rules"}
    return environ_of(neo4j_settings, palace) | own


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Notes in two formats, some of which are read in a process of their own, and one that cannot be read."""
    words, rng = [f"word{number}" for number in range(60)], random.Random(7)
    for number in range(24):
        below = tmp_path / "in" / f"topic{number % 3}"
        below.mkdir(parents=True, exist_ok=True)
        said = [
            f"# Section {number} {part}\n\n{rng.choice(_PEOPLE)} and {rng.choice(_PEOPLE)} say: "
            + " ".join(rng.choices(words, k=90))
            for part in range(20)
        ]
        name, text = (f"{number}.html", "<p>" + "</p><p>".join(said)) if number % 4 == 0 else (f"{number}.md", "")
        (below / name).write_text(text or "\n\n".join(said))
    (tmp_path / "in" / "topic0" / "broken.pdf").write_bytes(b"%PDF-1.4 nothing follows")
    return tmp_path / "in"


@pytest.fixture
async def undisturbed(app: GraphPalace, palace: str, environ: dict[str, str], folder: Path) -> Graph:
    """The palace that an ingest in its own process makes of the notes; it is dropped again."""
    _ended(command(environ, "ingest", folder, "--wing", "w", "--json", "--in-process"))
    made = await _graph(app, palace)
    await app.drop_palace(palace)
    return made


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    with two_nodes() as started:
        yield started


async def _graph(app: GraphPalace, palace: str) -> Graph:
    """Return the nodes and edges, without the number of changes of the model that the palace counts."""
    nodes = [
        {key: value for key, value in node.items() if key != "forgot"} for node in await nodes_of(app.database, palace)
    ]
    return nodes, await edges_of(app.database, palace)


def _the_same(one: Graph, other: Graph) -> None:
    for rows, wanted in zip(one, other, strict=True):
        assert differences(rows, wanted) == []
        assert len(rows) == len(wanted)


def _unlinked(graph: Graph) -> Graph:
    nodes, edges = graph
    return nodes, [edge for edge in edges if edge["type"] != "SIMILAR_TO"]


def _links(graph: Graph) -> set[tuple[frozenset[str], float]]:
    """Return which drawers are similar, and how much, whichever of the two was linked to the other."""
    return {
        (frozenset((edge["from"], edge["to"])), edge["similarity"]) for edge in graph[1] if edge["type"] == "SIMILAR_TO"
    }


def _vectors(graph: Graph) -> set[bytes]:
    return {node["embedding"] for node in graph[0] if node["labels"] == ["Drawer"]}


async def _stored(app: GraphPalace, palace: str) -> int:
    return sum(each.drawers for each in await app.list_palaces() if each.name == palace)


def _ended(started: Any, *, code: int = 0) -> tuple[str, str]:
    out, err = started.communicate(timeout=_ENDS_S)
    assert started.returncode == code, err
    return out, err


async def test_a_cluster_makes_the_palace_that_this_process_makes(
    app: GraphPalace, palace: str, environ: dict[str, str], folder: Path, nodes: Nodes
) -> None:
    words = ("ingest", folder, "--wing", "w", "--json")
    here = json.loads(_ended(command(environ, *words, "--in-process"))[0])
    alone = await _graph(app, palace)
    await app.drop_palace(palace)
    out, _ = _ended(command(environ, *words, "--ray", nodes.address))
    report = json.loads(out)
    assert report["documents_stored"] == 24
    assert {**report, "seconds": 0, "slow_seconds": 0} == {**here, "seconds": 0, "slow_seconds": 0}
    together = await _graph(app, palace)
    _the_same(together, alone)
    assert {"Ada Lovelace", "Jane Austen"} <= {node["name"] for node in together[0] if "Entity" in node["labels"]}

    again = json.loads(_ended(command(environ, *words, "--ray", nodes.address))[0])
    assert (again["documents_stored"], again["documents_unchanged"]) == (0, 24)

    built = json.loads(_ended(command(environ, "names", "build", "--again", "--json", "--ray", nodes.address))[0])
    assert built["read"] == await _stored(app, palace)
    _the_same(await _graph(app, palace), alone)

    other = environ | {"GRAPHPALACE_EMBEDDINGS__MODEL": "all-MiniLM-L6-v2-q"}
    done = json.loads(_ended(command(other, "reembed", "--json", "--ray", nodes.address))[0])
    assert (done["model"], done["embedded"]) == ("all-MiniLM-L6-v2-q", built["read"])
    assert not _vectors(await _graph(app, palace)) & _vectors(alone)
    _ended(command(environ, "reembed", "--ray", nodes.address))
    # An ingest links the drawers of one moment in the order of the files, and this command in that of their ids.
    _the_same(_unlinked(await _graph(app, palace)), _unlinked(alone))


@pytest.mark.chaos
@pytest.mark.timeout(600)
async def test_nothing_is_lost_or_doubled_if_the_command_and_then_a_node_are_killed(
    app: GraphPalace, palace: str, environ: dict[str, str], folder: Path, undisturbed: Graph, nodes: Nodes
) -> None:
    words = ("ingest", folder, "--wing", "w", "--json", "--ray", nodes.address)
    killed = command(environ, *words, text_s=_SLOW_S)
    await _begun(app, palace, killed)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    first = await _stored(app, palace)
    assert 0 < first < _DRAWERS
    goes_on = command(environ, *words, text_s=_SLOW_S)
    await _begun(app, palace, goes_on, beyond=first)
    nodes.kill_other()
    report = json.loads(_ended(goes_on)[0])
    assert 0 < report["drawers_created"] < _DRAWERS
    _the_same(await _graph(app, palace), undisturbed)


@pytest.mark.chaos
@pytest.mark.timeout(600)
async def test_a_command_whose_cluster_is_gone_says_so_and_goes_on_with_another_one(
    app: GraphPalace, palace: str, environ: dict[str, str], folder: Path, undisturbed: Graph, nodes: Nodes
) -> None:
    words = ("ingest", folder, "--wing", "w", "--json")
    left = command(environ, *words, "--ray", nodes.address, text_s=_SLOW_S)
    await _begun(app, palace, left)
    nodes.kill_head()
    out, err = _ended(left, code=11)
    assert out == ""
    assert f"the Ray cluster at {nodes.address} is gone" in err
    assert "run the same command again to go on" in err
    assert 0 < await _stored(app, palace) < _DRAWERS
    with two_nodes() as others:
        _ended(command(environ, *words, "--ray", others.address))
    _the_same(await _graph(app, palace), undisturbed)


@pytest.mark.chaos
@pytest.mark.timeout(600)
async def test_all_vectors_are_new_though_the_command_and_then_a_node_are_killed(
    app: GraphPalace, palace: str, environ: dict[str, str], folder: Path, nodes: Nodes
) -> None:
    other = environ | {"GRAPHPALACE_EMBEDDINGS__MODEL": "all-MiniLM-L6-v2-q"}
    _ended(command(environ, "ingest", folder, "--wing", "w", "--in-process"))
    _ended(command(other, "reembed", "--in-process"))
    wanted = await _graph(app, palace)
    _ended(command(environ, "reembed", "--in-process"))
    words = ("reembed", "--json", "--ray", nodes.address)
    killed = command(other, *words, text_s=_SLOW_S)
    left = await _embedded(app, palace, killed, below=_DRAWERS)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    goes_on = command(other, *words, text_s=_SLOW_S)
    await _embedded(app, palace, goes_on, below=left)
    nodes.kill_other()
    report = json.loads(_ended(goes_on)[0])
    assert 0 < report["embedded"] < _DRAWERS
    found = await _graph(app, palace)
    _the_same(_unlinked(found), _unlinked(wanted))
    assert _links(found) == _links(wanted)


@pytest.mark.chaos
@pytest.mark.timeout(600)
async def test_all_names_are_read_once_though_the_command_and_then_a_node_are_killed(
    app: GraphPalace, palace: str, environ: dict[str, str], folder: Path, undisturbed: Graph, nodes: Nodes
) -> None:
    off = environ | {"GRAPHPALACE_ENTITIES__RECOGNISER": "off"}
    _ended(command(off, "ingest", folder, "--wing", "w", "--in-process"))
    words = ("names", "build", "--json", "--ray", nodes.address)
    killed = command(environ, *words, text_s=_SLOW_S)
    left = await _names_read(app, palace, killed, below=_DRAWERS)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    goes_on = command(environ, *words, text_s=_SLOW_S)
    await _names_read(app, palace, goes_on, below=left)
    nodes.kill_other()
    report = json.loads(_ended(goes_on)[0])
    assert 0 < report["read"] <= left
    _the_same(await _graph(app, palace), undisturbed)


async def _names_read(app: GraphPalace, palace: str, started: Any, *, below: int) -> int:
    """Wait until names are read from some drawers, but not from all, and return how many are left."""
    until = time.monotonic() + _ENDS_S
    while True:
        if 0 < (left := await NameReadingStore(app.database).due(palace)) < below:
            return left
        assert started.poll() is None, started.communicate()
        assert time.monotonic() < until
        await asyncio.sleep(0.1)


async def _embedded(app: GraphPalace, palace: str, started: Any, *, below: int) -> int:
    """Wait until fewer drawers lack a new vector, and return how many do."""
    until = time.monotonic() + _ENDS_S
    while True:
        (row,) = await app.database.read(palace, "reembedding/list_pending")
        if row["drawers"] > len(row["ids"]) < below:
            return len(row["ids"])
        assert started.poll() is None, started.communicate()
        assert time.monotonic() < until
        await asyncio.sleep(0.1)


async def _begun(app: GraphPalace, palace: str, started: Any, *, beyond: int = 0) -> None:
    """Wait until a command has stored more drawers than there were."""
    until = time.monotonic() + _ENDS_S
    while await _stored(app, palace) <= beyond:
        assert started.poll() is None, started.communicate()
        assert time.monotonic() < until
        await asyncio.sleep(0.1)


def test_an_address_without_a_cluster_is_told_before_anything_is_stored(here: Callable[..., Ran], folder: Path) -> None:
    for words in (("ingest", folder, "--wing", "w"), ("reembed",), ("names", "build")):
        ran = here(*words, "--ray", "127.0.0.1:1")
        assert ran.code == 11
        assert "the Ray cluster at 127.0.0.1:1 cannot be joined" in ran.err
    ran = here("reembed", "--ray", "ray://head:10001")
    assert ran.code == 2
    assert "--ray is 'ray://head:10001'; it must be auto, or HOST:PORT of the cluster's head" in ran.err
    ran = here("reembed", "--ray", "127.0.0.1:1", GRAPHPALACE_EMBEDDINGS__DEVICE="cuda")
    assert ran.code == 2


def test_without_ray_the_error_names_the_extra(
    here: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    ran = here("ingest", folder, "--wing", "w", "--ray", "auto")
    assert ran.code == 2
    assert "pip install 'graphpalace[ray]'" in ran.err

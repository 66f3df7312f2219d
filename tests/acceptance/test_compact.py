"""What was deleted is in none of the database's files after `compact`."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.forgetting import ForgetChoice
from graphpalace.domain.search.request import SearchRequest
from graphpalace.error_codes import EXIT
from graphpalace.errors import Conflict
from graphpalace.managed_neo4j import folder as fresh_store
from graphpalace.managed_neo4j.server import ManagedServer
from graphpalace.settings.load import Settings
from tests.acceptance.commands import Ran, apart, environ_of, printed
from tests.own_server import server_section
from tests.words import WordEmbedder

SECRET = "xylozanthophage"  # one word, so that an index has it as one term
LONG = "The treasure of the island lies under the third palm, said the captain. " * 40
OTHER = "The ferry leaves at nine."


def settings_in(folder: Path) -> Settings:
    quiet = {"ingest": {"settle_after_s": 0}, "entities": {"recogniser": "off"}}
    return Settings(neo4j=server_section(folder), **quiet)  # pyright: ignore[reportArgumentType]


def files_with(folder: Path, word: str) -> set[str]:
    """Return the files that have a word: as UTF-8 or UTF-16, in either byte order and either case, or compressed."""
    forms = [
        form.encode(code) for form in (word, word.lower(), word.title()) for code in ("utf-8", "utf-16-le", "utf-16-be")
    ]
    found = set[str]()
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes().rstrip(b"\0")  # logs of transactions are as long as they may become
            if any(form in data for form in forms) or any(form in text for text in inflated(data) for form in forms):
                found.add(str(path.relative_to(folder)))
    return found


def inflated(data: bytes) -> list[bytes]:
    """Return what zlib reads from each place where a compressed stream may begin."""
    found, at = list[bytes](), -1
    while (at := data.find(b"\x78\x9c", at + 1)) >= 0:
        try:
            found.append(zlib.decompressobj().decompress(data[at : at + 1_000_000]))
        except zlib.error:
            continue
    return found


async def graph_of(palace: GraphPalace) -> tuple[dict[str, Any], list[tuple[Any, ...]], set[str]]:
    """Return all nodes by their properties, all relationships between them, and the schema."""
    nodes: dict[str, Any] = {}
    async for row in palace.database.stream(None, "compact/list_nodes"):
        kept = {key: value for key, value in row["properties"].items() if not key.endswith("revision")}
        nodes[row["id"]] = (tuple(sorted(row["labels"])), tuple(sorted(kept.items(), key=str)))
    edges = list[tuple[Any, ...]]()
    async for row in palace.database.stream(None, "compact/list_relationships"):
        properties = tuple(sorted(row["properties"].items(), key=str))
        edges.append((nodes[row["source"]], row["type"], nodes[row["target"]], properties))
    schema = {
        row["statement"]
        for name in ("compact/list_index_statements", "compact/list_constraint_statements")
        for row in await palace.database.read(None, name)
    }
    return {str(value): value for value in nodes.values()}, sorted(edges, key=str), schema


@pytest.fixture
def server(tmp_path: Path) -> Any:
    managed = wiring.managed_server(settings_in(tmp_path))
    managed.up(timeout_s=180)
    yield managed
    managed.down()


@pytest.fixture
def command(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Ran]]:
    """Run `graphpalace` for the folder. What it left running is stopped in the end."""
    section = settings_in(tmp_path).neo4j
    environ = environ_of({name: getattr(section, name) for name in ("data_dir", "cache_dir", "heap_mb")}) | {
        "GRAPHPALACE_NEO4J__BOLT_PORT": "0",
        "GRAPHPALACE_NEO4J__HTTP_PORT": "0",
        "GRAPHPALACE_SERVICE__PORT": "0",
        "GRAPHPALACE_EMBEDDINGS__BASE_URL": "http://127.0.0.1:9/v1",  # no model has to be loaded
        "GRAPHPALACE_EMBEDDINGS__MODEL": WordEmbedder.name,
    }
    run = partial(apart, environ, tmp_path_factory.mktemp("cwd"))
    yield run
    assert run("down").code == 0


@pytest.mark.chaos
@pytest.mark.timeout(600)  # it starts several servers, which is slow on a busy machine
async def test_a_forgotten_text_is_in_no_file_after_compact_and_all_else_is_as_it_was(
    command: Callable[..., Ran], tmp_path: Path
) -> None:
    settings = settings_in(tmp_path)
    nothing = command("compact", "--yes")
    assert (nothing.code, "there is no database" in nothing.err) == (EXIT["CONFLICT"], True)
    up = command("up")
    assert up.code == 0, up.err
    async with wiring.opened(settings, embedder=WordEmbedder()) as palace:
        first = await palace.drawers.add("main", NewDrawer(text=f"The word is {SECRET}. {LONG}", wing="home"))
        await palace.drawers.add("main", NewDrawer(text=OTHER, wing="home", title="Harbour"))
        answer = await palace.recall.search("main", SearchRequest(query=f"what is {SECRET}"))
        await palace.learning.feedback.give("main", run=answer.run, useful={first.drawer.id: 1.0})
        await palace.history.searches.flush()
        await palace.forgetting.forget("main", ForgetChoice(drawers=[first.drawer.id]))
        before = await graph_of(palace)
    assert files_with(tmp_path, SECRET), "the test must find what it looks for where it is"
    assert command("compact").code != 0  # nobody says yes

    found = printed(command("compact", "--yes", "--json"))

    assert command("service", "status").code == 0
    assert files_with(tmp_path, SECRET) == set()
    assert {path.name for path in (tmp_path / "neo4j").iterdir()}.isdisjoint({"data.old", "compacting"})
    async with wiring.opened(settings, embedder=WordEmbedder()) as palace:
        assert await graph_of(palace) == before
        assert (found["nodes"], found["relationships"]) == (len(before[0]), len(before[1]))
        assert [hit.text for hit in (await palace.recall.search("main", SearchRequest(query="ferry"))).hits] == [OTHER]
        await palace.drawers.add("main", NewDrawer(text="It can be written to.", wing="home"))


@pytest.mark.chaos
async def test_a_compact_that_is_cut_off_leaves_the_old_store(server: ManagedServer, tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    async with wiring.opened(settings, embedder=WordEmbedder()) as palace:
        kept = await palace.drawers.add("main", NewDrawer(text=OTHER, wing="home"))

    def fails(_old: str, _new: str, _password: str) -> None:
        raise RuntimeError("the power is gone")

    with pytest.raises(RuntimeError, match="power"):
        server.compact(fails)
    data = tmp_path / "neo4j" / "data"
    fresh_store.draft_folder(tmp_path / "neo4j").mkdir()
    data.rename(data.with_name("data.old"))  # as if it had been cut off between the two renames
    server.up(timeout_s=180)
    async with wiring.opened(settings, embedder=WordEmbedder()) as palace:
        assert (await palace.drawers.read("main", kept.drawer.id)).text == OTHER
    assert {path.name for path in data.parent.iterdir()}.isdisjoint({"data.old", "compacting"})
    server.down()
    shutil.rmtree(data)
    with pytest.raises(Conflict, match="no database"):
        wiring.compact(settings)


def test_the_files_of_another_neo4j_are_its_administrators() -> None:
    with pytest.raises(Conflict, match="administrator"):
        wiring.compact(Settings(neo4j={"uri": "bolt://example.org"}))  # pyright: ignore[reportArgumentType]

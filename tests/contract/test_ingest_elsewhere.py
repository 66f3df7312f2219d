"""Files that the service may not or cannot read are read by the client, and come to the same."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphpalace import Palace
from graphpalace.app import GraphPalace
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.domain.drawers.ingest import IngestReport
from graphpalace.errors import Forbidden
from graphpalace.settings.load import Settings
from tests import transcripts
from tests.acceptance.served import changed, failure, served
from tests.graphs import edges_of, nodes_of
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

_PROOF = "a proof that only the file has"


@pytest.fixture(scope="module")
def elsewhere(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a service answers that may read no files but those of one folder."""
    allowed = (str(tmp_path_factory.mktemp("allowed")),)
    with served(changed(settings, ingest={"folders": allowed}, conversations={"folders": allowed})) as client:
        yield str(client.base_url)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A vault of notes with links, odd names, a transcript, tables, code, and what is left out."""
    root = tmp_path / "vault"
    for folder in ("garden", "kitchen", ".obsidian", "node_modules"):
        (root / folder).mkdir(parents=True)
    (root / "garden" / "roses.md").write_text(
        "---\ntags: [flower]\naliases: [Rosa]\n---\n# Roses\n\nPrune in winter.\n"
    )
    (root / "kitchen" / "bread 100% #1.md").write_text("# Bread\n\nFeed the starter at 8.\n")
    (root / "kitchen" / "prices.csv").write_text("what,price\nflour,2\nsalt,1\n")
    (root / "garden" / "pump.py").write_text("def start(pump):\n    return pump.turn_on()\n")
    (root / "kitchen" / "soup.html").write_text("<h1>Soup</h1><p>Simmer the lentils.</p>")
    (root / "garden" / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (root / "garden" / "picture.bin").write_bytes(bytes(range(256)))
    (root / "node_modules" / "left.md").write_text("# Left out\n\nNot stored.\n")
    (root / "linked.md").symlink_to(root / "garden" / "roses.md")
    (root / "outside.md").symlink_to("/etc/hostname")
    Path(os.fsdecode(os.fsencode(root / "garden") + b"/caf\xe9.md")).write_text("# Cafe\n\nOpens at nine.\n")
    odd = Path(os.fsdecode(os.fsencode(root) + b"/ca\xe9 bar"))
    odd.mkdir()
    (odd / "menu.md").write_text("# Menu\n\nTea and cake.\n")
    (root / "talk.jsonl").write_bytes(transcripts.lines(transcripts.CLAUDE_CODE))
    return root


@pytest.fixture
async def pair(settings: Settings, app: GraphPalace, elsewhere: str) -> AsyncIterator[tuple[AsyncPalace, AsyncPalace]]:
    """A palace of this process, and one of a service that does not read this machine's files."""
    names = [spare_name(), spare_name()]
    for name in names:
        await app.create_palace(name)
    async with (
        AsyncPalace.open(names[0], settings, embedder=WordEmbedder()) as here,
        AsyncPalace.connect(elsewhere, name=names[1]) as there,
    ):
        yield here, there
    for name in names:
        await app.drop_palace(name)


async def both(pair: tuple[AsyncPalace, AsyncPalace], app: GraphPalace, *paths: Path, **choices: Any) -> dict[str, Any]:
    """Ingest into both palaces; return the report, which is the same, as what is stored is."""
    reports = [await door.ingest(paths, wing="notes", **choices) for door in pair]
    here, there = [_compared(report) for report in reports]
    assert there == here
    contents = [await _stored(app, str(door._link.palace)) for door in pair]
    for kind in ("nodes", "edges"):
        assert Counter(contents[1][kind]) - Counter(contents[0][kind]) == Counter()
        assert len(contents[1][kind]) == len(contents[0][kind])
    return here


def _compared(report: IngestReport) -> dict[str, Any]:
    return {name: value for name, value in report.as_json().items() if name not in ("seconds", "slow_seconds")}


async def _stored(app: GraphPalace, palace: str) -> dict[str, list[str]]:
    """Return what a palace holds, by what is the same in every palace: ids are not, nor the keys of requests."""
    nodes = await nodes_of(app.database, palace)
    names = {node["id"]: _known_by(node) for node in nodes if not {"Palace", "WriteKey"} & {*node["labels"]}}
    edges = await edges_of(app.database, palace)
    ends = [
        (edge["type"], *sorted((names[edge["from"]], names[edge["to"]]))) for edge in edges if edge["from"] in names
    ]
    return {"nodes": sorted(names.values()), "edges": sorted(map(str, ends))}


def _known_by(node: dict[str, Any]) -> str:
    shown = {key: node[key] for key in sorted(node) if key in _SAME or key == "labels"}
    return str(shown)


_SAME = {"text", "name", "title", "source_uri", "content_hash", "media_type", "headings", "start_line", "end_line",
         "tags", "aliases", "author", "hall_type", "wing_type", "language", "position", "room", "wing"}  # fmt: skip


async def test_files_are_found_read_stored_moved_and_pruned_as_in_this_process(
    pair: tuple[AsyncPalace, AsyncPalace], app: GraphPalace, files: Path
) -> None:
    first = await both(pair, app, files)
    assert (first["documents_stored"], first["documents_unchanged"]) == (8, 0)
    assert first["skipped"] == {
        "binary": 1, "excluded folder": 1, "hidden folder": 1, "link out of the folder": 1,
    }  # fmt: skip
    assert ["broken.pdf is not a readable PDF" in message for message in first["unreadable"]] == [True]
    again = await both(pair, app, files)
    assert (again["documents_stored"], again["documents_unchanged"], again["gone"]) == (0, 8, [])

    (files / "kitchen").rename(files / "galley")
    (files / "garden" / "roses.md").rename(files / "roses moved.md")
    pump = files / "garden" / "pump.py"
    pump.write_text(pump.read_text() + "\n\ndef stop(pump):\n    return pump.turn_off()\n")
    (files / "talk.jsonl").unlink()
    moved = await both(pair, app, files, rooms="headings", max_files=4, windows=[20, 40])
    assert moved["documents_moved"] > 0
    assert moved["skipped"]["over max_files"] > 0
    (files / "galley" / "prices.csv").unlink()
    gone = await both(pair, app, files)
    assert gone["gone"] == [(files / "galley" / "prices.csv").as_uri()]
    for door in pair:
        assert await door.prune("notes", gone["gone"]) == 1
    assert (await both(pair, app, files))["gone"] == []


async def test_what_was_forgotten_of_a_conversation_is_filed_again_if_asked(
    pair: tuple[AsyncPalace, AsyncPalace], app: GraphPalace, files: Path
) -> None:
    talk = files / "talk.jsonl"
    stored = await both(pair, app, talk)
    assert stored["drawers_created"] > 0
    for door in pair:
        await door.forget(conversation=f"claude-code/{transcripts.SESSION}")
    assert (await both(pair, app, talk))["skipped"] == {"forgotten": 1}
    assert (await both(pair, app, talk, again=True))["drawers_created"] == stored["drawers_created"]
    filed = [await door.conversations.file(talk, wing="other") for door in pair]
    assert filed[0] is not None
    assert filed[0] == filed[1]


async def test_a_document_that_is_no_file_has_its_own_source(
    pair: tuple[AsyncPalace, AsyncPalace], app: GraphPalace, tmp_path: Path
) -> None:
    document = tmp_path / "watch.html"
    document.write_text("<p>The gates are shut at ten.</p>")
    await both(pair, app, document, uris={document: "stdin:watch.html"})
    document.write_text("<p>The gates are shut at eleven.</p>")
    report = await both(pair, app, document, uris={document: "stdin:watch.html"})
    assert (report["drawers_created"], report["drawers_removed"]) == (1, 1)


async def test_many_files_are_sent_in_several_requests(
    pair: tuple[AsyncPalace, AsyncPalace], app: GraphPalace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        folder = tmp_path / str(number % 3)
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.md").write_text(f"# Note {number}\n\n" + f"Text {number} of the ships. " * 40)
    monkeypatch.setattr("graphpalace.client.local_files._MOST_AT_ONCE", 7)
    progress: list[IngestReport] = []
    report = await both(pair, app, tmp_path, progress=progress.append)
    assert report["documents_stored"] == 60
    assert [one.files_total for one in progress] == [60] * len(progress)


def test_a_key_that_may_write_to_a_wing_may_store_files_of_its_owner_there(
    elsewhere: str, palace: str, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("# Ships\n\nShips sail the sea.\n")
    with Palace.connect(elsewhere, name=palace) as owner:
        key = owner.keys.create("Ann", [f"write:{palace}/mine"]).key
        with Palace.connect(elsewhere, key, name=palace) as door:
            assert door.ingest(tmp_path, wing="mine").documents_stored == 1
            with pytest.raises(Forbidden):
                door.ingest(tmp_path, wing="other")


def test_the_user_of_a_service_has_all_files_read_by_it(
    settings: Settings, palace: str, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sent(*_args: object, **_options: object) -> None:
        raise AssertionError("the files were read here and not by the service")

    monkeypatch.setattr("graphpalace.client.local_files.LocalFiles.__init__", sent)
    with served(settings, proof=_PROOF) as client:
        with Palace.connect(str(client.base_url), name=palace, proof=_PROOF) as door:
            assert door.ingest(files, wing="notes").documents_stored == 8
            assert door.conversations.file(files / "talk.jsonl", wing="notes") is not None
        body = {"palace": palace, "wing": "w", "paths": [str(files)]}
        for proof in ("", "another", None):
            failure(client.post("/v1/ingest", json=body | {"proof": proof}), 422, "VALIDATION_ERROR")

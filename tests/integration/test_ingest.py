"""Ingest on a real Neo4j: again, changed, gone, killed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests import transcripts
from tests.graphs import differences, edges_of, nodes_of

from graphpalace.app import GraphPalace
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import InvalidInput
from graphpalace.operations.drawers.ingest import Ingest
from graphpalace.operations.drawers.source_files import SourceFiles
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.ingest import IngestSettings

ROOT = Path(__file__).resolve().parents[2]


def _write_folder(root: Path, *, files: int = 12, sections: int = 6) -> Path:
    words = [f"word{number}" for number in range(60)]
    rng = random.Random(7)
    for number in range(files):
        folder = root / f"topic{number % 3}"
        folder.mkdir(parents=True, exist_ok=True)
        parts = [
            f"# Section {number} {part}\n\n" + " ".join(rng.choices(words, k=90)) + "\n" for part in range(sections)
        ]
        (folder / f"file{number:02}.md").write_text("\n".join(parts))
    return root


async def _graph(app: GraphPalace, palace: str) -> tuple[Any, Any]:
    return await nodes_of(app.database, palace), await edges_of(app.database, palace)


async def test_the_same_input_again_changes_nothing(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    folder = _write_folder(tmp_path / "in")
    first = await app.ingesting.files([folder], palace=palace, wing="w")
    before = await _graph(app, palace)
    again = await app.ingesting.files([folder], palace=palace, wing="w")
    assert first.drawers_created == 72
    assert first.similar_edges > 72
    assert (again.documents_stored, again.documents_unchanged, again.drawers_created) == (0, 12, 0)
    assert await _graph(app, palace) == before


async def test_every_drawer_is_the_exact_text_between_its_lines(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    (tmp_path / "n.md").write_text("# One\r\n\r\nÄpfel  und\tBirnen\r\n\r\n# Two\n\nsecond\n", newline="")
    await app.ingesting.files([tmp_path], palace=palace, wing="w")
    drawers, _ = await app.drawers.page(palace)
    source = (tmp_path / "n.md").read_bytes().decode()
    assert drawers
    for drawer in drawers:
        assert drawer.text in source
        lines = source.splitlines(keepends=True)[drawer.start_line - 1 : drawer.end_line]
        assert drawer.text.strip() in "".join(lines)


async def test_a_changed_file_replaces_its_own_drawers_and_keeps_the_pheromones_of_those_that_stayed(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    folder = _write_folder(tmp_path / "in", files=2)
    await app.ingesting.files([folder], palace=palace, wing="w")
    before = await nodes_of(app.database, palace)
    await app.database.write(palace, "tests/mark_drawers")
    changed = folder / "topic0" / "file00.md"
    text = changed.read_text()
    changed.write_text(
        "# New first section\n\n" + "quite new words here " * 12 + "\n\n" + text.replace("Section 0 3", "Gone")
    )
    report = await app.ingesting.files([folder], palace=palace, wing="w")
    assert (report.documents_stored, report.documents_unchanged) == (1, 1)
    assert (report.drawers_created, report.drawers_kept, report.drawers_removed) == (2, 5, 1)
    after = await nodes_of(app.database, palace)
    stayed = {
        node["id"]: node for node in after if node["labels"] == ["Drawer"] and node["exploitation_pheromone"] == 0.7
    }
    assert len(stayed) == 11
    old = {node["id"]: node for node in before}
    moved = [node for node in stayed.values() if node["start_line"] != old[node["id"]]["start_line"]]
    assert len(moved) == 5  # the five that stayed below the new section


async def test_files_that_are_gone_are_told_and_pruned_only_when_asked(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    folder = _write_folder(tmp_path / "in", files=6)
    await app.ingesting.files([folder], palace=palace, wing="w")
    gone = folder / "topic2" / "file02.md"
    gone.unlink()
    (folder / "topic2" / "file05.md").unlink()
    report = await app.ingesting.files([folder], palace=palace, wing="w")
    assert gone.as_uri() in report.gone
    assert len(await _drawers(app, palace)) == 36
    assert (await app.drawers.prune(palace, "w", report.gone)).deleted == 12
    assert len(await _drawers(app, palace)) == 24
    assert {room.name for room in await app.drawers.rooms(palace)} == {"topic0", "topic1"}
    # Another folder than the one ingested is never called gone.
    other = await app.ingesting.files([folder / "topic0"], palace=palace, wing="w")
    assert other.gone == []


async def _drawers(app: GraphPalace, palace: str) -> list[Any]:
    return [node for node in await nodes_of(app.database, palace) if node["labels"] == ["Drawer"]]


async def test_a_conversation_of_thousands_of_messages_is_one_closet_in_several_transactions(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    messages = [
        {
            "role": "user" if n % 2 else "assistant",
            "content": f"message number {n} about item{n % 50}",
            "timestamp": f"2026-01-{1 + n % 28:02}T10:00:00Z",
            "conversation_id": "c1",
        }
        for n in range(2500)
    ]
    (tmp_path / "chat.jsonl").write_text("\n".join(json.dumps(message) for message in messages))
    report = await app.ingesting.files([tmp_path], palace=palace, wing="chat")
    assert report.drawers_created == 2500
    question = SearchRequest("number 1234", wing="chat", top_k=1)
    (hit,) = (await app.recall.search(palace, question)).hits
    assert hit.text == "message number 1234 about item34"
    assert (await app.drawers.read(palace, hit.id)).author == "assistant"
    assert hit.occurred_at.startswith("2026-01-03T10:00")


async def test_unreadable_and_binary_files_are_counted_and_the_rest_is_stored(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    (tmp_path / "good.md").write_text("# Good\n\nstored all the same\n")
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 broken")
    (tmp_path / "blob.txt").write_bytes(b"\0\1\2")
    (tmp_path / "empty.md").write_text("")
    (tmp_path / ".draft.md").write_text("not ready\n")
    (tmp_path / "talk.jsonl").write_text('{"role": "user", "content": "Hello."}\n{"role": "us\nwell\n')
    (tmp_path / "rollout.jsonl").write_bytes(transcripts.lines(transcripts.CODEX[:5]))  # nobody has said anything yet
    for name in ("users.json", "channels.json"):  # of an export of Slack
        (tmp_path / name).write_text("[]")
    report = await app.ingesting.files([tmp_path], palace=palace, wing="w")
    assert report.drawers_created == 2
    assert report.skipped == {"binary": 1, "empty": 2, "hidden": 1, "broken line": 2, "without a document": 2}
    assert len(report.unreadable) == 1
    assert "bad.pdf" in report.unreadable[0]


@pytest.mark.parametrize("wing", ["", "  ", "w\n", "\x1b[2J", "w" * 201])
async def test_a_wing_without_a_name_to_be_seen_is_refused_before_a_file_is_read(
    app: GraphPalace, palace: str, tmp_path: Path, wing: str
) -> None:
    with pytest.raises(InvalidInput, match="wing is "):
        await app.ingesting.files([tmp_path / "nowhere"], palace=palace, wing=wing)
    assert await app.drawers.wings(palace) == []


async def test_names_of_files_and_folders_that_no_encoding_can_store_become_names_that_can_be_seen(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9\x1b[31m")
    folder.mkdir()
    for number in range(2):
        (folder / os.fsdecode(b"th\xe9\x07%d.txt" % number)).write_text("green tea\n")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.py").write_text("x = 1\n")
    report = await app.ingesting.files([tmp_path], palace=palace, wing="w", windows=[5])
    assert report.drawers_created == 3
    drawers, _ = await app.drawers.page(palace)
    assert {drawer.closet for drawer in drawers} == {"th 0.txt", "th 1.txt", "a.py"}
    assert {drawer.room for drawer in drawers} == {"caf [31m", "other"}


async def test_a_file_that_takes_too_much_is_named_and_left_out_and_the_others_are_stored(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    bomb = tmp_path / "bomb.html"
    bomb.write_text(f"<body>{'<div>' * 200_000}x")
    (tmp_path / "good.html").write_text("<p>stored all the same</p>")
    (tmp_path / "good.md").write_text("# Good\n\nstored all the same\n")
    settings = IngestSettings(read_limit_s=1)
    ingest = Ingest(app.database, app.replica.indexes, app.embedder, palace=palace, wing="w", settings=settings)
    report = await ingest.run([tmp_path])
    assert report.unreadable == [
        f"{bomb} was skipped: reading it takes more than 1 s of processor time ([ingest] read_limit_s)"
    ]
    assert (report.files_done, report.documents_stored) == (3, 2)


async def test_links_out_of_the_folder_are_followed_only_if_the_settings_say_so(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.txt").write_text("outside\n")
    (tmp_path / "in" / "own.txt").write_text("inside\n")
    (tmp_path / "in" / "link.txt").symlink_to(tmp_path / "secret.txt")
    report = await app.ingesting.files([tmp_path / "in"], palace=palace, wing="w")
    assert (report.documents_stored, report.skipped) == (1, {"link out of the folder": 1})
    settings = IngestSettings(follow_links=True)
    asked = Ingest(app.database, app.replica.indexes, app.embedder, palace=palace, wing="w", settings=settings)
    report = await asked.run([tmp_path / "in"])
    assert (report.documents_stored, report.documents_unchanged, report.skipped) == (1, 1, {})


async def test_a_file_that_goes_away_while_others_are_read_stops_nothing(
    app: GraphPalace, palace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stays.md").write_text("# Stays\n\nstored all the same\n")
    goes = tmp_path / "goes.md"
    goes.write_text("# Goes\n")
    discovered = SourceFiles.discover

    def discover_and_lose(self: SourceFiles) -> Any:
        found = discovered(self)
        goes.unlink()
        return found

    monkeypatch.setattr(SourceFiles, "discover", discover_and_lose)
    report = await app.ingesting.files([tmp_path], palace=palace, wing="w")
    assert report.documents_stored == 1
    assert report.unreadable == [f"{goes} does not exist"]


async def test_clusters_make_rooms_of_a_flat_folder(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    for number in range(8):
        (tmp_path / f"bake{number}.txt").write_text(f"bread oven flour dough yeast crust bake{number}")
        (tmp_path / f"grow{number}.txt").write_text(f"roses garden soil prune water bloom grow{number}")
    await app.ingesting.files([tmp_path], palace=palace, wing="home", rooms="clusters")
    rooms = await app.drawers.rooms(palace)
    assert sum(room.drawers for room in rooms) == 16
    bread = {hit.room for hit in (await app.recall.search(palace, SearchRequest("flour dough", top_k=8))).hits}
    roses = {hit.room for hit in (await app.recall.search(palace, SearchRequest("prune roses", top_k=8))).hits}
    assert not bread & roses
    assert bread | roses == {room.name for room in rooms}
    assert all(name in "bread oven flour dough yeast crust" for name in bread)
    # One more on a known topic joins a room that is there, and no room gets another name.
    (tmp_path / "bake8.txt").write_text("bread oven flour dough yeast crust")
    await app.ingesting.files([tmp_path], palace=palace, wing="home", rooms="clusters")
    assert {room.name for room in await app.drawers.rooms(palace)} == {room.name for room in rooms}


async def test_what_belongs_to_no_topic_has_a_room_that_is_named_as_its_folder(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    (folder := tmp_path / "my notes").mkdir()
    odd = ["bank letter", "late train", "blue paint", "chess club", "deep snow", "torn map", "two keys", "green tea"]
    for number, words in enumerate(odd):
        (folder / f"odd{number}.txt").write_text(words)
        (folder / f"bake{number}.txt").write_text("bread oven flour dough yeast crust")
    await app.ingesting.files([folder], palace=palace, wing="home")
    rooms = {room.name: (room.closets, room.found_by) for room in await app.drawers.rooms(palace)}
    assert rooms["my notes"] == (8, "cluster")
    assert len(rooms) == 2


async def test_a_topic_joins_the_room_that_has_its_name(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    (tmp_path / "Bread").mkdir()
    (tmp_path / "Bread" / "rye.txt").write_text("rye loaf")
    for number in range(8):
        (tmp_path / f"bake{number}.txt").write_text(f"bread, on day {number}")
        (tmp_path / f"grow{number}.txt").write_text(f"roses, on day {number}")
    await app.ingesting.files([tmp_path], palace=palace, wing="home")
    assert {room.name: room.closets for room in await app.drawers.rooms(palace)} == {"Bread": 9, "roses": 8}


async def test_a_folder_keeps_its_room_when_files_are_added(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    (lanes := tmp_path / "search" / "lanes").mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("about")
    for number in range(9):
        (lanes / f"{number}.txt").write_text(f"lane {number}")
    await app.ingesting.files([tmp_path], palace=palace, wing="w")
    before = {"docs": 1, "search": 9}
    assert {room.name: room.closets for room in await app.drawers.rooms(palace)} == before
    (lanes / "9.txt").write_text("lane 9")
    (tmp_path / "search" / "walks").mkdir()
    for number in range(10):
        (tmp_path / "search" / "walks" / f"{number}.txt").write_text(f"walk {number}")
    await app.ingesting.files([tmp_path], palace=palace, wing="w")
    after = {room.name: room.closets for room in await app.drawers.rooms(palace)}
    assert after == {"docs": 1, "search": 10, "search/walks": 10}
    # Another way of finding rooms is free to choose again.
    await app.ingesting.files([tmp_path], palace=palace, wing="w", rooms="folders")
    assert {room.name: room.closets for room in await app.drawers.rooms(palace)} == {
        "docs": 1,
        "search/lanes": 10,
        "search/walks": 10,
    }


async def test_the_chapters_of_a_book_are_the_rooms_of_its_wing_and_stay_so(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    def write(last: str) -> None:
        parts = [f"{'word ' * 200}{number} {part}." for number in range(4) for part in range(30)]
        chapters = [f"Chapter {number + 1}\n\n" + "\n\n".join(parts[number * 30 :][:30]) for number in range(4)]
        book.write_text("\n\n".join([*chapters, last]))

    book = tmp_path / "sea.txt"
    write("The end.")
    await app.ingesting.files([book], palace=palace, wing="w")
    chapters = {f"Chapter {number}" for number in range(1, 5)}
    assert {(room.name, room.found_by) for room in await app.drawers.rooms(palace)} == {
        (chapter, "heading") for chapter in chapters
    }
    write("The very end.")
    (tmp_path / "other.txt").write_text("a note beside it")
    await app.ingesting.files([tmp_path], palace=palace, wing="w")
    assert {room.name for room in await app.drawers.rooms(palace)} == {*chapters, "general"}


async def test_of_files_in_no_folder_auto_makes_clusters_and_folders_does_not(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "shears.txt").write_text("shears saw hammer rake")
    for number in range(8):
        (tmp_path / f"bake{number}.txt").write_text(f"bread oven flour dough yeast crust bake{number}")
        (tmp_path / f"grow{number}.txt").write_text(f"roses garden soil prune water bloom grow{number}")
    await app.ingesting.files([tmp_path], palace=palace, wing="home", rooms="folders")
    assert {(room.name, room.drawers) for room in await app.drawers.rooms(palace)} == {("general", 16), ("tools", 1)}
    await app.ingesting.files([tmp_path], palace=palace, wing="home", rooms="auto")
    rooms = await app.drawers.rooms(palace)
    assert {room.name for room in rooms if room.found_by == "folder"} == {"tools"}
    assert sum(room.drawers for room in rooms if room.found_by == "cluster") == 16


async def test_however_small_the_batches_the_graph_is_the_same(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    folder = _write_folder(tmp_path / "in")
    graphs = []
    for size in (1000, 7):
        where = {"palace": palace, "wing": "w", "settings": IngestSettings(similar_threshold=0.1)}
        run = Ingest(app.database, app.replica.indexes, app.embedder, **where, batch_drawers=size)
        report = await run.run([folder])
        graphs.append(await _graph(app, palace))
        assert report.similar_edges == sum(edge["type"] == "SIMILAR_TO" for edge in graphs[-1][1]) > 72
        await app.drop_palace(palace)
        await app.create_palace(palace)
    for rows, wanted in zip(*graphs, strict=True):
        assert differences(rows, wanted) == []


async def test_another_way_of_finding_rooms_moves_what_is_stored_and_keeps_its_drawers(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    folder = _write_folder(tmp_path / "in", files=4, sections=2)
    await app.ingesting.files([folder], palace=palace, wing="w")
    ids = {node["id"] for node in await _drawers(app, palace)}
    assert {room.name for room in await app.drawers.rooms(palace)} == {"topic0", "topic1", "topic2"}
    report = await app.ingesting.files([folder], palace=palace, wing="w", rooms="headings")
    assert (report.drawers_created, report.drawers_kept) == (0, 8)
    names = {room.name for room in await app.drawers.rooms(palace)}
    assert names == {f"Section {file} {part}" for file in range(4) for part in range(2)}
    assert {node["id"] for node in await _drawers(app, palace)} == ids


async def test_halls_join_rooms_of_a_wing_and_tunnels_the_same_topic_of_two(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    for wing in ("one", "two"):
        _write_folder(tmp_path / wing, files=3, sections=1)
        await app.ingesting.files([tmp_path / wing], palace=palace, wing=wing)
    rooms = {(room.wing, room.name): room for room in await app.drawers.rooms(palace)}
    assert rooms["one", "topic0"].halls == ["topic1", "topic2"]
    assert "two/topic0" in rooms["one", "topic0"].tunnels
    edges = await edges_of(app.database, palace)
    costs = {
        (edge["type"], edge.get("base_cost"), edge.get("current_cost"))
        for edge in edges
        if edge["type"] != "SIMILAR_TO"
    }
    assert costs == {
        ("CONTAINS", 1.0, 1.0), ("HAS_ROOM", 0.3, 0.3), ("HAS_CLOSET", 0.3, 0.3), ("HAS_DRAWER", 0.3, 0.3),
        ("HALL", 0.5, 0.5), ("TUNNEL", 0.7, 0.7),
    }  # fmt: skip
    for edge in edges:
        if edge["type"] == "SIMILAR_TO":
            assert edge["base_cost"] == pytest.approx(1 - edge["similarity"])


async def test_windows_cut_code_with_the_header_of_the_seed(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("\n".join(f"x{number} = {number}" for number in range(100)))
    await app.ingesting.files([tmp_path], palace=palace, wing="code", windows=[40])
    drawers, _ = await app.drawers.page(palace)
    assert drawers
    assert all(drawer.text.startswith("# file: a.py | lines: ") for drawer in drawers)


async def test_options_out_of_range_are_refused(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="windows"):
        await app.ingesting.files([tmp_path], palace=palace, wing="w", windows=[0])


_CHILD = """
import asyncio, sys
from pathlib import Path
from graphpalace.app import opened
from graphpalace.operations.drawers.ingest import Ingest
from graphpalace.settings.sections.ingest import IngestSettings
from graphpalace.settings.load import Settings
from tests.words import WordEmbedder

async def main(settings, palace, folder):
    async with opened(Settings.model_validate_json(settings), embedder=WordEmbedder()) as app:
        print("go", flush=True)
        where = {"palace": palace, "wing": "w", "settings": IngestSettings(similar_threshold=0.1)}
        run = Ingest(app.database, app.replica.indexes, app.embedder, **where, batch_drawers=20)
        await run.run([Path(folder)])
        print("done", flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


def _child(settings: Settings, section: dict[str, object], palace: str, folder: Path) -> subprocess.Popen[str]:
    values = settings.model_dump(mode="json") | {"neo4j": section}
    return subprocess.Popen(
        [sys.executable, "-c", _CHILD, json.dumps(values), palace, str(folder)],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.chaos
async def test_an_ingest_that_was_killed_at_any_moment_is_finished_by_running_it_again(
    app: GraphPalace, palace: str, settings: Settings, neo4j_settings: dict[str, object], tmp_path: Path
) -> None:
    folder = _write_folder(tmp_path / "in", files=24)
    (folder / "long.txt").write_text("\n\n".join(f"paragraph {n} " + f"word{n % 60} " * 90 for n in range(60)))

    def start() -> subprocess.Popen[str]:
        child = _child(settings, neo4j_settings, palace, folder)
        assert child.stdout
        assert child.stdout.readline() == "go\n"
        return child

    started = time.monotonic()
    assert start().communicate()[0] == "done\n"
    duration_s = time.monotonic() - started
    undisturbed = await _graph(app, palace)
    await app.drop_palace(palace)
    await app.create_palace(palace)
    rng, kills = random.Random(3), 0
    while kills < 5:
        child = start()
        await asyncio.sleep(rng.uniform(0, duration_s / 4))
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
        child.communicate()
        kills += 1
    assert start().communicate()[0] == "done\n"
    for rows, wanted in zip(await _graph(app, palace), undisturbed, strict=True):
        assert differences(rows, wanted) == []

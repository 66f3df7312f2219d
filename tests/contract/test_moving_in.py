"""Moving in from other memories, behind every door."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from graphpalace.errors import InvalidInput, NotFound
from tests import foreign_memories


async def kept(door: Any) -> dict[str, tuple[str, str]]:
    """Return where each text is."""
    found: dict[str, tuple[str, str]] = {}
    for room in await door.rooms():
        async for drawer in door.list(wing=room.wing, room=room.name):
            found[drawer.text] = (room.wing, room.name)
    return found


async def test_a_palace_of_mempalace_moves_in_once_with_its_facts(door: Any, tmp_path: Path) -> None:
    palace = foreign_memories.mempalace(tmp_path / "other")
    hashes = {path: sha256(path.read_bytes()).digest() for path in (tmp_path / "other").rglob("*.sqlite3")}
    seen: list[Any] = []
    done = await door.move_in(palace, "mempalace", progress=seen.append)
    assert (done.drawers, done.kept, done.facts) == (2, 0, 2)
    assert done.skipped == {"blank texts": 1, "facts that cannot hold": 1}
    assert seen[-1].done == 4
    text = foreign_memories.DRAWERS["drawer_home_1"][0]
    assert await kept(door) == {text: ("home", "people"), "def oven(): ...": ("code", "kitchen")}
    (drawer,) = [one async for one in door.list(wing="home")]
    assert drawer.occurred_at == "2026-04-01T10:00:00Z"
    (now,) = (await door.facts("Max")).facts
    assert (now.object, now.drawers) == ("Oslo", [drawer.id])
    (then,) = (await door.facts("Max", as_of="2020-12-31T12:00Z")).facts  # a last day counts as a whole
    assert then.object == "Rome"
    again = await door.move_in(palace / "chroma.sqlite3", "mempalace")
    assert (again.drawers, again.kept) == (0, 2)
    assert len((await door.fact_timeline("Max")).facts) == 2
    assert {path: sha256(path.read_bytes()).digest() for path in hashes} == hashes


async def test_memories_of_mem0_move_in_once(door: Any, tmp_path: Path) -> None:
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps(foreign_memories.MEM0), "utf-8")
    assert (await door.move_in(path, "mem0")).drawers == 3
    assert await kept(door) == {
        "Dev works at TechCorp.": ("dev", "work"),
        "Dev likes tea.": ("dev", "cook"),
        "The build is slow.": ("ci", "memories"),
    }
    assert (await door.move_in(path, "mem0")).kept == 3
    assert (await door.move_in(path, "mem0", wing="all")).drawers == 3


async def test_an_export_of_claude_moves_in_once(door: Any, tmp_path: Path) -> None:
    folder = foreign_memories.claude(tmp_path / "claude")
    done = await door.move_in(folder, "claude")
    assert (done.drawers, done.conversations, done.turns, done.skipped) == (4, 1, 3, {"empty conversations": 1})
    places = await kept(door)
    assert places["Beds lie south."] == ("Garden", "documents")
    assert places["The shed is green."] == ("Garden", "memories")
    assert places["Ann grows roses."] == ("claude", "memories")
    shown = await door.conversations.show("claude", "c-1")
    assert [(one.author, one.text) for one in shown.drawers] == [
        ("user", "When do I prune roses?"), ("user", "my garden plan"), ("assistant", "In late winter."),
    ]  # fmt: skip
    again = await door.move_in(folder, "claude")
    assert (again.drawers, again.turns, again.kept) == (0, 0, 4)


async def test_what_is_no_memory_is_refused(door: Any, tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_text("{}", "utf-8")
    (tmp_path / "chroma.sqlite3").write_text("no database", "utf-8")
    for path, origin, kind, said in (
        (tmp_path / "odd.json", "mem0", InvalidInput, "results"),
        (tmp_path / "odd.json", "claude", InvalidInput, "list of objects"),
        (tmp_path / "chroma.sqlite3", "mempalace", InvalidInput, "cannot be read"),
        (tmp_path / "no", "mempalace", NotFound, "does not exist"),
        (tmp_path, "claude", NotFound, "conversations.json"),
        (tmp_path, "letta", InvalidInput, "mempalace, mem0, claude"),
    ):
        with pytest.raises(kind, match=said):
            await door.move_in(path, origin)

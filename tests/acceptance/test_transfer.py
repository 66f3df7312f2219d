"""Exporting and importing from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from graphpalace.error_codes import EXIT
from tests import foreign_memories
from tests.acceptance.commands import Ran
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder


def test_a_palace_is_exported_and_imported_from_the_command_line(
    here: Callable[..., Ran], users_palace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphpalace.app.models.make_embedder", lambda *_: WordEmbedder())
    out, copy = tmp_path / "out", spare_name()
    done = here("export", str(out), "--palace", users_palace)
    assert (done.code, f"exported palace {users_palace}" in done.out, "1 drawer, " in done.out) == (0, True, True)
    assert json.loads((out / "manifest.json").read_text("utf-8"))["palace"] == users_palace
    again = here("export", str(out), "--palace", users_palace)
    assert (again.code, "not empty" in again.err) == (EXIT["CONFLICT"], True)

    made = here("import", str(out), "--palace", copy)
    assert (made.code, "1 new drawer, " in made.out) == (0, True)
    found = json.loads(here("import", str(out), "--palace", copy, "--json").out)
    assert (found["created"], found["kept"]["drawers"]) == ({}, 1)
    shown = json.loads(here("search", "apples", "--palace", copy, "--json").out)
    assert shown["hits"][0]["text"] == "apples are mine"
    assert here("palace", "drop", copy, "--yes").code == 0

    other = str(foreign_memories.mempalace(tmp_path / "foreign"))
    moved = here("import", other, "--from", "mempalace", "--palace", copy)
    assert (moved.code, "2 new drawers, 0 were there already" in moved.out, "1 blank texts" in moved.out) == (
        0,
        True,
        True,
    )
    found = json.loads(here("import", other, "--from", "mempalace", "--palace", copy, "--json").out)
    assert (found["drawers"], found["kept"]) == (0, 2)
    assert here("palace", "drop", copy, "--yes").code == 0
    for words in (["--from", "letta"], ["--wing", "garden"]):
        refused = here("import", other, *words, "--palace", copy)
        assert (refused.code, "must be one of" in refused.err or "--from" in refused.err) == (
            EXIT["VALIDATION_ERROR"],
            True,
        )

    (out / "drawers.jsonl").write_text("", "utf-8")
    damaged = here("import", str(out), "--palace", copy)
    assert (damaged.code, "damaged" in damaged.err) == (EXIT["VALIDATION_ERROR"], True)
    missing = here("import", str(tmp_path / "no"), "--palace", copy)
    assert (missing.code, "no folder" in missing.err) == (EXIT["NOT_FOUND"], True)
    unknown = here("export", str(tmp_path / "other"), "--palace", "nosuch")
    assert (unknown.code, list(tmp_path.glob(".other*"))) == (EXIT["NOT_FOUND"], [])

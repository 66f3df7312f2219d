"""What commands write of a palace can be read by its owner alone."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphpalace.client.export_folder import ExportWriter
from graphpalace.domain.transfer.manifest import ExportedPalace
from graphpalace.evaluation.saved_run import save_run
from graphpalace.operations.hooks.told import ToldDrawers
from graphpalace.private_files import open_private

PALACE = ExportedPalace("home", "1", "0001", "2026-05-31", "model", 3, "english", 0, 3600.0, True, False, False)
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")


@pytest.fixture(autouse=True, params=[0o000, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever the user's mask is."""
    before = os.umask(request.param)
    yield
    os.umask(before)


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_an_export_is_private(tmp_path: Path) -> None:
    writer = ExportWriter(tmp_path / "out")
    writer.add("drawers", [{"properties": {"id": "d", "text": "the door code is 4711"}}])
    (draft,) = tmp_path.iterdir()
    assert rights(draft) == 0o700
    assert [rights(path) for path in draft.iterdir()] == [0o600]
    writer.finish(
        ExportedPalace(
            "home", "1", "0001", "2026-05-31T09:00:00Z", "model", 3, "english", 0, 3600.0, True, False, False
        )
    )
    assert rights(tmp_path / "out") == 0o700
    assert {path.name: rights(path) for path in (tmp_path / "out").iterdir()} == {
        "drawers.jsonl": 0o600,
        "manifest.json": 0o600,
    }


def test_an_export_into_an_empty_folder_that_others_may_read_is_private(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out").chmod(0o755)
    writer = ExportWriter(tmp_path / "out")
    writer.finish(
        ExportedPalace("home", "1", "0001", "2026-05-31T09:00:00Z", "m", 3, "english", 0, 1.0, True, False, False)
    )
    assert rights(tmp_path / "out") == 0o700


def test_a_saved_run_and_what_was_told_are_private_even_if_the_file_was_not(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("old")
    (tmp_path / "run.json").chmod(0o644)
    save_run(tmp_path / "run.json", [])
    assert (tmp_path / "run.json").read_text() == "[]\n"
    ToldDrawers(tmp_path / "told").add("conversation:codex/1", ["drawer-1"])
    (told,) = (tmp_path / "told").iterdir()
    assert [rights(path) for path in (tmp_path / "run.json", tmp_path / "told", told)] == [0o600, 0o700, 0o600]


def test_a_private_file_takes_the_place_of_what_it_had(tmp_path: Path) -> None:
    for content in (b"a long text", b"short", b""):
        with open_private(tmp_path / "file") as file:
            file.write(content)
        assert (tmp_path / "file").read_bytes() == content

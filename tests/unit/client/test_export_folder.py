"""The folder of an export appears when it is complete, and is checked before it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphpalace.client import export_folder
from graphpalace.client.export_folder import ExportFolder, ExportWriter
from graphpalace.domain.transfer.manifest import ExportedPalace
from graphpalace.errors import Conflict, InvalidInput, NotFound

PALACE = ExportedPalace(
    "main", "0.1.0", "0017", "2026-05-31T12:00:00Z", "bundled", 256, "english", 24, 3600.0, True, False, False
)
ROWS = [{"id": f"wing-{number}", "name": f"garden {number}"} for number in range(5)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    writer = ExportWriter(tmp_path / "out")
    writer.add("wings", ROWS[:2])
    writer.add("lanes", [{"id": "lane-1", "name": "code"}])
    writer.add("wings", ROWS[2:])
    assert not (tmp_path / "out").exists()
    writer.finish(PALACE)
    writer.abandon()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    return tmp_path / "out"


def test_rows_are_read_as_they_were_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export = ExportFolder(folder)
    assert list(export.check()) == ["wings", "lanes"]
    assert list(export.rows("wings")) == ROWS
    assert list(export.rows("rooms")) == []
    monkeypatch.setattr(export_folder, "MOST_ROWS", 2)
    assert [len(batch) for batch in export.batches("wings")] == [2, 2, 1]
    monkeypatch.setattr(export_folder, "_MOST_BYTES", 10)
    assert [len(batch) for batch in export.batches("wings")] == [1] * 5


def test_a_file_that_is_begun_again_has_its_later_rows_alone(tmp_path: Path) -> None:
    writer = ExportWriter(tmp_path / "out")
    writer.begin_again("rooms")
    writer.add("wings", ROWS)
    writer.begin_again("wings")
    assert writer.rows == {"rooms": 0, "wings": 0}
    writer.add("wings", ROWS[:2])
    writer.abandon()
    assert writer.rows["wings"] == 2


def test_an_export_that_is_abandoned_leaves_nothing(tmp_path: Path) -> None:
    writer = ExportWriter(tmp_path / "out")
    writer.add("wings", ROWS)
    writer.abandon()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_has_something_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", "utf-8")
    with pytest.raises(Conflict, match="not empty"):
        ExportWriter(tmp_path / "full")
    with pytest.raises(Conflict, match="file"):
        ExportWriter(tmp_path / "full" / "mine.txt")
    with pytest.raises(NotFound, match="no"):
        ExportWriter(tmp_path / "no" / "out")


def test_what_is_no_export_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no folder"):
        ExportFolder(tmp_path / "nothing")
    with pytest.raises(NotFound, match="unfinished"):
        ExportFolder(tmp_path)


def test_a_damaged_export_is_refused(folder: Path) -> None:
    wings = folder / "wings.jsonl"
    whole = wings.read_bytes()

    def refused(said: str) -> None:
        with pytest.raises(InvalidInput, match=said):
            list(ExportFolder(folder).check())

    wings.write_bytes(whole[:-20])
    refused("4 lines, and the manifest says 5")
    wings.write_bytes(whole.replace(b"garden 3", b"garden X"))
    refused("SHA-256")
    wings.unlink()
    refused("missing")
    wings.write_bytes(whole)
    (folder / "rooms.jsonl").write_bytes(b"")
    refused("not in the manifest")
    (folder / "rooms.jsonl").unlink()
    wings.write_bytes(b"{]\n")
    with pytest.raises(InvalidInput, match=r"wings\.jsonl line 1 is no JSON"):
        list(ExportFolder(folder).rows("wings"))
    wings.write_bytes(whole[:-1])
    with pytest.raises(InvalidInput, match=r"line 5 .* cut off"):
        list(ExportFolder(folder).rows("wings"))

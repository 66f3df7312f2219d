"""What the managed Neo4j needs of its folder, and what is said where it cannot be used."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from graphpalace.errors import NotEnoughDisk, SettingsInvalid
from graphpalace.managed_neo4j.folder import needed_bytes, trouble, usable
from graphpalace.managed_neo4j.server import ManagedServer
from graphpalace.settings.home import usual_data_folder


def test_a_first_start_needs_room_for_the_logs_and_a_later_one_does_not(tmp_path: Path) -> None:
    assert needed_bytes(tmp_path) >> 20 == 96 + 2 * 256
    for database in ("neo4j", "system"):
        logs = tmp_path / "data" / "transactions" / database
        logs.mkdir(parents=True)
        (logs / "neostore.transaction.db.0").touch()
    assert needed_bytes(tmp_path) >> 20 == 96  # so that it starts with 771 MiB free, and with much less


def test_a_folder_that_can_be_made_is_no_trouble(tmp_path: Path) -> None:
    assert trouble(tmp_path) is None
    assert trouble(tmp_path / "not" / "there" / "yet") is None


@pytest.mark.parametrize("below", ["", "palace"])
def test_a_file_in_the_place_of_the_data_folder_is_named_with_the_setting(tmp_path: Path, below: str) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    server = ManagedServer(file / below, tmp_path)
    for use in (server.up, server.down, lambda: server.password):
        with pytest.raises(SettingsInvalid, match=r"neo4j\.data_dir is .*file is a file\. Set data_dir") as raised:
            use()
        assert raised.value.detail["field"] == "neo4j.data_dir"
    assert file.read_text() == "mine"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a folder that even root cannot write to")
def test_a_folder_that_cannot_be_written_to_is_named_with_the_setting(tmp_path: Path) -> None:
    server = ManagedServer(Path("/sys/graphpalace"), tmp_path)
    with pytest.raises(SettingsInvalid, match=r"GRAPHPALACE_NEO4J__DATA_DIR to a folder that this user can write to"):
        server.up()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
@pytest.mark.parametrize(
    "place", ["/proc/palace", "/proc/self/fdinfo/palace", "/sys/kernel/palace", "/tmp/" + 300 * "x"]
)
def test_a_place_that_takes_no_folder_is_named_with_the_setting(tmp_path: Path, place: str) -> None:
    server = ManagedServer(Path(place), tmp_path)
    for use in (server.up, server.down):
        with pytest.raises(SettingsInvalid, match=rf"neo4j\.data_dir is '{place}', which cannot be used: "):
            use()


def test_a_missing_file_in_a_folder_that_is_there_is_no_wrong_setting(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), usable(tmp_path):
        (tmp_path / "gone").read_bytes()
    with pytest.raises(SettingsInvalid, match="null character"):
        usual_data_folder("a\0b")


def test_a_read_only_folder_is_seen_before_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_args: False)
    assert trouble(tmp_path / "palace") == f"{tmp_path} cannot be written to"


def test_a_full_disk_is_no_wrong_setting_and_other_errors_stay_as_they_are(tmp_path: Path) -> None:
    with pytest.raises(NotEnoughDisk), usable(tmp_path):
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(TimeoutError), usable(tmp_path):
        raise TimeoutError(errno.ETIMEDOUT, "timed out")

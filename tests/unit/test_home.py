"""What a command reads of the settings before it asks the service."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphpalace.errors import SettingsInvalid
from graphpalace.settings.home import home
from graphpalace.settings.load import data_dir, load


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in os.environ:
        if name.startswith("GRAPHPALACE_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def test_it_agrees_with_the_settings_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert home().folder == data_dir(load())
    assert (home().config, home().autostart) == (None, load().service.autostart)
    file = tmp_path / "graphpalace.toml"
    file.write_text('[neo4j]\ndata_dir = "here"\n[service]\nautostart = false\n')
    assert (home().folder, home().config, home().autostart) == (data_dir(load()), file, False)
    assert home().folder == tmp_path / "here"
    monkeypatch.setenv("GRAPHPALACE_NEO4J__DATA_DIR", "there")
    for word in ("true", "False", "on", "0"):
        monkeypatch.setenv("GRAPHPALACE_SERVICE__AUTOSTART", word)
        assert (home().folder, home().autostart) == (data_dir(load()), load().service.autostart)


def test_a_switch_that_is_neither_true_nor_false_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHPALACE_SERVICE__AUTOSTART", "perhaps")
    with pytest.raises(SettingsInvalid, match=r"service\.autostart is 'perhaps'; write true or false"):
        home()


def test_a_file_that_is_not_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("[service]\nport = \n")
    with pytest.raises(SettingsInvalid, match=r"own\.toml: .*line 2"):
        home(tmp_path / "own.toml")

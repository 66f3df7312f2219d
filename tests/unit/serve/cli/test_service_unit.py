"""What `graphpalace service install` writes for systemd and launchd."""

from __future__ import annotations

import plistlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.server.service_unit import run_all, unit_of
from graphpalace.settings.home import Home, usual_data_folder


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)


def test_systemd_starts_the_service_of_the_home_and_leaves_neo4j_alone(tmp_path: Path) -> None:
    home = Home(tmp_path / 'my "100%" $home', config=tmp_path / "own.toml")
    unit = unit_of(home, system="linux")
    assert unit.path.parent == tmp_path / ".config" / "systemd" / "user"
    assert f'ExecStart="{sys.executable}" "-m" "graphpalace" "--config" "{tmp_path}/own.toml" "serve"' in unit.text
    assert f'Environment="GRAPHPALACE_NEO4J__DATA_DIR={tmp_path}/my \\"100%%\\" $home"' in unit.text
    assert "KillMode=process" in unit.text
    assert unit.enable[-1] == ["systemctl", "--user", "enable", unit.path.name]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_understands_its_unit(tmp_path: Path) -> None:
    unit = unit_of(Home(tmp_path / "data"), system="linux")
    unit.write()
    ran = subprocess.run(
        ["systemd-analyze", "--user", "verify", unit.path], capture_output=True, text=True, check=False
    )
    assert unit.path.name not in ran.stderr, ran.stderr


def test_launchd_gets_the_same_as_a_property_list(tmp_path: Path) -> None:
    unit = unit_of(Home(tmp_path / "data & more"), system="darwin")
    agent = plistlib.loads(unit.text.encode())
    assert agent["ProgramArguments"] == [sys.executable, "-m", "graphpalace", "serve", "--start-neo4j"]
    assert agent["EnvironmentVariables"] == {"GRAPHPALACE_NEO4J__DATA_DIR": str(tmp_path / "data & more")}
    assert unit.path == tmp_path / "Library" / "LaunchAgents" / f"{agent['Label']}.plist"


def test_each_home_has_a_file_of_its_own_which_can_be_written_twice(tmp_path: Path) -> None:
    names = {unit_of(Home(folder), system="linux").path.name for folder in (tmp_path / "a", tmp_path / "b")}
    assert len(names) == 2
    usual = unit_of(Home(usual_data_folder(None)), system="linux")
    assert usual.path.name == "graphpalace.service"
    assert not usual.installed
    for _ in range(2):
        usual.write()
        assert usual.installed
    assert not unit_of(Home(usual.folder, config=tmp_path / "new.toml"), system="linux").installed


def test_secrets_stay_out_of_the_file_and_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHPALACE_SERVICE__API_KEY", "sesame")
    unit = unit_of(Home(tmp_path), system="linux")
    assert "sesame" not in unit.text
    assert "GRAPHPALACE_SERVICE__API_KEY" in unit.left_out


def test_a_system_without_either_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="neither systemd nor launchd"):
        unit_of(Home(tmp_path), system="win32")


def test_the_first_command_that_fails_is_explained() -> None:
    assert run_all([["true"], ["sh", "-c", "echo no bus >&2; exit 1"], ["false"]]) == "no bus"
    assert "nosuchprogram" in (run_all([["nosuchprogram"]]) or "")
    assert run_all([["true"]]) is None

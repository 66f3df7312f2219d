"""The file with which the system starts the service when its user logs in."""

from __future__ import annotations

import os
import plistlib
import subprocess
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from graphpalace.client.service_process import command
from graphpalace.errors import InvalidInput
from graphpalace.settings.home import Home, usual_data_folder

_DATA_DIR = "GRAPHPALACE_NEO4J__DATA_DIR"
_TELL_S = 60
_SYSTEMD = """\
[Unit]
Description=GraphPalace service of {folder}

[Service]
ExecStart={command}
WorkingDirectory={directory}
Environment={environment}
StandardOutput=append:{log}
StandardError=append:{log}
UMask=0077
# Neo4j goes on when the service ends; `graphpalace down` stops both.
KillMode=process
TimeoutStopSec=60
Restart=on-failure
RestartSec=5
# Wrong settings, and another service that runs already, do not go away by trying again.
RestartPreventExitStatus=2 4

[Install]
WantedBy=default.target
"""


@dataclass(frozen=True, slots=True)
class Unit:
    """A file of systemd or launchd.

    Attributes:
        folder: The data folder.
        enable: Commands that let the system read it; launchd reads it by itself at the next login.
        disable: Commands that undo this, to be run while the file is there.
        left_out: Names of variables of GraphPalace that are set in this process and not in the file.
    """

    path: Path
    folder: Path
    text: str
    enable: list[list[str]]
    disable: list[list[str]]
    left_out: list[str]

    @property
    def installed(self) -> bool:
        """Whether the file is there as it should be."""
        return self.path.is_file() and self.path.read_text("utf-8") == self.text

    def write(self) -> None:
        """Write the file, and make the folder that it names."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(self.text, "utf-8")


def unit_of(home: Home, *, system: str = sys.platform) -> Unit:
    """Return the file for a home. Each home has one of its own name.

    Raises:
        InvalidInput: If the system has neither systemd nor launchd.
    """
    usual = home.folder == usual_data_folder(None)
    name = "graphpalace" if usual else f"graphpalace-{sha256(str(home.folder).encode()).hexdigest()[:8]}"
    left_out = sorted(key for key in os.environ if key.startswith("GRAPHPALACE_") and key.upper() != _DATA_DIR)
    if system == "darwin":
        return _launchd(home, name, left_out)
    if system == "linux":
        return _systemd(home, name, left_out)
    raise InvalidInput(f"the system {system!r} has neither systemd nor launchd: run `graphpalace up` at login")


def run_all(commands: list[list[str]]) -> str | None:
    """Run commands until one fails; return why it failed, or None."""
    for one in commands:
        try:
            done = subprocess.run(one, capture_output=True, text=True, timeout=_TELL_S, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        if done.returncode:
            return (done.stderr or done.stdout).strip() or f"{one[0]} ended with exit code {done.returncode}"
    return None


def _systemd(home: Home, name: str, left_out: list[str]) -> Unit:
    configured = os.environ.get("XDG_CONFIG_HOME")
    folder = Path(configured) if configured else Path.home() / ".config"
    text = _SYSTEMD.format(
        folder=_specifiers(str(home.folder)),
        command=" ".join(_quoted(word) for word in command(home)),
        directory=_specifiers(str(home.folder)),
        environment=_quoted(f"{_DATA_DIR}={home.folder}", dollars=False),
        log=_specifiers(str(home.log)),
    )
    unit, systemctl = f"{name}.service", ["systemctl", "--user"]
    return Unit(
        path=folder / "systemd" / "user" / unit,
        folder=home.folder,
        text=text,
        enable=[[*systemctl, "daemon-reload"], [*systemctl, "enable", unit]],
        disable=[[*systemctl, "disable", unit]],
        left_out=left_out,
    )


def _launchd(home: Home, name: str, left_out: list[str]) -> Unit:
    agent = {
        "Label": name,
        "ProgramArguments": command(home),
        "WorkingDirectory": str(home.folder),
        "EnvironmentVariables": {_DATA_DIR: str(home.folder)},
        "StandardOutPath": str(home.log),
        "StandardErrorPath": str(home.log),
        "Umask": 0o077,
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "AbandonProcessGroup": True,  # Neo4j goes on when the service ends
    }
    path = Path.home() / "Library" / "LaunchAgents" / f"{name}.plist"
    text = plistlib.dumps(agent, sort_keys=False).decode()
    return Unit(path, home.folder, text, [], [["launchctl", "unload", str(path)]], left_out)


def _specifiers(text: str) -> str:
    return text.replace("%", "%%")


def _quoted(word: str, *, dollars: bool = True) -> str:
    r"""Quote a word for systemd, which reads `\`, `"`, `%` and, in commands, `$`."""
    escaped = _specifiers(word).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped.replace("$", "$$") if dollars else escaped}"'

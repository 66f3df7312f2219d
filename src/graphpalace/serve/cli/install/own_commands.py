"""The commands of GraphPalace as other programs start them: with the settings that hold here and now."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from graphpalace.agent_hosts.host_config import HOSTS
from graphpalace.errors import NotFound
from graphpalace.settings.home import home, setting_text

HOOK = "graphpalace-hook"
_PASSED_ON = ("GRAPHPALACE_CONFIG", "GRAPHPALACE_NEO4J__DATA_DIR", "GRAPHPALACE_PALACE__NAME")


class OwnCommand(NamedTuple):
    """A command with its arguments and the environment that it needs."""

    command: str
    args: list[str]
    environment: dict[str, str]


def mcp_command(host: str, config: Path | None, options: Mapping[str, str]) -> OwnCommand:
    """Return what a host starts to reach the MCP server.

    Args:
        options: Of `graphpalace mcp`, by name.
    """
    command = shutil.which("graphpalace") or str(Path(sys.argv[0]).absolute())
    words = [] if config is None else ["--config", str(config.absolute())]
    words += ["mcp"]
    if HOSTS[host].answers != "structured":
        options = {"answers": HOSTS[host].answers, **options}
    for name, value in options.items():
        words += [f"--{'' if value == 'True' else 'no-'}read-only"] if name == "read_only" else [f"--{name}", value]
    return OwnCommand(command, words, {name: os.environ[name] for name in _PASSED_ON if name in os.environ})


def hook_command(host: str, event: str, config: Path | None) -> str:
    """Return the line that a host runs at an event. It names the data folder, so that it reads no settings.

    Raises:
        NotFound: If the command is not installed.
    """
    beside = Path(sys.executable).with_name(HOOK)
    command = shutil.which(str(beside)) or shutil.which(HOOK)
    if command is None:
        raise NotFound(f"the command {HOOK} is not beside {sys.executable}; install graphpalace again", command=HOOK)
    words = [command, "--home", str(home(config).folder)]
    if palace := setting_text("palace", "name", config):
        words += ["--palace", palace]
    if named := config or os.environ.get("GRAPHPALACE_CONFIG"):
        words += ["--config", str(Path(named).absolute())]
    words += [host, event]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)

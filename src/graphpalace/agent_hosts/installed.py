"""What hosts of agents have installed of GraphPalace, as their configuration files say."""

from __future__ import annotations

from pathlib import Path

from graphpalace.agent_hosts.host_config import HostConfig, host_config
from graphpalace.agent_hosts.json_text import BrokenText
from graphpalace.domain.hooks import HOST_EVENTS, InstalledHost
from graphpalace.errors import GraphPalaceError, NotFound, SettingsInvalid


def installed_hosts(home: Path) -> list[InstalledHost]:
    """Return what each host has installed for a user.

    Args:
        home: Of the user.
    """
    return [installed(host_config(host, "user", home=home, project=home)) for host in HOST_EVENTS]


def installed(config: HostConfig) -> InstalledHost:
    """Return what a host has installed."""
    events = HOST_EVENTS[config.host]
    server, hooks, problem = False, list[str](), ""
    for path in config.files:
        try:
            data = read_bytes(path)
            if data is None:
                continue
            text = text_of(path, data)
            server = server or (path == config.servers and config.has_server(text))
            hooks += config.hooks_in(text) if path == config.hooks else []
        except BrokenText as error:
            problem = broken(path, error)
        except GraphPalaceError as error:
            problem = error.message
    missing = [one.name for one in events if one.name not in hooks]
    files = [str(path) for path in config.files]
    return InstalledHost(config.host, config.scope, files, server, hooks, missing, problem, events)


def read_bytes(path: Path) -> bytes | None:
    """Return the bytes of a file, or None if there is none.

    Raises:
        NotFound: If it cannot be read.
    """
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {error.strerror}", file=str(path)) from error


def text_of(path: Path, data: bytes | None) -> str:
    """Return the text of a file from its bytes; an empty one if there is no file.

    Raises:
        SettingsInvalid: If it is not UTF-8.
    """
    try:
        return (data or b"").removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        line = (data or b"")[: error.start].count(b"\n") + 1
        raise SettingsInvalid(f"{path} line {line}: expected UTF-8", file=str(path), line=line) from None


def broken(path: Path, error: BrokenText) -> str:
    """Return what is wrong with a file that cannot be read."""
    return f"{path} line {error.line}: {error.expected}"

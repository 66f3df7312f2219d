"""The file that says where the service of this machine is and which settings it has. Only its owner can read it.

It lies in the data folder, so that two homes on one machine never see each other's service.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphpalace.errors import ServiceUnavailable, SettingsInvalid, Unauthorized
from graphpalace.process_start import is_process

if TYPE_CHECKING:
    from graphpalace.settings.load import Settings


_NAME = "service.json"


@dataclass(frozen=True, slots=True)
class RunningService:
    """What a service leaves in its file.

    Attributes:
        url: Where it answers, for example `http://127.0.0.1:8600`.
        key: What callers send as `Authorization: Bearer KEY`; empty if it asks for none.
        pid: Of its process.
        started: When this process was created, in seconds since 1970: another process may get the same number later.
        version: Of GraphPalace.
        home: The data folder, because a folder may be copied while its service runs.
        settings: A mark of each of its settings, as `service_settings.marks_of` gives them.
        proof: Who sends it has read the file, and so is the user of the service: it reads for them what this user may
            read. Each start makes another one, and it is no key; empty for a service of an earlier version.
        born: The mark of its process; empty for a service of an earlier version.
    """

    url: str
    key: str
    pid: int
    started: float
    version: str
    home: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    proof: str = ""
    born: str = ""

    @property
    def alive(self) -> bool:
        """Whether the process that wrote the file still runs."""
        return is_process(self.pid, born=self.born, created=self.started)


def new_key() -> str:
    """Return a random key, 256 bits long."""
    import secrets  # only a service makes one

    return secrets.token_urlsafe(32)


def path_of(data_dir: Path) -> Path:
    """Return where the file of a data folder lies."""
    return data_dir / _NAME


def write(data_dir: Path, service: RunningService) -> None:
    """Write the file so that nobody else can read it, not even for a moment."""
    data_dir.mkdir(parents=True, exist_ok=True)
    path = path_of(data_dir)
    draft = path.with_name(f".{_NAME}.{os.getpid()}")
    with suppress(FileNotFoundError):
        draft.unlink()
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump(asdict(service), file)
    draft.replace(path)


def read(data_dir: Path) -> RunningService | None:
    """Return what the file says, or None if there is none, it cannot be understood, or it is of another data folder.

    Raises:
        Unauthorized: If the file belongs to another user, or others may read or change it.
    """
    path = path_of(data_dir)
    try:
        with path.open(encoding="utf-8") as file:
            _check_owner(path, os.fstat(file.fileno()))
            found = _understood(json.load(file))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError:
        raise Unauthorized(f"{path} belongs to another user; name another folder as [neo4j] data_dir") from None
    except (ValueError, TypeError):
        return None
    return found if found.home in ("", str(data_dir.resolve())) else None


def remove(data_dir: Path, pid: int) -> None:
    """Remove the file if the process with this number wrote it."""
    found = read(data_dir)
    if found is not None and found.pid == pid:
        path_of(data_dir).unlink(missing_ok=True)


def running_or_none(data_dir: Path) -> RunningService | None:
    """Return the service of a data folder, or None if none runs.

    Raises:
        Unauthorized: As `read`.
    """
    found = read(data_dir)
    return found if found is not None and found.alive else None


def running(data_dir: Path) -> RunningService:
    """Return the service of a data folder.

    Raises:
        ServiceUnavailable: If there is none; the message says how to start it.
        Unauthorized: If its file belongs to another user, or others may read it.
    """
    found = running_or_none(data_dir)
    if found is None:
        raise ServiceUnavailable(f"no GraphPalace service runs for {data_dir}; start it with `graphpalace up`")
    return found


def _understood(values: Any) -> RunningService:
    """Return what the file says; a service of a later version may say more."""
    if not isinstance(values, dict):
        raise TypeError
    found = RunningService(**{one.name: values[one.name] for one in fields(RunningService) if one.name in values})
    if not isinstance(found.settings, dict):
        raise TypeError
    if not isinstance(found.url, str) or not isinstance(found.pid, int) or not isinstance(found.started, int | float):
        raise TypeError
    return found


def _check_owner(path: Path, found: os.stat_result) -> None:
    if os.name != "posix":
        return
    if found.st_uid != os.getuid():
        raise Unauthorized(f"{path} belongs to another user; name another folder as [neo4j] data_dir")
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise Unauthorized(f"other users can read {path}, and so the key in it: run `chmod 600 {path}`")


_VARIABLE = re.compile(r"GRAPHPALACE_([A-Z0-9_]+?)__([A-Z0-9_]+?)(?:__.*)?", re.IGNORECASE)
# Sections by which a command finds the service, or by which it starts one.
_OF_THE_CALLER = {"neo4j", "palace", "service", "mcp"}


def marks_of(settings: Settings) -> dict[str, str]:
    """Return a mark of each setting of the service, by `section.key`: equal values have equal marks."""
    from hashlib import sha256  # most commands compare no settings

    values = settings.model_dump(mode="json", exclude=_OF_THE_CALLER)
    return {
        f"{section}.{key}": sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]
        for section, keys in values.items()
        for key, value in keys.items()
    }


def check_environment(
    marks: Mapping[str, str],
    config: Path | None,
    *,
    sent: Collection[str] = (),
    compared: Collection[str] = (),
) -> None:
    """Check that the service has the settings that this environment names.

    Args:
        marks: As `marks_of` gives them for the service; empty if it has left none.
        config: The settings file of the command.
        sent: Settings that the command sends with its request, as `section.key`.
        compared: Settings that must be the same, whether the environment names them or not, as `section.key`: they are
            what the command is about, and the service may have read the settings file before a change.

    Raises:
        SettingsInvalid: If it has another value; the message names the variable or the setting.
    """
    named = {f"{found[1]}.{found[2]}".lower(): name for name in os.environ if (found := _VARIABLE.fullmatch(name))}
    asked = {key: name for key, name in named.items() if key in marks and key not in sent}
    asked = dict(sorted(asked.items())) | {key: named.get(key, "") for key in compared if key in marks}
    if not asked:
        return
    from graphpalace.settings.load import load

    own = marks_of(load(config))
    for key, name in asked.items():
        if own.get(key) != marks[key]:
            section, _, word = key.partition(".")
            here = f"{name} is set here" if name else f"[{section}] {word} has changed"
            way = "unset it, or run" if name else "run"
            raise SettingsInvalid(
                f"{here}, but the service runs with another {key}: {way} `graphpalace service restart` to give it to "
                "the service",
                field=key,
            )

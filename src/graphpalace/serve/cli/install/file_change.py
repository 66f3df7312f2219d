"""Changes of files: shown, written so that a file is either the old or the new one, and taken back to the byte."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphpalace.agent_hosts.host_config import read_bytes
from graphpalace.errors import Conflict, SettingsInvalid

_BACKUP = ".before-graphpalace"
_RECORD = "installed.json"


@dataclass(frozen=True, slots=True)
class FileChange:
    """What is to become of a file.

    Attributes:
        path: With links resolved, so that a link stays one.
        before: Its bytes; None if there is no file.
        after: None: the file is removed.
    """

    path: Path
    before: bytes | None
    after: bytes | None

    def difference(self) -> str:
        """Return the lines that change."""
        old, new = (_lines(one) for one in (self.before, self.after))
        names = ("/dev/null" if one is None else str(self.path) for one in (self.before, self.after))
        return "".join(difflib.unified_diff(old, new, *names, n=2))

    def write(self) -> None:
        """Write the file.

        Raises:
            Conflict: If somebody has changed it meanwhile.
            SettingsInvalid: If it cannot be written.
        """
        if read_bytes(self.path) != self.before:
            raise Conflict(f"{self.path} was changed meanwhile; run the command again", file=str(self.path))
        try:
            if self.after is None:
                self.path.unlink(missing_ok=True)
                if self.path.parent.name.startswith("."):  # the host's folder, if nothing else is in it
                    with suppress(OSError):
                        self.path.parent.rmdir()
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle, draft = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(self.after)
                    file.flush()
                    os.fsync(file.fileno())
                mode = self.path.stat().st_mode & 0o7777 if self.before is not None else 0o600
                Path(draft).chmod(mode)
                Path(draft).replace(self.path)
            except BaseException:
                with suppress(OSError):
                    Path(draft).unlink()
                raise
        except OSError as error:
            raise SettingsInvalid(f"{self.path} cannot be written: {error.strerror}", file=str(self.path)) from error


class Backups:
    """Remembers in the data folder what each file was before it was changed.

    Args:
        data_dir: Of the palace.
    """

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / _RECORD

    def keep(self, change: FileChange) -> Path | None:
        """Remember a change that is about to be written, and return the copy of the file as it was, if there is one.

        A change of what was written before keeps the copy from before the first change.
        """
        known = self._known()
        entry = known.get(str(change.path))
        if entry is None or entry.get("after") != _hash(change.before):
            copy = None
            if change.before is not None:
                copy = change.path.with_name(change.path.name + _BACKUP)
                FileChange(copy, read_bytes(copy), change.before).write()
                with suppress(OSError):
                    copy.chmod(change.path.stat().st_mode & 0o7777)
            entry = {"copy": str(copy) if copy else None}
        known[str(change.path)] = entry | {"after": _hash(change.after)}
        self._write(known)
        return Path(entry["copy"]) if entry["copy"] else None

    def before(self, path: Path, now: bytes) -> tuple[bytes | None, bool]:
        """Return what a file was before, and whether that is known and nobody has changed it since."""
        entry = self._known().get(str(path))
        if entry is None or entry.get("after") != _hash(now):
            return None, False
        if entry.get("copy") is None:
            return None, True
        copy = read_bytes(Path(entry["copy"]))
        return copy, copy is not None

    def forget(self, path: Path, *, restored: bool) -> None:
        """Forget what a file was before; its copy is removed if the file is as before again."""
        known = self._known()
        entry = known.pop(str(path), None)
        if entry is not None:
            self._write(known)
            if restored and entry.get("copy"):
                Path(entry["copy"]).unlink(missing_ok=True)

    def _known(self) -> dict[str, dict[str, Any]]:
        try:
            found = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write(self, known: dict[str, dict[str, Any]]) -> None:
        FileChange(self._file, read_bytes(self._file), json.dumps(known, indent=1).encode()).write()


def _lines(data: bytes | None) -> list[str]:
    lines = (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return [line.replace("\r\n", "\n") for line in lines]


def _hash(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()

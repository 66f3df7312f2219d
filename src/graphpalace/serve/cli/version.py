"""The version of this installation, with the commit if that is known."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from graphpalace import __version__

_PACKAGE = Path(__file__).resolve().parents[2]
_SHORT = 8  # digits that are shown of a commit in a clone


def version_line() -> str:
    """Return the version, and in brackets the commit of the wheel or of the clone that it runs from."""
    commit = _commit()
    return f"{__version__} ({commit})" if commit else __version__


def _commit() -> str:
    with suppress(OSError):
        return (_PACKAGE / "commit").read_text("utf-8").strip()
    with suppress(OSError):  # a clone: without asking git, which takes as long as the rest of the command
        folder = _PACKAGE.parents[1] / ".git"
        head = (folder / "HEAD").read_text("utf-8").strip()
        if not head.startswith("ref: "):
            return head[:_SHORT]
        reference = head.removeprefix("ref: ")
        with suppress(OSError):
            return (folder / reference).read_text("utf-8").strip()[:_SHORT]
        for line in (folder / "packed-refs").read_text("utf-8").splitlines():
            if line.endswith(f" {reference}"):
                return line[:_SHORT]
    return ""

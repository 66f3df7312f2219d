"""Which files and folders an operation may read for a caller who is not the owner of this process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphpalace.errors import InvalidInput, NotFound


def readable_paths(
    paths: Sequence[str],
    folders: Sequence[str] | None,
    *,
    field: str | None = None,
    setting: str = "[ingest] folders",
) -> list[Path]:
    """Return the paths of this machine that a caller names, with links resolved.

    Args:
        paths: Absolute paths.
        folders: Folders that contain what may be read; None: anything may be read.
        field: Name of the only path in error messages; None: `paths.0`, `paths.1` and so on.
        setting: The setting that names the folders.

    Raises:
        InvalidInput: If a path is relative, or outside of the folders.
        NotFound: If a path does not exist.
    """
    allowed = None if folders is None else [Path(folder).expanduser().resolve() for folder in folders]
    return [_readable(field or f"paths.{at}", path, allowed, setting) for at, path in enumerate(paths)]


def _readable(field: str, path: str, allowed: Sequence[Path] | None, setting: str) -> Path:
    if "\0" in path or not Path(path).is_absolute():
        raise InvalidInput(f"{field} is {path!r}; it must be an absolute path", field=field, value=path)
    found = Path(path).resolve()
    if allowed is not None and not any(found.is_relative_to(folder) for folder in allowed):
        listed = ", ".join(map(str, allowed)) or "none"
        raise InvalidInput(f"{field} is {path!r}; {setting} allows {listed}", field=field, value=path)
    if not found.exists():
        raise NotFound(f"{field} is {path!r}, which does not exist", field=field)
    return found

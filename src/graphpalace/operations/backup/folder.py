"""The backups in a folder, which their names tell."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

USUAL_NAME = "graphpalace-%Y-%m-%dT%H-%M-%SZ.backup"
_NAME = re.compile(r"graphpalace-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup")


def backups_in(folder: Path) -> list[Path]:
    """Return the backups in a folder that have their usual names, the oldest first."""
    return sorted(path for path in folder.glob("graphpalace-*.backup") if _NAME.fullmatch(path.name))


def newest_in(folder: Path) -> datetime | None:
    """Return when the newest backup in a folder was made; None if there is none."""
    found = backups_in(folder)
    return datetime.strptime(found[-1].name, USUAL_NAME).replace(tzinfo=UTC) if found else None

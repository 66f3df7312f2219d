"""Files and folders that only their owner may read, because they hold what a palace says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

_FILE, _FOLDER = 0o600, 0o700


def create_private_folder(path: Path) -> None:
    """Create a folder.

    Raises:
        FileExistsError: If it exists.
    """
    path.mkdir(mode=_FOLDER)


def open_private(path: Path) -> BinaryIO:
    """Open a file for writing, and empty it if it exists. It becomes private in either case."""
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), _FILE)
    if hasattr(os, "fchmod"):  # Windows has no such rights
        os.fchmod(number, _FILE)
    return os.fdopen(number, "wb")


def write_private(path: Path, text: str) -> None:
    """Write a text into a private file, in UTF-8."""
    with open_private(path) as file:
        file.write(text.encode())

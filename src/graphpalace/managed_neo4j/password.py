"""The password of the managed Neo4j: random, and stored in a file that only its owner can read."""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path

USER = "neo4j"

_ITERATIONS = 1024


def read_password(path: Path) -> str | None:
    """Return the password, or None if the file is missing or empty."""
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None


def create_password(path: Path) -> str:
    """Create a random password and write it to a new file of mode 0600.

    Raises:
        FileExistsError: If the file exists.
    """
    password = secrets.token_urlsafe(32)
    _write_private(path, password + "\n")
    return password


def write_first_password(password: str, *, auth_file: Path) -> None:
    """Set the password of a Neo4j that has no users yet.

    This writes the same file as `neo4j-admin dbms set-initial-password`, but needs no second JVM and does not pass the
    password as an argument of a process, where every user of the machine could read it.
    """
    salt = secrets.token_bytes(32)
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(_ITERATIONS - 1):
        digest = hashlib.sha256(digest).digest()
    auth_file.parent.mkdir(parents=True, exist_ok=True)
    auth_file.unlink(missing_ok=True)
    _write_private(auth_file, f"{USER}:SHA-256,{digest.hex()},{salt.hex()},{_ITERATIONS}:\n")


def _write_private(path: Path, text: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)

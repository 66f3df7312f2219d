"""Archives of Neo4j's classes, which Java writes when a server exits. They halve the time of the next start.

Source: Java's application class data sharing with dynamic archives (JEP 350).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from graphpalace.managed_neo4j.java import Java

_QUIET = "-Xlog:cds=off"  # without it, Java logs every class that it cannot archive
_BASE_S = 60


def archive_draft(home: Path) -> Path:
    """Return the folder in which Java writes an archive when a server exits; `keep` moves it from there."""
    return home / "run" / "classes"


def archive_options(
    java: Java, jars: Sequence[Path], options: Sequence[str], *, folder: Path, draft: Path
) -> list[str]:
    """Return the Java options that use the archive of such a server, or write one if there is none.

    Args:
        options: The other options of Java, which must be the same when the archive is written and used.
        folder: Folder of the archives of all servers.
        draft: See `archive_draft`.
    """
    shutil.rmtree(draft, ignore_errors=True)
    kept = folder / f"neo4j-{_key(java, jars, options)}.jsa"
    if kept.exists():
        return [_QUIET, f"-XX:SharedArchiveFile={kept}"]
    base = _base(java, folder)
    if base is None:
        return []
    draft.mkdir(parents=True)
    return [_QUIET, *base, f"-XX:ArchiveClassesAtExit={draft / kept.name}"]


def keep(draft: Path, *, folder: Path) -> None:
    """Move the archive that a server wrote on exit to the other archives. Incomplete archives are deleted."""
    for recorded in draft.glob("*.jsa"):
        with suppress(OSError):  # the disk may be full; the next server writes the archive again
            with recorded.open("rb") as stream:
                head = stream.read(4)
            if not head.strip(b"\0"):  # Java writes the head last
                continue
            folder.mkdir(parents=True, exist_ok=True)
            part = folder / f"{recorded.name}.{os.getpid()}.part"
            shutil.move(recorded, part)
            part.replace(folder / recorded.name)
    shutil.rmtree(draft, ignore_errors=True)


def _base(java: Java, folder: Path) -> list[str] | None:
    """Return the options for the archive of Java's own classes, or None if it is missing and cannot be created."""
    if any((java.home / place / "server" / "classes.jsa").exists() for place in ("lib", "bin")):
        return []
    base = folder / f"java-{_key(java, [], [])}.jsa"
    part = base.with_suffix(f".{os.getpid()}.part")
    if not base.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = [str(java.path), "-Xshare:dump", "-Xlog:disable", f"-XX:SharedArchiveFile={part}"]
        with suppress(subprocess.SubprocessError, OSError):
            subprocess.run(command, check=True, capture_output=True, timeout=_BASE_S)
            part.replace(base)
    return [f"-XX:SharedArchiveFile={base}"] if base.exists() else None


def _key(java: Java, jars: Sequence[Path], options: Sequence[str]) -> str:
    """Return a hash of what an archive depends on: Java refuses one with another class path or changed jars."""
    times = [f"{jar} {jar.stat().st_mtime_ns}" for jar in jars]
    return hashlib.sha256("\n".join([str(java.home), java.version, *options, *times]).encode()).hexdigest()[:16]

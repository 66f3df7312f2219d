"""The checks of `graphpalace doctor`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from graphpalace.app import managed_server, open_database
from graphpalace.domain.hooks import FILING
from graphpalace.embedding.onnx_models import are_in_cache, artifacts_of
from graphpalace.errors import GraphPalaceError
from graphpalace.hook.notes import FOLDER
from graphpalace.managed_neo4j.folder import needed_bytes, trouble
from graphpalace.managed_neo4j.jars import missing_jars, verify_jars
from graphpalace.managed_neo4j.java import find_java
from graphpalace.managed_neo4j.state import NEVER_STARTED, Running, Stopped
from graphpalace.operations.hooks.reports import hook_report, recent_failures
from graphpalace.serve.cli.server.status import service_state
from graphpalace.settings.home import Home
from graphpalace.settings.load import Settings, cache_dir, data_dir
from graphpalace.store.connection.schema import SchemaStore, ServerStore

_PLENTY_GIB = 2


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check; `fix` suggests what to do if the state is not good."""

    name: str
    state: Literal["good", "note", "bad"]
    found: str
    fix: str = ""


_NOT_STARTED_YET = Check("Managed Neo4j", "note", "not started yet", "run graphpalace up")


async def examine(settings: Settings) -> list[Check]:
    """Run all checks; each comes after the checks it depends on."""
    checks = [Check("Python", "good", sys.version.split()[0])]
    if not settings.neo4j.uri:
        checks += _managed(settings)
    if _NOT_STARTED_YET not in checks:
        checks += [check async for check in _database(settings)]
    checks.append(_service(settings))
    checks.append(_model(settings))
    checks += _hooks(settings)
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
                ""
                if java.has_vector_module
                else "install a full JDK 21 or later, which indexes vectors 1.6 times faster",
            )
        )
    except GraphPalaceError as error:
        checks.append(Check("Java", "bad", error.message, "install graphpalace again, or a JDK 21 or later"))
    version, cache = settings.neo4j.version, cache_dir(settings)
    missing = missing_jars(version, cache_dir=cache)
    broken = [] if missing else verify_jars(version, cache_dir=cache)
    if missing:
        checks.append(Check("Neo4j jars", "note", f"{len(missing)} to download", "run graphpalace up"))
    elif broken:
        checks.append(
            Check("Neo4j jars", "bad", f"changed: {', '.join(broken)}", "run graphpalace up to download them again")
        )
    else:
        checks.append(Check("Neo4j jars", "good", f"{version}, checksums match"))
    server = managed_server(settings)
    if wrong := trouble(server.data_dir):
        fix = "set neo4j.data_dir (GRAPHPALACE_NEO4J__DATA_DIR) to a folder that this user can write to"
        return [*checks, Check("Data folder", "bad", wrong, fix)]
    checks.append(_disk(server.data_dir))
    state = server.status()
    if state == Stopped(NEVER_STARTED):
        checks.append(_NOT_STARTED_YET)
    elif isinstance(state, Running):
        checks.append(Check("Managed Neo4j", "good", f"running, process {state.pid}, {state.http_url}"))
    else:
        checks.append(Check("Managed Neo4j", "bad", f"stopped: {state.reason}", "run graphpalace up"))
    return checks


def _disk(folder: Path) -> Check:
    existing = next(parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.exists())
    free, needed = shutil.disk_usage(existing).free, needed_bytes(folder / "neo4j")
    found = f"{free / 2**30:.1f} GiB free at {folder}"
    if free < needed:
        fix = f"free disk space: Neo4j needs {needed >> 20} MiB to start; then run graphpalace up"
        return Check("Disk", "bad", f"{free >> 20} MiB free at {folder}", fix)
    return (
        Check("Disk", "good", found) if free >= _PLENTY_GIB * 2**30 else Check("Disk", "note", found, "free disk space")
    )


def _service(settings: Settings) -> Check:
    found = service_state(Home(data_dir(settings), autostart=settings.service.autostart))
    where = f"{found.url}, process {found.pid}"
    if found.state == "running":
        return Check("Service", "good", f"running, {where}" + (", open to all users" if found.open else ""))
    if found.state == "stopped":
        fix = "" if found.autostart else "run graphpalace up"
        said = f"stopped; {found.reason}" if found.reason else "stopped"
        return Check("Service", "note", said + (", starts when it is needed" if found.autostart else ""), fix)
    if found.state == "not readable":
        return Check("Service", "bad", found.reason, "only you may be able to read this file")
    return Check("Service", "bad", f"{found.state}: {found.reason}", "run graphpalace service restart")


async def _database(settings: Settings) -> AsyncIterator[Check]:
    try:
        database = open_database(settings)
    except GraphPalaceError as error:
        yield Check("Database", "bad", error.message)
        return
    try:
        await database.verify()
        server = ServerStore(database)
        info = await server.info()
        yield Check("Database", "good", f"Neo4j {info.version} {info.edition} at {database.uri}")
        schema = await SchemaStore(database).state()
        yield Check(
            "Schema",
            "good" if schema == "current" else "bad",
            schema,
            "" if schema == "current" else "run graphpalace migrate",
        )
        indexes = await server.indexes()
        waiting = [index.name for index in indexes if not index.online]
        yield Check(
            "Indexes",
            "bad" if waiting else "good",
            f"not online: {', '.join(waiting)}" if waiting else f"{len(indexes)} online",
        )
    except GraphPalaceError as error:
        yield Check("Database", "bad", error.message)  # the message suggests a fix
    finally:
        await database.close()


def _model(settings: Settings) -> Check:
    model = settings.embeddings.model
    downloads = [] if settings.embeddings.base_url else artifacts_of(model)
    if not downloads:
        return Check("Embedding model", "note", f"{model}, not checked here")
    cache = cache_dir(settings)
    missing = sum(one.jar.size_bytes for one in downloads if not are_in_cache(one, cache_dir=cache)) / 1e6
    if missing:
        found = f"{model}, of which {missing:.0f} MB are downloaded when it is first used"
        return Check("Embedding model", "note", found)
    return Check("Embedding model", "good", f"{model}, checksums match")


def _hooks(settings: Settings) -> list[Check]:
    """Check the hooks that have run; one that failed is a note, as no agent waits for it."""
    report = hook_report(data_dir(settings) / FOLDER)
    failing = recent_failures(report, now=datetime.now(UTC))
    waiting = f"; {report.unfiled} conversations wait to be filed" if report.unfiled else ""
    if failing:
        return [Check("Hooks", "note", "; ".join(failing) + waiting, f"see {report.log}")]
    if not report.runs:
        return []
    slowest = max(report.runs, key=lambda run: run.took_ms if run.event != FILING else 0.0)
    found = f"{len(report.runs)} have run, the slowest in {slowest.took_ms:.0f} ms ({slowest.host} {slowest.event})"
    return [Check("Hooks", "note" if waiting else "good", found + waiting)]

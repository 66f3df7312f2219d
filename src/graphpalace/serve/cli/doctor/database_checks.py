"""Checks of the database: whether it answers, its version and clock, the schema, the indexes, and the palaces."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any

import psutil

from graphpalace.app import managed_server, open_database
from graphpalace.app.models import named_model
from graphpalace.client import service_file
from graphpalace.domain.texts import counted
from graphpalace.errors import (
    DatabaseAuthFailed,
    DatabaseUnavailable,
    GraphPalaceError,
    MigrationChanged,
    SchemaTooNew,
    Unauthorized,
)
from graphpalace.managed_neo4j.state import Running
from graphpalace.serve.cli.doctor.check import Check, Installation, run
from graphpalace.serve.http.pages.own_pages import is_loopback
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import SchemaStore, ServerInfo, ServerStore
from graphpalace.store.palaces.index_repair import IndexRepair, PalaceHealth
from graphpalace.store.palaces.languages import WordForms
from graphpalace.store.palaces.palaces import PalaceDrops

DatabaseCheck = Callable[[Installation, Database], AsyncIterator[Check]]
_CLOCKS_S = 5.0  # a difference that people notice in what is stored
_UNSETTLED_S = 600.0
_INTERVALS = 3  # of the decay


def should_answer(of: Installation) -> bool:
    """Return whether there is a database to ask. What keeps the managed Neo4j from running has a check of its own."""
    return bool(of.settings.neo4j.uri) or isinstance(managed_server(of.settings).status(), Running)


async def answering(of: Installation) -> tuple[Database | None, list[Check]]:
    """Return a connection, which the caller closes, and what was found when it was opened."""
    database = None
    try:
        database = open_database(of.settings)
        await database.verify()
        info = await ServerStore(database).info()
    except GraphPalaceError as error:
        if database is not None:
            await database.close()
        return None, [Check("Database", "bad", error.message, *_fix_of(of, error))]
    found = f"Neo4j {info.version} {info.edition} at {database.uri}"
    return database, [version_is_known(info, found), clocks_agree(info, datetime.now(UTC))]


def _fix_of(of: Installation, error: GraphPalaceError) -> tuple[str, str]:
    managed = not of.settings.neo4j.uri
    if isinstance(error, DatabaseAuthFailed):
        if managed:
            return of.run("up", "--reset-password", why="which keeps all data")
        return "set [neo4j] user and password (GRAPHPALACE_NEO4J__PASSWORD) to those of the server", ""
    if isinstance(error, DatabaseUnavailable):
        return of.run("up") if managed else ("start it, or set [neo4j] uri to a running server", "")
    return "look at what the message names, in [neo4j] and in the log of Neo4j", ""


def version_is_known(info: ServerInfo, found: str) -> Check:
    """Check that every query runs on this version of Neo4j."""
    if info.too_old:
        fix = "upgrade Neo4j to 5.26 or later, or leave [neo4j] uri empty, so that GraphPalace starts its own"
        return Check("Database", "bad", f"{found} is too old", fix)
    return Check("Database", "good", found)


def clocks_agree(info: ServerInfo, now: datetime) -> Check:
    """Compare the clock of the database, which dates what is stored, with that of this machine."""
    ahead_s = (datetime.fromisoformat(info.now) - now).total_seconds()
    if abs(ahead_s) < _CLOCKS_S:
        return Check("Clock", "good", "that of the database and that of this machine agree")
    way = "ahead of" if ahead_s > 0 else "behind"
    found = f"that of the database is {abs(ahead_s):.0f} s {way} that of this machine"
    return Check("Clock", "bad", found, "let both machines take their time from a server (NTP)")


async def schema_is_current(of: Installation, database: Database) -> AsyncIterator[Check]:
    """Compare the migrations that were applied with those of this version."""
    try:
        pending = await SchemaStore(database).pending()
    except SchemaTooNew as error:
        yield Check("Schema", "bad", error.message, *run("pip install --upgrade graphpalace"))
        return
    except MigrationChanged as error:
        yield Check("Schema", "bad", error.message, *run("pip install --force-reinstall graphpalace"))
        return
    if pending:
        missing = ", ".join(f"V{one.version}" for one in pending)
        yield Check("Schema", "bad", f"older than this version: {missing} missing", *of.run("migrate"))
    else:
        yield Check("Schema", "good", "current")


async def indexes_are_whole(of: Installation, database: Database) -> AsyncIterator[Check]:
    """Compare the indexes with those that the schema and each palace need."""
    with contextlib.suppress(MigrationChanged, SchemaTooNew):
        if await SchemaStore(database).pending():
            return  # `migrate` creates them
    faults = await IndexRepair(database).faults()
    for fault in faults:
        yield Check("Indexes", "bad", f"{fault.name} {fault.reason}", *of.run("migrate", why="to create it again"))
    indexes = await ServerStore(database).indexes()
    building = [f"{one.name} {one.population:.0f} %" for one in indexes if one.state == "POPULATING"]
    if building:
        yield Check(
            "Indexes", "note", f"being built: {', '.join(building)}", "wait until they are; searches miss texts"
        )
    elif not faults:
        yield Check("Indexes", "good", f"{len(indexes)} online")


async def palaces_have_their_model(of: Installation, database: Database) -> AsyncIterator[Check]:
    """Check that the model of each palace can be had with these settings."""
    chosen = of.settings.embeddings
    for palace in await IndexRepair(database).palaces():
        if (palace.model, palace.dimension) == (chosen.model, chosen.dimension):
            continue
        made = named_model(of.settings, palace.model)
        if made is None or made.dimension != palace.dimension:
            found = (
                f"palace {palace.name} has vectors of {palace.model} ({palace.dimension} numbers), and [embeddings] "
                f"names {chosen.model} ({chosen.dimension})"
            )
            yield Check(
                "Vectors", "bad", found, *_reembed(of, palace, "to compute them anew, or set [embeddings] back")
            )


def _reembed(of: Installation, palace: PalaceHealth, why: str) -> tuple[str, str]:
    return of.run("reembed", "--palace", palace.name, why=why)


async def nothing_is_unfinished(of: Installation, database: Database) -> AsyncIterator[Check]:
    """Find what an interrupted drop, import, ingest, reembed or migration has left in the database."""
    name = "Leftovers"
    for left in await PalaceDrops(database).interrupted():
        yield Check(name, "note", f"palace {left} was dropped, but not all of it is deleted", *of.run("migrate"))
    for palace in await IndexRepair(database).palaces():
        if palace.next_model or palace.switched:
            said = f"palace {palace.name} has been changing its model to {palace.next_model or palace.model}"
            yield Check(name, "note", said, *_reembed(of, palace, "to go on, unless that still runs"))
        if palace.importing:
            fix = "run the same `graphpalace import` again to go on, unless it still runs"
            yield Check(name, "note", f"an import into palace {palace.name} has not ended", fix)
        if (palace.unsettled_s or 0) > _UNSETTLED_S:
            said = f"palace {palace.name} was last changed without renewing its centroids, halls and tunnels"
            yield Check(
                name, "note", said, "run the last `graphpalace ingest` again, which an interruption may have ended"
            )
    for due in await WordForms(database).due():
        said = f"{counted(due.left, 'drawer')} of palace {due.name} have words of an earlier version"
        yield Check(name, "note", said, *of.run("migrate", why="to renew them, unless a service does"))


async def decay_runs(of: Installation, database: Database) -> AsyncIterator[Check]:
    """Find palaces in which nothing has faded for long, although a service should see to it."""
    interval_s = of.settings.decay.cycle_seconds * of.settings.pheromones.decay_interval_cycles
    enabled = of.settings.decay.enabled
    for palace in await IndexRepair(database).palaces():
        if palace.undecayed_s < _INTERVALS * interval_s or palace.leased or (enabled and _service(of) is None):
            continue  # a service that starts makes up for the time without one
        why = "the service does not apply it" if enabled else "[decay] enabled is false"
        hours = palace.undecayed_s / 3600
        said = f"nothing has faded in palace {palace.name} for {hours:.0f} hours: {why}"
        then = "; then look into the log of the service" if enabled else "; then set it to true, or run decay-service"
        fix, command = of.run("decay", "--now", "--palace", palace.name)
        yield Check("Decay", "note", said, fix + then, command)


async def one_service_works_here(of: Installation, database: Database) -> AsyncIterator[Check]:
    """Find other services that work on the same database."""
    own = _service(of)
    places = {(one.laddr.ip, one.laddr.port): one.pid for one in _sockets() if one.laddr and one.pid}
    local, remote = set[int](), set[str]()
    for address in await ServerStore(database).clients():
        host, _, port = address.rpartition(":")
        pid = places.get((host.strip("[]"), int(port))) or places.get((f"::ffff:{host}", int(port)))
        if pid is not None and _serves(pid):
            local.add(pid)
        elif pid is None and not is_loopback(host.strip("[]")):
            remote.add(host)
    others = sorted(local - {own}) if own in local else sorted(local)[1:]
    if len(local) + len(remote) < 2 or not (others or remote):
        return
    shown = [*(f"process {pid}" for pid in others), *(f"a process on {host}" for host in sorted(remote))]
    command = f"kill {' '.join(map(str, others))}" if others else ""
    fix = f"if one service is enough, {f'run `{command}`' if command else 'stop the other one'}"
    yield Check("Services", "note", f"{' and '.join(shown)} also serves this database", fix, command)


def _sockets() -> list[Any]:
    try:
        return psutil.net_connections(kind="tcp")
    except psutil.Error:  # some systems hide the processes of other users
        return psutil.Process().net_connections(kind="tcp")


def _serves(pid: int) -> bool:
    with contextlib.suppress(psutil.Error):
        return bool({"serve", "decay-service"} & set(psutil.Process(pid).cmdline()))
    return False


def _service(of: Installation) -> int | None:
    """Return the process of the service of this data folder."""
    with contextlib.suppress(Unauthorized):
        found = service_file.running_or_none(of.home.folder)
        return found.pid if found else None
    return None


CHECKS: dict[str, DatabaseCheck] = {
    "Schema": schema_is_current,
    "Indexes": indexes_are_whole,
    "Vectors": palaces_have_their_model,
    "Leftovers": nothing_is_unfinished,
    "Decay": decay_runs,
    "Services": one_service_works_here,
}

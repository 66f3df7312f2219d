"""The commands that start, stop and check Neo4j and the service, and bring the schema up to date."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.serve.cli import show
from graphpalace.serve.cli.context import AsJson, context
from graphpalace.serve.cli.output import err, out, print_json

if TYPE_CHECKING:
    from graphpalace.client.service_file import RunningService

_READY_S = 300.0  # the first start may download a model
_NEO4J_S = 15.0  # it has answered before
_PAUSE_S = 0.1


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (up, down, status, doctor, migrate):
        app.command()(command)


def up(
    reset_password: Annotated[bool, typer.Option(help="Set a new password for the managed Neo4j first.")] = False,
    no_service: Annotated[bool, typer.Option("--no-service", help="Start only Neo4j.")] = False,
) -> None:
    """Start the managed Neo4j and the service in the background, and bring the schema up to date.

    It shows what it is waiting for, and returns when the service can answer without a delay. A Neo4j or a service that
    is already running is kept, but a service of an earlier version is replaced.
    """
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from graphpalace.app import managed_server, migrate_database
    from graphpalace.client.ensure_service import alone, ensure_service
    from graphpalace.client.service_process import end

    tell = partial(err.print, markup=False, highlight=False)
    settings, home = context.settings(), context.home()
    server = None if settings.neo4j.uri else managed_server(settings)
    if server is None:
        tell(f"[neo4j] uri is set: GraphPalace uses {settings.neo4j.uri} and does not start a Neo4j.")
    elif reset_password:
        with alone(home):
            end(home)  # it knows only the old password
        server.reset_password()
    with ThreadPoolExecutor(1) as beside:
        # The service loads its models while Neo4j starts, and waits for it before it serves.
        starting = None if no_service else beside.submit(ensure_service, home, for_all=True)
        if server is not None:
            with show.download_progress(err) as progress:
                running = server.up(progress=progress, tell=tell)
            out.print(f"Neo4j {running.version} {'is already running' if running.already_running else 'started'}")
        if server is not None:
            show.server(out, server)
        if starting is None:
            applied = asyncio.run(migrate_database(settings))
            out.print(f"schema   {'migrated to V' + applied[-1] if applied else 'current'}")
            return
        if not starting.done():
            tell("waiting for the service to start")
        service = starting.result()
        out.print(f"schema   {_wait_until_ready(service, tell)}")
        show.service(out, service, home)


def _wait_until_ready(service: RunningService, tell: Callable[[str], None]) -> str:
    """Wait until the first answer of a service is quick, and say what for; return the state of the schema.

    A service that does not get so is left to itself: its Neo4j does not answer, or its model cannot be loaded.
    """
    from graphpalace.client.service_process import NEO4J, readiness

    said, begun = None, time.monotonic()
    while (now := readiness(service)).waits_for is not None:
        if time.monotonic() - begun > (_NEO4J_S if now.waits_for == NEO4J else _READY_S):
            break
        if now.waits_for != said:
            tell(f"waiting for {now.waits_for}")
            said = now.waits_for
        time.sleep(_PAUSE_S)
    return now.schema


def down() -> None:
    """Stop the service and the managed Neo4j. Running requests are finished first. All data is kept."""
    from graphpalace.app import managed_server
    from graphpalace.client.ensure_service import alone
    from graphpalace.client.service_process import end

    server, home = managed_server(context.settings()), context.home()
    with alone(home):  # so that nobody starts one of the two again between the stops
        out.print("service stopped" if end(home) else "the service was not running")
        out.print("Neo4j stopped" if server.down() else "Neo4j was not running")


def status(as_json: AsJson = False) -> None:
    """Show whether Neo4j answers, its schema version and the palaces. The exit code is 6 if Neo4j does not answer."""
    from graphpalace.serve.cli.server.status import status as report

    found = report()
    show.status(out, found, as_json=as_json)
    if found["database"] != "up":
        raise typer.Exit(6)


def doctor(as_json: AsJson = False) -> None:
    """Find what is wrong with this installation, and suggest a fix. The exit code is 1 if there is a problem.

    It needs neither the service nor Neo4j, and works with settings that are broken. No password or key is printed.
    """
    import asyncio

    from graphpalace.serve.cli.doctor.check import Installation
    from graphpalace.serve.cli.doctor.examination import examine

    settings, problems = context.valid_settings()
    checks = asyncio.run(examine(Installation(settings, problems, context.config)))
    show.checks(out, checks, as_json=as_json)
    if any(check.state == "bad" for check in checks):
        raise typer.Exit(1)


def migrate(
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; the exit code is 1 if migrations would be applied.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring the schema of the database up to date, and the indexed words of drawers of earlier versions.

    Indexes that are missing or have failed are created again. A running service brings the words up to date by itself.
    If you stop the command, the next one goes on from there.
    """
    import asyncio

    from graphpalace.app import migrate_database, pending_migrations, renew_palaces, repair_indexes

    if check:
        pending = asyncio.run(pending_migrations(context.settings()))
        if as_json:
            print_json({"pending": pending})
        else:
            named = ", ".join(f"V{version}" for version in pending)
            out.print(f"would apply {named}" if pending else "the schema is current", highlight=False)
        raise typer.Exit(1 if pending else 0)
    applied = asyncio.run(migrate_database(context.settings()))
    repaired = asyncio.run(repair_indexes(context.settings()))
    renewed = asyncio.run(renew_palaces(context.settings(), show.renewal(err)))
    if as_json:
        print_json({"applied": applied, "repaired": repaired, "renewed": renewed})
        return
    for index in repaired:
        out.print(f"created {index} again", markup=False, highlight=False)
    for palace in renewed:
        out.print(f"the words of palace {palace} are up to date", markup=False, highlight=False)
    out.print(f"applied {', '.join('V' + version for version in applied)}" if applied else "the schema is current")

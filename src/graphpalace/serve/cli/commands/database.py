"""The commands that start, stop and check Neo4j and the service, and bring the schema up to date."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import typer

from graphpalace.serve.cli import show
from graphpalace.serve.cli.context import AsJson, context
from graphpalace.serve.cli.output import err, out, print_json


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (up, down, status, doctor, migrate):
        app.command()(command)


def up(
    reset_password: Annotated[bool, typer.Option(help="Set a new password for the managed Neo4j first.")] = False,
    no_service: Annotated[bool, typer.Option("--no-service", help="Start only Neo4j.")] = False,
) -> None:
    """Start the managed Neo4j and the service in the background, and bring the schema up to date.

    What runs already stays. A service of an earlier version is replaced.
    """
    from graphpalace.app import managed_server, migrate_database
    from graphpalace.client.ensure_service import alone, ensure_service
    from graphpalace.client.service_process import end

    settings, home = context.settings(), context.home()
    if settings.neo4j.uri:
        err.print(
            f"[neo4j] uri is set: GraphPalace uses {settings.neo4j.uri} and does not start a Neo4j.", markup=False
        )
    else:
        server = managed_server(settings)
        if reset_password:
            with alone(home):
                end(home)  # it knows only the old password
            server.reset_password()
        with show.download_progress(err) as progress:
            running = server.up(progress=progress, tell=partial(err.print, markup=False, highlight=False))
        out.print(f"Neo4j {running.version} {'is already running' if running.already_running else 'started'}")
    applied = asyncio.run(migrate_database(settings))
    out.print(f"schema   {'migrated to V' + applied[-1] if applied else 'current'}")
    if not settings.neo4j.uri:
        show.server(out, managed_server(settings))
    if not no_service:
        show.service(out, ensure_service(home, for_all=True), home)


def down() -> None:
    """Stop the service, which finishes the requests under way first, and the managed Neo4j. All data is kept."""
    from graphpalace.app import managed_server
    from graphpalace.client.ensure_service import alone
    from graphpalace.client.service_process import end

    server, home = managed_server(context.settings()), context.home()
    with alone(home):  # so that nobody starts one of the two again between the stops
        out.print("service stopped" if end(home) else "the service was not running")
        out.print("Neo4j stopped" if server.down() else "Neo4j was not running")


def status(as_json: AsJson = False) -> None:
    """Show whether Neo4j answers, its schema and the palaces. The exit code is 6 if Neo4j does not answer."""
    from graphpalace.serve.cli.server.status import status as report

    found = report()
    show.status(out, found, as_json=as_json)
    if found["database"] != "up":
        raise typer.Exit(6)


def doctor(as_json: AsJson = False) -> None:
    """Check everything that GraphPalace needs, and suggest a fix for each problem."""
    from graphpalace.serve.cli.server.doctor import examine

    checks = asyncio.run(examine(context.settings()))
    show.checks(out, checks, as_json=as_json)
    if any(check.state == "bad" for check in checks):
        raise typer.Exit(1)


def migrate(as_json: AsJson = False) -> None:
    """Bring the schema of the database up to date, and the words by which earlier versions let drawers be found.

    A running service does the second by itself. If it is interrupted, it goes on where it was.
    """
    from graphpalace.app import migrate_database, renew_palaces

    applied = asyncio.run(migrate_database(context.settings()))
    renewed = asyncio.run(renew_palaces(context.settings(), show.renewal(err)))
    if as_json:
        print_json({"applied": applied, "renewed": renewed})
        return
    for palace in renewed:
        out.print(f"the words of palace {palace} are up to date", markup=False, highlight=False)
    out.print(f"applied {', '.join('V' + version for version in applied)}" if applied else "the schema is current")

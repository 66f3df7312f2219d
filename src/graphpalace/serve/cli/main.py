"""The command line: parse, call one operation, print."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from dataclasses import asdict
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from rich.markup import escape

from graphpalace import __version__
from graphpalace.domain.counts import counted
from graphpalace.domain.identity import palace_name, place_name
from graphpalace.domain.moments import TIMES, moment
from graphpalace.domain.room import WingType
from graphpalace.errors import EXIT, GraphPalaceError, InvalidInput
from graphpalace.serve.cli.commands import dataset, decay, evaluate, feedback, pheromones, show, simulate, walk
from graphpalace.serve.cli.commands import mcp as mcp_command
from graphpalace.serve.cli.context import (
    AsJson,
    Palace,
    check_question,
    context,
    err,
    out,
    window_sizes,
    with_database,
    with_palace,
)
from graphpalace.serve.cli.plain_help import Commands
from graphpalace.serve.cli.setting_option import setting_option
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.ingest import RoomMode

if TYPE_CHECKING:
    from types import FrameType

    from graphpalace.app import GraphPalace
    from graphpalace.domain.places import Wing
    from graphpalace.domain.search.answer import Answer
    from graphpalace.store.connection.database import Database

app = Commands(help="A memory palace for people and agents, stored as a graph in Neo4j.")
palaces = Commands(help="List, create and drop palaces. One database can hold several.")
app.add_typer(palaces, name="palace")
wings = Commands(help="List and drop wings, the parts of a palace. `ingest` creates them.")
app.add_typer(wings, name="wing")
walk.register(app)
decay.register(app)
feedback.register(app)
app.add_typer(pheromones.app, name="pheromones")
app.add_typer(dataset.app, name="dataset")
evaluate.register(app)
simulate.register(app)
mcp_command.register(app)
# How many rounds the threads of torch spin while they wait for work. The model multiplies matrices one right after the
# other, so this is enough; with torch's default they keep a core busy for 5 ms after each search.
SPINS = "20000"
_CTRL_C = 130  # the exit code after Ctrl-C
PalaceName = Annotated[str, typer.Argument(help="1 to 63 characters of a-z, 0-9 and _, starting with a letter.")]


def _print_version(wanted: bool) -> None:  # typer's signature
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    config: Annotated[Path | None, typer.Option("--config", help="Settings file. Default: graphpalace.toml.")] = None,
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    context.config = config


def _end_as_ctrl_c(number: int, frame: FrameType | None) -> None:
    """Stop as Ctrl-C does: asyncio cancels what runs, whereas an exception in a signal handler can hit any line."""
    ctrl_c = signal.getsignal(signal.SIGINT)
    (ctrl_c if callable(ctrl_c) else signal.default_int_handler)(number, frame)


def main() -> None:
    """Run a command. An error of GraphPalace prints one message to standard error and sets its exit code."""
    os.environ.setdefault("GOMP_SPINCOUNT", SPINS)  # before torch is imported, which reads it then
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end_as_ctrl_c)  # the services take both signals themselves
    try:
        app()
    except GraphPalaceError as error:
        kind = f"[red]error[/red] [dim]{error.code}[/dim]"
        err.print(kind, escape(error.message), highlight=False, soft_wrap=True)
        sys.exit(EXIT[error.code])


@app.command()
def up(
    reset_password: Annotated[bool, typer.Option(help="Set a new password for the managed Neo4j first.")] = False,
) -> None:
    """Start the managed Neo4j if it is not running, and bring its schema up to date."""
    from graphpalace.app import managed_server, migrate_database

    settings = context.settings()
    if settings.neo4j.uri:
        err.print(
            f"[neo4j] uri is set: GraphPalace uses {settings.neo4j.uri} and does not start a Neo4j.", markup=False
        )
    else:
        server = managed_server(settings)
        if reset_password:
            server.reset_password()
        with show.download_progress(err) as progress:
            running = server.up(progress=progress, tell=partial(err.print, markup=False, highlight=False))
        out.print(f"Neo4j {running.version} {'is already running' if running.already_running else 'started'}")
    applied = asyncio.run(migrate_database(settings))
    out.print(f"schema   {'migrated to V' + applied[-1] if applied else 'current'}")
    if not settings.neo4j.uri:
        show.server(out, managed_server(settings))


@app.command()
def down() -> None:
    """Stop the managed Neo4j. Its data is kept."""
    from graphpalace.app import managed_server

    was_running = managed_server(context.settings()).down()
    out.print("Neo4j stopped" if was_running else "Neo4j was not running")


@app.command()
def status(as_json: AsJson = False) -> None:
    """Show whether Neo4j answers, its schema and the palaces. The exit code is 6 if Neo4j does not answer."""
    from graphpalace.serve.cli.commands.status import status as report

    found = asyncio.run(report(context.settings()))
    show.status(out, found, as_json=as_json)
    if found["database"] != "up":
        raise typer.Exit(6)


@app.command()
def doctor() -> None:
    """Check everything that GraphPalace needs, and suggest a fix for each problem."""
    from graphpalace.serve.cli.commands.doctor import examine

    checks = asyncio.run(examine(context.settings()))
    show.checks(out, checks)
    if any(check.state == "bad" for check in checks):
        raise typer.Exit(1)


@app.command()
def migrate() -> None:
    """Bring the schema of the database up to date."""
    from graphpalace.app import migrate_database

    applied = asyncio.run(migrate_database(context.settings()))
    out.print(f"applied {', '.join('V' + version for version in applied)}" if applied else "the schema is current")


@palaces.command("list")
def palace_list(as_json: AsJson = False) -> None:
    """List the palaces with the number of their wings, rooms, closets and drawers."""
    from graphpalace.store.palaces.palaces import PalaceStore

    found = with_database(lambda _settings, database, _named: PalaceStore(database).every(), None)
    rows = [asdict(palace) for palace in found]
    if as_json:
        out.print_json(json.dumps(rows))
    else:
        show.table(out, rows, ["name", "wings", "rooms", "closets", "drawers", "model", "created_at"])


@palaces.command("create")
def palace_create(name: PalaceName) -> None:
    """Create a palace for the configured embedding model."""
    from graphpalace.app import make_palace, reached

    palace_name(name)
    settings = context.settings()

    async def run() -> bool:
        async with reached(settings) as (database, _):
            return await make_palace(settings, database, name)

    made = asyncio.run(run())
    out.print(f"palace {name} {'created' if made else 'already exists'}")


@palaces.command("drop")
def palace_drop(
    name: PalaceName, yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False
) -> None:
    """Remove a palace and everything in it."""
    from graphpalace.store.palaces.palace_drops import PalaceDrops
    from graphpalace.store.palaces.palaces import PalaceStore

    async def run(_settings: Settings, database: Database, named: str) -> int:
        await PalaceStore(database).get(named)  # report a missing palace before asking
        if not yes:
            typer.confirm(f"Remove palace {named} and everything in it?", abort=True, err=True)
        return await PalaceDrops(database).drop(named)

    removed = with_database(run, name)
    out.print(f"palace {name} dropped, {counted(removed, 'node')} removed")


@wings.command("list")
def wing_list(palace: Palace = None, as_json: AsJson = False) -> None:
    """List the wings of a palace with the number of their rooms, closets and drawers."""
    from graphpalace.store.drawers.rooms import RoomStore
    from graphpalace.store.palaces.palaces import PalaceStore

    async def run(_settings: Settings, database: Database, named: str) -> list[Wing]:
        await PalaceStore(database).get(named)
        return await RoomStore(database).wings(named)

    rows = [asdict(wing) for wing in with_database(run, palace)]
    if as_json:
        out.print_json(json.dumps(rows))
    else:
        show.table(out, rows, ["name", "wing_type", "rooms", "closets", "drawers", "created_at"])


@wings.command("drop")
def wing_drop(
    name: Annotated[str, typer.Argument(help="The name of the wing, as `wing list` shows it.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    palace: Palace = None,
) -> None:
    """Remove a wing and everything in it."""

    async def run(wired: GraphPalace, named: str) -> int:
        if not yes:
            typer.confirm(f"Remove wing {name!r} and everything in it?", abort=True, err=True)
        return await wired.drawers.delete_wing(named, name)

    removed = with_palace(run, palace, wing=name)
    out.print(
        f"wing {name!r} dropped, {counted(removed, 'drawer')} removed", markup=False, highlight=False, soft_wrap=True
    )


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders to store.")],
    wing: Annotated[str, typer.Option(help="Wing to put them into.")],
    wing_type: Annotated[WingType, typer.Option(help="Type of the wing, if it is new.")] = WingType.TOPIC,
    rooms: Annotated[str | None, setting_option("ingest", "rooms")] = None,
    max_files: Annotated[int | None, setting_option("ingest", "max_files", min=0)] = None,
    windows: Annotated[str, setting_option("ingest", "windows", form="1000,2000,4000")] = "",
    prune: Annotated[bool, typer.Option("--prune", help="Remove the drawers of files that no longer exist.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before pruning.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Store files and folders word for word. Files that did not change since the last ingest are skipped."""
    place_name("wing", wing)
    if rooms is not None and rooms not in get_args(RoomMode):
        raise InvalidInput(f"--rooms is {rooms!r}; it must be one of {', '.join(get_args(RoomMode))}", field="rooms")
    sizes = window_sizes(windows)

    async def run(wired: GraphPalace, named: str) -> Any:
        with show.ingest_progress(err) as progress:
            report = await wired.ingest(
                paths,
                palace=named,
                wing=wing,
                wing_type=wing_type,
                rooms=rooms,
                max_files=max_files,
                windows=sizes,
                progress=progress,
            )
        show.ingest_report(out, report, as_json=as_json, prune=prune)
        if prune and report.gone and (yes or typer.confirm("Remove the drawers of these sources?", err=True)):
            removed = await wired.drawers.prune(named, wing, report.gone)
            err.print(f"pruned sources: {len(report.gone)}, drawers: {removed}")

    try:
        with_palace(run, palace)
    except KeyboardInterrupt:
        err.print(
            "stopped: what is already stored is kept; run the same command again to store the rest", soft_wrap=True
        )
        raise typer.Exit(_CTRL_C) from None


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="Words or a question to search for.")],
    wing: Annotated[str | None, typer.Option(help="Search only in this wing.")] = None,
    room: Annotated[str | None, typer.Option(help="Search only in rooms with this name.")] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="TIME", help=f"Find only what was said or stored at or after this time: {TIMES}."),
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="Find only what was said or stored before this time.")
    ] = None,
    top_k: Annotated[int, typer.Option("--top-k", help="Number of hits, 1 to 200.")] = 10,
    lanes: Annotated[str, setting_option("search", "lanes", form="fulltext,semantic,path")] = "",
    codes: Annotated[
        list[str] | None,
        typer.Option(help="Classification code to look for, for example cpc:H04L9/32, or ipc:H04L=0.7 with a weight."),
    ] = None,
    weights: Annotated[str, setting_option("search", "weights", form="fulltext=2,semantic=0.5")] = "",
    fusion: Annotated[str | None, setting_option("search", "fusion")] = None,
    preset: Annotated[str | None, typer.Option(help="Name of a plan under [search.presets] in the settings.")] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what each lane added to each hit, and what learning changed.")
    ] = False,
    unlearned: Annotated[bool, typer.Option("--unlearned", help="Ignore feedback.")] = False,
    rerank: Annotated[
        bool, typer.Option("--rerank", help="Rerank the best hits as configured under [rerank] in the settings.")
    ] = False,
    mmr_lambda: Annotated[float | None, setting_option("rerank", "mmr_lambda")] = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Search by words and by meaning. Each hit shows its path in the palace and which lanes found it."""
    question = check_question(
        query,
        context.settings(),
        wing=wing,
        room=room,
        since=None if since is None else moment("since", since, now=datetime.now()),
        until=None if until is None else moment("until", until, now=datetime.now()),
        top_k=top_k,
        preset=preset,
        lanes=lanes.split(",") if lanes else None,
        target_profile=_profile(codes or []),
        weights=_weights(weights),
        fusion=fusion,
        without=frozenset({"learning"}) if unlearned else frozenset(),
        rerank=rerank,
        mmr_lambda=mmr_lambda,
    )

    async def run(wired: GraphPalace, named: str) -> Answer:
        answer = await wired.recall.search(named, question)
        if not answer.hits and not any(wing.drawers for wing in await wired.drawers.wings(named)):
            err.print(
                f"palace {named} is empty: store files in it with `graphpalace ingest FOLDER --wing NAME`",
                markup=False,
                highlight=False,
                soft_wrap=True,
            )
        return answer

    answer = with_palace(run, palace, wing=wing, room=room)
    show.answer(out, answer, as_json=as_json, explain=explain)


def _profile(codes: list[str]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for text in codes:
        code, _, weight = text.partition("=")
        scheme, colon, symbol = code.partition(":")
        try:
            found.setdefault(scheme, {})[symbol] = float(weight or 1)
        except ValueError:
            colon = ""
        if not colon:
            raise InvalidInput(f"--codes is {text!r}; write it like cpc:H04L9/32 or ipc:H04L=0.7", field="codes")
    return found


def _weights(text: str) -> dict[str, float] | None:
    if not text:
        return None
    try:
        return {lane: float(weight) for lane, _, weight in (part.partition("=") for part in text.split(","))}
    except ValueError:
        raise InvalidInput(f"--weights is {text!r}; write them like fulltext=2,semantic=0.5", field="weights") from None


@app.command()
def serve(
    host: Annotated[str | None, setting_option("service", "host")] = None,
    port: Annotated[int | None, setting_option("service", "port", min=0, max=65535)] = None,
) -> None:
    """Serve the HTTP API under /v1, the web page and MCP. SIGTERM and Ctrl-C stop it after the running requests.

    The API is described at /docs.
    """
    from graphpalace.serve.cli.commands.service import run_service

    settings = context.settings()
    changed = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    run_service(settings.model_copy(update={"service": settings.service.model_copy(update=changed)}))

"""The command line: parse, call one operation, print."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from graphpalace import __version__
from graphpalace.domain.counts import counted
from graphpalace.domain.identity import palace_name, place_name
from graphpalace.domain.moments import TIMES, moment
from graphpalace.domain.room import WingType
from graphpalace.errors import EXIT, GraphPalaceError, InvalidInput
from graphpalace.serve.cli import dataset, decay, evaluate, feedback, mcp_command, pheromones, show, simulate, walk
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
from graphpalace.settings import Settings

if TYPE_CHECKING:
    from types import FrameType

    from graphpalace.graph_palace import GraphPalace
    from graphpalace.operations.answer import Answer
    from graphpalace.store.database import Database

app = Commands(help="A memory palace for people and agents, kept as a graph in Neo4j.")
palaces = Commands(help="Palaces live side by side in one database.")
app.add_typer(palaces, name="palace")
wings = Commands(help="Wings divide a palace; `ingest` makes them.")
app.add_typer(wings, name="wing")
walk.register(app)
decay.register(app)
feedback.register(app)
app.add_typer(pheromones.app, name="pheromones")
app.add_typer(dataset.app, name="dataset")
evaluate.register(app)
simulate.register(app)
mcp_command.register(app)
# Rounds in which torch's threads wait busily for more work: enough for the model, whose products follow each other at
# once; by default they take 5 ms of a core after each search.
SPINS = "20000"
_CTRL_C = 130  # the exit code of what Ctrl-C has ended
PalaceName = Annotated[str, typer.Argument(help="1 to 63 of a-z, 0-9 and _, beginning with a letter.")]


def _print_version(asked: bool) -> None:  # typer's signature
    if asked:
        print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    config: Annotated[Path | None, typer.Option("--config", help="Settings file; default: graphpalace.toml.")] = None,
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    context.config = config


def _end_as_ctrl_c(number: int, frame: FrameType | None) -> None:
    """End as after Ctrl-C: asyncio then cancels what runs, where an exception from a signal may come anywhere."""
    ctrl_c = signal.getsignal(signal.SIGINT)
    (ctrl_c if callable(ctrl_c) else signal.default_int_handler)(number, frame)


def main() -> None:
    """Run a command; an error of ours is one message on standard error and an exit code of its kind."""
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
    reset_password: Annotated[bool, typer.Option(help="Give the managed Neo4j a new password first.")] = False,
) -> None:
    """Start the managed Neo4j, or find it running, and bring its schema up to date."""
    from graphpalace.bootstrap import managed_server, migrate_database

    settings = context.settings()
    if settings.neo4j.uri:
        err.print(f"[neo4j] uri is set: GraphPalace uses {settings.neo4j.uri} and starts none.", markup=False)
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
    """Stop the managed Neo4j; what it stores stays."""
    from graphpalace.bootstrap import managed_server

    was_running = managed_server(context.settings()).down()
    out.print("Neo4j stopped" if was_running else "Neo4j was not running")


@app.command()
def status(as_json: AsJson = False) -> None:
    """Show whether Neo4j answers, its schema, and the palaces; exit code 6 if it does not answer."""
    from graphpalace.serve.cli.status import status as report

    found = asyncio.run(report(context.settings()))
    show.status(out, found, as_json=as_json)
    if found["database"] != "up":
        raise typer.Exit(6)


@app.command()
def doctor() -> None:
    """Check everything GraphPalace needs, and say how to mend what is wrong."""
    from graphpalace.serve.cli.doctor import examine

    checks = asyncio.run(examine(context.settings()))
    show.checks(out, checks)
    if any(check.state == "bad" for check in checks):
        raise typer.Exit(1)


@app.command()
def migrate() -> None:
    """Bring the schema of the database up to date."""
    from graphpalace.bootstrap import migrate_database

    applied = asyncio.run(migrate_database(context.settings()))
    out.print(f"applied {', '.join('V' + version for version in applied)}" if applied else "the schema is current")


@palaces.command("list")
def palace_list(as_json: AsJson = False) -> None:
    """List the palaces with their counts."""
    rows = with_database(lambda _settings, database, _named: database.read("palaces/list_palaces"), None)
    if as_json:
        out.print_json(json.dumps(rows))
    else:
        show.table(out, rows, ["name", "wings", "rooms", "closets", "drawers", "model", "created_at"])


@palaces.command("create")
def palace_create(name: PalaceName) -> None:
    """Make a palace for the configured embedding model."""
    from graphpalace.bootstrap import make_palace, reached

    palace_name(name)
    settings = context.settings()

    async def run() -> bool:
        async with reached(settings) as (database, _):
            return await make_palace(settings, database, name)

    made = asyncio.run(run())
    out.print(f"palace {name} {'created' if made else 'was there already'}")


@palaces.command("drop")
def palace_drop(name: PalaceName, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Remove a palace with everything in it."""
    from graphpalace.store.drop_palace import drop_palace
    from graphpalace.store.palaces import get_palace

    async def run(_settings: Settings, database: Database, named: str) -> int:
        await get_palace(database, named)  # before anybody is asked
        if not yes:
            typer.confirm(f"Remove palace {named} with everything in it?", abort=True, err=True)
        return await drop_palace(database, named)

    removed = with_database(run, name)
    out.print(f"palace {name} dropped, {counted(removed, 'node')} removed")


@wings.command("list")
def wing_list(palace: Palace = None, as_json: AsJson = False) -> None:
    """List the wings of a palace with their counts."""
    from graphpalace.store.palaces import get_palace

    async def run(_settings: Settings, database: Database, named: str) -> list[dict[str, Any]]:
        await get_palace(database, named)
        return await database.read("rooms/list_wings", palace=named)

    rows = with_database(run, palace)
    if as_json:
        out.print_json(json.dumps(rows))
    else:
        show.table(out, rows, ["name", "wing_type", "rooms", "closets", "drawers", "created_at"])


@wings.command("drop")
def wing_drop(
    name: Annotated[str, typer.Argument(help="Its name, as `wing list` shows it.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    palace: Palace = None,
) -> None:
    """Remove a wing with all that is in it."""

    async def run(wired: GraphPalace, named: str) -> int:
        if not yes:
            typer.confirm(f"Remove wing {name!r} with everything in it?", abort=True, err=True)
        return await wired.drawers.delete_wing(named, name)

    removed = with_palace(run, palace, wing=name)
    out.print(
        f"wing {name!r} dropped, {counted(removed, 'drawer')} removed", markup=False, highlight=False, soft_wrap=True
    )


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.")],
    wing: Annotated[str, typer.Option(help="Wing to put them into.")],
    wing_type: Annotated[WingType, typer.Option(help="What the wing is about, if it is made now.")] = WingType.TOPIC,
    rooms: Annotated[str | None, typer.Option(help="auto, folders, headings or clusters.")] = None,
    max_files: Annotated[int | None, typer.Option(min=0, help="Most files to read; 0: no limit.")] = None,
    windows: Annotated[str, typer.Option(help="Window sizes in lines for code, as 1000,2000,4000.")] = "",
    prune: Annotated[bool, typer.Option("--prune", help="Remove what was stored of files that are gone.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before pruning.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Store files and folders word for word; what is stored already is left as it is."""
    place_name("wing", wing)
    if rooms not in (None, "auto", "folders", "headings", "clusters"):
        raise InvalidInput(f"--rooms is {rooms!r}; it must be auto, folders, headings or clusters", field="rooms")
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
        if prune and report.gone and (yes or typer.confirm("Remove all that is stored of them?", err=True)):
            removed = await wired.drawers.prune(named, wing, report.gone)
            err.print(f"pruned sources: {len(report.gone)}, drawers: {removed}")

    try:
        with_palace(run, palace)
    except KeyboardInterrupt:
        err.print("stopped: what was stored stays, and the same command again stores the rest", soft_wrap=True)
        raise typer.Exit(_CTRL_C) from None


@app.command()
def search(
    query: Annotated[str, typer.Argument(help="Words to look for.")],
    wing: Annotated[str | None, typer.Option(help="Only this wing.")] = None,
    room: Annotated[str | None, typer.Option(help="Only rooms of this name.")] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help=f"Said or stored at or after this time: {TIMES}.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="Said or stored before this time, written likewise.")
    ] = None,
    top_k: Annotated[int, typer.Option("--top-k", help="Number of hits, 1 to 200.")] = 10,
    lanes: Annotated[str, typer.Option(help="What to ask, as fulltext,semantic,path; default: as configured.")] = "",
    codes: Annotated[list[str] | None, typer.Option(help="A wanted code, as cpc:H04L9/32 or ipc:H04L=0.7.")] = None,
    weights: Annotated[str, typer.Option(help="Weights of lanes, as fulltext=2,semantic=0.5.")] = "",
    fusion: Annotated[str | None, typer.Option(help="evidence or rrf; default: as configured.")] = None,
    preset: Annotated[str | None, typer.Option(help="A plan of [search.presets].")] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what each lane gave to each hit, and what learning changed.")
    ] = False,
    unlearned: Annotated[bool, typer.Option("--unlearned", help="Answer as if there were no feedback.")] = False,
    rerank: Annotated[bool, typer.Option("--rerank", help="Reorder the best, as [rerank] says.")] = False,
    mmr_lambda: Annotated[float | None, typer.Option(help="Of --rerank: 0 for variety, 1 for relevance.")] = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Search full text and embeddings; each hit shows its path and its reasons."""
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
        profile=_profile(codes or []),
        weights=_weights(weights),
        fusion=fusion,
        without=frozenset({"learning"}) if unlearned else frozenset(),
        rerank=rerank,
        mmr_lambda=mmr_lambda,
    )

    async def run(wired: GraphPalace, named: str) -> Answer:
        answer = await wired.recall.search(named, question)
        if not answer.hits and not any(row["drawers"] for row in await wired.drawers.wings(named)):
            err.print(
                f"palace {named} is empty: `graphpalace ingest FOLDER --wing NAME` puts files into it",
                markup=False,
                highlight=False,
                soft_wrap=True,
            )
        return answer

    answer = with_palace(run, palace, wing=wing, room=room)
    show.answer(out, query, answer, as_json=as_json, explain=explain)


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
            raise InvalidInput(f"--codes is {text!r}; give it as cpc:H04L9/32 or ipc:H04L=0.7", field="codes")
    return found


def _weights(text: str) -> dict[str, float] | None:
    if not text:
        return None
    try:
        return {lane: float(weight) for lane, _, weight in (part.partition("=") for part in text.split(","))}
    except ValueError:
        raise InvalidInput(f"--weights is {text!r}; give them as fulltext=2,semantic=0.5", field="weights") from None


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port to listen on; 0: a free one.")] = None,
) -> None:
    """Serve HTTP under /v1, with its description at /docs; stops gracefully on SIGTERM and Ctrl-C."""
    from graphpalace.serve.cli.service import run_service

    settings = context.settings()
    changed = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    run_service(settings.model_copy(update={"service": settings.service.model_copy(update=changed)}))

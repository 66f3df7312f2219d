"""The command that files conversations as they are held."""

from __future__ import annotations

import asyncio
import json
import signal
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from graphpalace.domain.conversations import TranscriptFile
from graphpalace.domain.counts import counted
from graphpalace.domain.identity import place_name
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.in_process import with_palace
from graphpalace.serve.cli.output import err, out

if TYPE_CHECKING:
    from graphpalace.app import GraphPalace
    from graphpalace.operations.conversations.watch import WatchedFile


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(watch)


def watch(
    places: Annotated[
        list[str],
        typer.Argument(help="Hosts (claude-code, codex, cursor, gemini) whose transcripts to file, or folders."),
    ],
    wing: Annotated[
        str | None, typer.Option(help="Wing to put them into. Default: the wing of the project, or else of the host.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="End when the transcripts that are there are filed.")] = False,
    again: Annotated[bool, typer.Option("--again", help="File what was forgotten, too.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """File the conversations of agents from their transcripts, now and as they go on, until SIGTERM or Ctrl-C.

    What is filed already is left as it is. Keys, tokens and private keys are masked.
    """
    from graphpalace.operations.conversations.watch import watch as watched
    from graphpalace.operations.conversations.watch import watched_folder

    if wing is not None:
        place_name("wing", wing)
    folders = [watched_folder(place, home=Path.home()) for place in places]
    read, new, failed = 0, 0, 0

    async def run(wired: GraphPalace, named: str) -> None:
        nonlocal read, new, failed
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with suppress(NotImplementedError):  # on Windows
                loop.add_signal_handler(number, stop.set)
        conversations = wired.conversations
        if not once:
            err.print(f"watching {', '.join(map(str, places))}; Ctrl-C stops it", markup=False, highlight=False)
        async for done in watched(
            folders,
            lambda path, host: conversations.file_transcript(named, TranscriptFile(path, host), wing=wing, again=again),
            once=once,
            stop=stop,
        ):
            read += 1
            new += done.filed is not None and done.filed.turns > 0
            failed += done.error is not None
            _show(done, as_json=as_json)

    with_palace(run, palace)
    if once and not as_json:
        out.print(f"{counted(read, 'transcript')} read, {new or 'none'} with something new", highlight=False)
    if once and failed:
        raise typer.Exit(1)


def _show(done: WatchedFile, *, as_json: bool) -> None:
    if done.error is not None:
        err.print(f"[yellow]not filed[/yellow] {escape(str(done.path))}: {escape(done.error.message)}", soft_wrap=True)
    elif done.filed is not None and as_json:
        print(json.dumps({"path": str(done.path)} | asdict(done.filed)), flush=True)
    elif done.filed is not None and done.filed.forgotten_at is not None:
        day = done.filed.forgotten_at[:10]
        out.print(
            f"{done.filed.source_uri} was forgotten on {day}, so it is not filed; --again files it",
            soft_wrap=True,
            highlight=False,
            markup=False,
        )
    elif done.filed is not None and done.filed.turns:
        filed = done.filed
        masked = ", ".join(f"{count} {kind}" for kind, count in filed.masked.items())
        out.print(
            f"{filed.wing}: {counted(filed.turns, 'turn')} of {filed.source_uri}"
            + (f"; masked: {masked}" if masked else "")
            + (f"; left out: {counted(filed.broken_lines, 'broken line')}" if filed.broken_lines else ""),
            soft_wrap=True,
            highlight=False,
            markup=False,
        )

"""The command that files conversations as they are held."""

from __future__ import annotations

import asyncio
import json
import signal
from contextlib import nullcontext, suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from graphpalace.domain.identity import place_name
from graphpalace.domain.texts import counted
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.output import err, out
from graphpalace.serve.cli.reached import InProcess, reached

if TYPE_CHECKING:
    from graphpalace.domain.conversations import FiledConversation
    from graphpalace.domain.hooks import HostName
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
        str | None,
        typer.Option(
            help="Wing to put them into. Default: the wing of the project; without a project, that of the host."
        ),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Stop when the existing transcripts are filed.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Also file what was forgotten before.")] = False,
    in_process: InProcess = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """File the conversations of agents from their transcripts, and new turns as they come, until SIGTERM or Ctrl-C.

    Filed turns are not changed. API keys, tokens and private keys are masked.
    """
    from graphpalace.operations.conversations.watch import watch as watched
    from graphpalace.operations.conversations.watch import watched_folder

    if wing is not None:
        place_name("wing", wing)
    folders = [watched_folder(place, home=Path.home()) for place in places]
    read, new, failed = 0, 0, 0

    def file(path: Path, host: str | None) -> FiledConversation | None:
        # Each file asks for the service anew, which may have ended or been replaced since the last one.
        with opened() as found:
            return found.conversations.file(path, host=cast("HostName", host), wing=wing, again=again)

    async def run() -> None:
        nonlocal read, new, failed
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with suppress(NotImplementedError):  # on Windows
                loop.add_signal_handler(number, stop.set)
        if not once:
            err.print(f"watching {', '.join(map(str, places))}; Ctrl-C stops it", markup=False, highlight=False)
        async for done in watched(folders, partial(asyncio.to_thread, file), once=once, stop=stop):
            read += 1
            new += done.filed is not None and done.filed.turns > 0
            failed += done.error is not None
            _show(done, as_json=as_json)

    with reached(palace, in_process=in_process) as first:
        opened = partial(nullcontext, first) if first.in_process else partial(reached, palace)
        asyncio.run(run())
    if once and not as_json:
        out.print(f"{counted(read, 'transcript')} read, {new or 'none'} with something new", highlight=False)
    if once and failed:
        raise typer.Exit(1)


def _show(done: WatchedFile, *, as_json: bool) -> None:
    if done.error is not None:
        from rich.markup import escape

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

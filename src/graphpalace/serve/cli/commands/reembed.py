"""The command that changes the embedding model of a palace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from graphpalace.domain.counts import counted
from graphpalace.domain.reembedded import ReembedProgress
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.in_process import with_palace
from graphpalace.serve.cli.output import err, out, print_json

if TYPE_CHECKING:
    from graphpalace.app import GraphPalace

_CTRL_C = 130  # the exit code after Ctrl-C


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(reembed)


def reembed(palace: Palace = None, as_json: AsJson = False) -> None:
    """Compute the vectors of a palace anew with the configured model. Until all are there, the old ones answer."""

    async def run(wired: GraphPalace, named: str) -> Any:
        with _progress(err) as progress:
            found = await wired.reembed(named, progress)
        if as_json:
            print_json(found)
        elif found.before == found.model and not found.embedded:
            out.print(f"palace {named} has vectors of {found.model} already")
        else:
            out.print(f"palace {named} now has vectors of {found.model}: {counted(found.embedded, 'text')} embedded")

    try:
        with_palace(run, palace, any_model=True)
    except KeyboardInterrupt:
        err.print("stopped: run the same command again to go on; until then, the old vectors answer", soft_wrap=True)
        raise typer.Exit(_CTRL_C) from None


@contextmanager
def _progress(console: Console) -> Iterator[Callable[[ReembedProgress], None]]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)

        def update(now: ReembedProgress) -> None:
            if progress.tasks[0].description != now.step:
                progress.reset(task, description=now.step)
            progress.update(task, completed=now.done, total=now.total)

        yield update

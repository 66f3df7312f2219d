"""The commands that export and import a palace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn

from graphpalace.domain.counts import counted
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.reached import reached

if TYPE_CHECKING:
    from graphpalace.domain.transfer.answers import TransferProgress

_CTRL_C = 130  # the exit code after Ctrl-C
_SHOWN = 10  # conflicts


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(name="export")(export_palace)
    app.command(name="import")(import_palace)


def export_palace(
    folder: Annotated[Path, typer.Argument(help="Folder to write; it must not exist yet, or be empty.")],
    runs: Annotated[bool, typer.Option("--runs", help="Also export searches and runs, which expire.")] = False,
    vectors: Annotated[
        bool,
        typer.Option(
            "--vectors/--no-vectors", help="Also export vectors. Without them, an import computes them again."
        ),
    ] = True,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Write everything that a palace has into a folder of JSON lines, which `import` reads."""
    from graphpalace.client.export_folder import check_target

    check_target(folder)
    with reached(palace) as found, _stopped("stopped: nothing is left of the export"), _progress(err) as progress:
        done = found.export(folder, runs=runs, vectors=vectors, progress=progress)
    if as_json:
        print_json(done)
        return
    out.print(
        f"exported palace {done.palace} to {escape(str(folder))}: {counted(done.rows.get('drawers', 0), 'drawer')}, "
        f"{counted(sum(done.rows.values()), 'row')}",
        highlight=False,
        soft_wrap=True,
    )
    if done.changed_meanwhile:
        err.print(
            "somebody wrote to the palace during the export: what came meanwhile may be incomplete in it. Export again "
            "when nobody writes, to have one moment",
            soft_wrap=True,
        )


def import_palace(
    folder: Annotated[Path, typer.Argument(help="Folder that `export` wrote.")],
    vectors: Annotated[
        bool, typer.Option("--vectors/--no-vectors", help="Use the vectors of the export, or compute them again.")
    ] = True,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Bring an export into a palace, which is created if it is missing. What is there already stays as it is."""
    from graphpalace.client.export_folder import ExportFolder

    ExportFolder(folder)
    with (
        reached(palace, may_be_missing=True) as found,
        _stopped("stopped: run the same command again to import the rest"),
        _progress(err) as progress,
    ):
        done = found.import_(folder, vectors=vectors, progress=progress)
    if as_json:
        print_json(done)
        return
    out.print(
        f"imported into palace {done.palace}: {counted(done.created.get('drawers', 0), 'new drawer')}, "
        f"{counted(sum(done.created.values()), 'new row')}; {sum(done.kept.values())} were there already",
        highlight=False,
        soft_wrap=True,
    )
    if done.left_out:
        left = ", ".join(f"{count} of {file}" for file, count in done.left_out.items())
        out.print(f"left out: {left}", highlight=False, soft_wrap=True)
    if done.conflicts:
        out.print(f"different in the palace, which keeps its own: {done.conflicts}", highlight=False)
        for one in done.named_conflicts[:_SHOWN]:
            out.print(f"  {escape(one)}", highlight=False, soft_wrap=True)


@contextmanager
def _stopped(said: str) -> Iterator[None]:
    """Say what Ctrl-C leaves, and end with its exit code."""
    try:
        yield
    except KeyboardInterrupt:
        err.print(said, soft_wrap=True)
        raise typer.Exit(_CTRL_C) from None


@contextmanager
def _progress(console: Console) -> Iterator[Callable[[TransferProgress], None]]:
    """Yield a callback that shows the current file and the rows done."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,.0f} rows"))
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)

        def update(now: TransferProgress) -> None:
            progress.update(task, description=now.file, completed=now.done, total=now.total)

        yield update

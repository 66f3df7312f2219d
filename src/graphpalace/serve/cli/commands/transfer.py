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
from graphpalace.errors import InvalidInput
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
    folder: Annotated[Path, typer.Argument(help="Folder that `export` wrote, or the files of another memory.")],
    origin: Annotated[
        str | None,
        typer.Option("--from", metavar="MEMORY", help="Move in from another memory: mempalace, mem0 or claude."),
    ] = None,
    wing: Annotated[str | None, typer.Option(help="With --from: put everything into this wing.")] = None,
    vectors: Annotated[
        bool, typer.Option("--vectors/--no-vectors", help="Use the vectors of the export, or compute them again.")
    ] = True,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Bring an export into a palace, which is created if it is missing. What is there already stays as it is."""
    from graphpalace.client.export_folder import ExportFolder

    if origin is not None:
        _move_in(folder, origin, wing, palace, as_json=as_json)
        return
    if wing is not None:
        raise InvalidInput("--wing is only for --from: an export has the wings of its palace", field="wing")
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


def _move_in(path: Path, origin: str, wing: str | None, palace: str | None, *, as_json: bool) -> None:
    """Bring what another memory keeps into a palace."""
    from graphpalace.client.moving_in.origins import read_origin

    read_origin(path, origin, wing=wing)
    with (
        reached(palace, may_be_missing=True) as found,
        _stopped("stopped: run the same command again to move in the rest"),
        _progress(err) as progress,
    ):
        if palace is not None:
            found.palaces.create(palace)
        done = found.move_in(path, origin, wing=wing, progress=progress)  # pyright: ignore[reportArgumentType]
    if as_json:
        print_json(done)
        return
    out.print(
        f"moved in from {origin}: {counted(done.drawers, 'new drawer')}, {done.kept} were there already; "
        f"{counted(done.conversations, 'conversation')} with {counted(done.turns, 'new turn')}; "
        f"{counted(done.facts, 'fact')}",
        highlight=False,
        soft_wrap=True,
    )
    for what, found_there in (("not taken", done.skipped), ("masked", done.masked)):
        if found_there:
            listed = ", ".join(f"{count} {kind}" for kind, count in sorted(found_there.items()))
            out.print(f"{what}: {escape(listed)}", highlight=False, soft_wrap=True)


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

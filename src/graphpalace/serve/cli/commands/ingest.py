"""The command that stores files and folders."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, get_args
from urllib.parse import quote, unquote

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from graphpalace.domain.identity import place_name
from graphpalace.domain.room import WingType
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.serve.cli.commands.names import reading_progress
from graphpalace.serve.cli.context import AsJson, Palace, window_sizes
from graphpalace.serve.cli.in_process import with_palace
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.setting_option import setting_option

if TYPE_CHECKING:
    from graphpalace.app import GraphPalace
    from graphpalace.operations.drawers.ingest import IngestReport

_LONGEST_NAME = 255  # bytes, on most file systems
_CTRL_C = 130  # the exit code after Ctrl-C


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(ingest)


def ingest(
    paths: Annotated[
        list[Path], typer.Argument(help="Files and folders to store, or - to read one document from standard input.")
    ],
    wing: Annotated[str, typer.Option(help="Wing to put them into.")],
    wing_type: Annotated[WingType, typer.Option(help="Type of the wing, if it is new.")] = WingType.TOPIC,
    rooms: Annotated[str | None, setting_option("ingest", "rooms")] = None,
    max_files: Annotated[int | None, setting_option("ingest", "max_files", min=0)] = None,
    windows: Annotated[str, setting_option("ingest", "windows", form="1000,2000,4000")] = "",
    prune: Annotated[bool, typer.Option("--prune", help="Remove the drawers of files that no longer exist.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before pruning.")] = False,
    again: Annotated[bool, typer.Option("--again", help="File conversations that were forgotten, too.")] = False,
    name: Annotated[
        str | None,
        typer.Option(
            help="Name of the document from standard input, such as report.md. Its suffix tells the format, and a "
            "later document of this name replaces it. Default: a name made from the content.",
        ),
    ] = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Store files and folders word for word. Files that did not change since the last ingest are skipped."""
    from graphpalace.settings.sections.ingest import RoomMode

    place_name("wing", wing)
    if rooms is not None and rooms not in get_args(RoomMode):
        raise InvalidInput(f"--rooms is {rooms!r}; it must be one of {', '.join(get_args(RoomMode))}", field="rooms")
    sizes = window_sizes(windows)
    if name is not None and Path("-") not in paths:
        raise InvalidInput(f"--name is {name!r}, but no path is -; it names what is read from there", field="name")

    for path in paths:  # said at once, not when everything is loaded
        if path != Path("-") and not path.exists():
            raise NotFound(f"{path} does not exist", path=str(path))

    async def run(wired: GraphPalace, named: str) -> Any:
        with standard_input(paths, name) as (files, uris), ingest_progress(err) as progress:
            report = await wired.ingest(
                files,
                palace=named,
                wing=wing,
                wing_type=wing_type,
                rooms=rooms,
                max_files=max_files,
                windows=sizes,
                uris=uris,
                again=again,
                progress=progress,
            )
        show_report(out, report, as_json=as_json, prune=prune)
        with reading_progress(err) as reading:
            await wired.names.finish(named, progress=reading)
        if prune and report.gone and (yes or typer.confirm("Remove the drawers of these sources?", err=True)):
            removed = (await wired.drawers.prune(named, wing, report.gone)).deleted
            err.print(f"pruned sources: {len(report.gone)}, drawers: {removed}")

    try:
        with_palace(run, palace)
    except KeyboardInterrupt:
        err.print(
            "stopped: what is already stored is kept; run the same command again to store the rest", soft_wrap=True
        )
        raise typer.Exit(_CTRL_C) from None


@contextmanager
def standard_input(paths: Sequence[Path], name: str | None) -> Iterator[tuple[Sequence[Path], Mapping[Path, str]]]:
    """Yield the paths with a file in place of -, and its URI, such as `stdin:report.md`.

    Raises:
        InvalidInput: If the input is empty, or the name is not one of a file.
    """
    if Path("-") not in paths:
        yield paths, {}
        return
    if name is not None:
        place_name("name", name)
        if Path(name).name != name or len(os.fsencode(name)) > _LONGEST_NAME:
            raise InvalidInput(
                f"--name is {name!r}; it must be the name of a file, without folders, in at most {_LONGEST_NAME} bytes",
                field="name",
            )
    content = sys.stdin.buffer.read()
    if not content.strip():
        raise InvalidInput("standard input is empty; it must have the text to store", field="paths")
    name = name or f"stdin-{hashlib.blake2b(content, digest_size=8).hexdigest()}"
    with TemporaryDirectory(prefix="graphpalace-") as folder:
        file = Path(folder).resolve() / name
        file.write_bytes(content)
        yield [file if path == Path("-") else path for path in paths], {file: f"stdin:{quote(name)}"}


@contextmanager
def ingest_progress(console: Console) -> Iterator[Callable[[IngestReport], None]]:
    """Yield a callback that shows the files done, the drawers per second and the time left."""
    columns = (
        TextColumn("ingesting"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files, {task.fields[drawers]} drawers, {task.fields[rate]:.0f}/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None, drawers=0, rate=0.0)

        def update(report: IngestReport) -> None:
            elapsed = progress.tasks[0].elapsed or 0.0
            progress.update(
                task,
                completed=report.files_done,
                total=report.files_total,
                drawers=report.drawers_created,
                rate=report.drawers_created / elapsed if elapsed else 0.0,
            )

        yield update


def show_report(out: Console, report: IngestReport, *, as_json: bool, prune: bool) -> None:
    """Print what an ingest stored, what it skipped, and which sources no longer exist."""
    if as_json:
        print_json(report.as_json())
        return
    out.print(
        f"documents: {report.documents_stored} stored"
        + (f" ({report.documents_moved} of them moved or renamed)" if report.documents_moved else "")
        + f", {report.documents_unchanged} unchanged; "
        f"drawers: {report.drawers_created} new, {report.drawers_kept} kept, {report.drawers_removed} removed; "
        f"{report.similar_edges} SIMILAR_TO edges; {report.seconds:.1f} s",
        highlight=False,
    )
    if report.skipped:
        out.print("skipped: " + ", ".join(f"{count} {reason}" for reason, count in sorted(report.skipped.items())))
    if report.masked:
        out.print(
            "masked: " + ", ".join(f"{count} {kind}" for kind, count in sorted(report.masked.items())), highlight=False
        )
    if report.slow_seconds >= 1:
        out.print(f"slow files took {report.slow_seconds:.0f} s of processor time", highlight=False)
    for message in report.unreadable:
        out.print(f"[yellow]not read[/yellow] {escape(message)}")
    if report.gone:
        out.print(f"sources that no longer exist: {len(report.gone)}" + ("" if prune else " (--prune removes them)"))
        for uri in report.gone[: len(report.gone) if prune else 5]:
            out.print(f"  {escape(unquote(uri))}", highlight=False)

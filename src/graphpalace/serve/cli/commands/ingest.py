"""The command that stores files and folders."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, get_args
from urllib.parse import quote, unquote

import typer

from graphpalace.domain.identity import place_name
from graphpalace.domain.palaces.places import WingType
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.serve.cli.commands.names import reading_step
from graphpalace.serve.cli.context import AsJson, Palace, context, setting_option, window_sizes
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.progress import ProgressStep, shown_progress, stopped
from graphpalace.serve.cli.reached import InProcess, Ray, reached
from graphpalace.settings.home import setting_text

if TYPE_CHECKING:
    from rich.console import Console

    from graphpalace.client.synchronous.palace import Palace as Reached
    from graphpalace.domain.drawers.ingest import IngestReport

_LONGEST_NAME = 255  # bytes, on most file systems
_MOST_PRUNED = 10_000  # sources in one request
_SENT = ("ingest.rooms", "ingest.max_files", "ingest.windows")


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
    again: Annotated[bool, typer.Option("--again", help="Also file conversations that were forgotten before.")] = False,
    name: Annotated[
        str | None,
        typer.Option(
            help="Name of the document from standard input, such as report.md. Its suffix tells the format, and a "
            "later document of this name replaces it. Default: a name made from the content.",
        ),
    ] = None,
    in_process: InProcess = False,
    ray: Ray = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Store files and folders word for word. Files that did not change since the last ingest are skipped.

    The service does the work, and several of these commands may run at once. Ctrl-C stops the command; what is stored
    by then is kept.
    """
    place_name("wing", wing)
    if rooms is not None:
        _check_rooms(rooms)
    sizes = window_sizes(windows)
    if name is not None and Path("-") not in paths:
        raise InvalidInput(f"--name is {name!r}, but no path is -; it names the text from standard input", field="name")

    for path in paths:  # said at once, not when the service has started
        if path != Path("-") and not path.exists():
            raise NotFound(f"{path} does not exist", path=str(path))

    given = {"rooms": rooms, "max_files": max_files, "windows": sizes}
    chosen = _from_environment() | {key: value for key, value in given.items() if value is not None}
    with (
        stopped("what is already stored is kept; run the same command again to store the rest"),
        standard_input(paths, name) as (files, uris),
        reached(palace, in_process=in_process, ray=ray, sent=_SENT) as found,
    ):
        with shown_progress("ingesting", err) as tell:
            report = found.ingest(
                files,
                wing=wing,
                wing_type=wing_type,
                again=again,
                uris=uris,
                read_names=found.in_process,
                progress=lambda now: tell(ingest_step(now)),
                reading=lambda now: tell(reading_step(now)),
                **chosen,
            )
        show_report(out, report, as_json=as_json, prune=prune)
        if prune and report.gone and (yes or typer.confirm("Remove the drawers of these sources?", err=True)):
            _prune(found, wing, report.gone)


def _check_rooms(rooms: str) -> None:
    from graphpalace.domain.drawers.files import RoomMode

    if rooms not in get_args(RoomMode):
        raise InvalidInput(f"--rooms is {rooms!r}; it must be one of {', '.join(get_args(RoomMode))}", field="rooms")


def ingest_step(now: IngestReport) -> ProgressStep:
    """Return how far an ingest is."""
    return ProgressStep("ingesting", now.files_done, now.files_total or None, "files", (now.drawers_created, "drawers"))


def _prune(found: Reached, wing: str, gone: Sequence[str]) -> None:
    batches = [gone[start : start + _MOST_PRUNED] for start in range(0, len(gone), _MOST_PRUNED)]
    removed = sum(found.prune(wing, batch) for batch in batches)
    err.print(f"pruned sources: {len(gone)}, drawers: {removed}")


def _from_environment() -> dict[str, Any]:
    """Return the settings of this command that the environment or the settings file names, to be sent.

    Raises:
        InvalidInput: If one cannot be read.
    """
    read: Mapping[str, Callable[[str], Any]] = {"rooms": str, "max_files": int, "windows": json.loads}
    found = {}
    for key, parse in read.items():
        text = setting_text("ingest", key, context.config)
        try:
            found |= {} if text is None else {key: parse(text)}
        except ValueError:
            raise InvalidInput(f"[ingest] {key} is {text!r}, which cannot be read", field=f"ingest.{key}") from None
    return found


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


def show_report(out: Console, report: IngestReport, *, as_json: bool, prune: bool) -> None:
    """Print what an ingest stored, what it skipped, and which sources no longer exist."""
    from rich.markup import escape

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

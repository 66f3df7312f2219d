"""The commands that export and import a palace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.domain.texts import counted
from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.progress import ProgressStep, shown_progress, stopped
from graphpalace.serve.cli.reached import InProcess, reached

if TYPE_CHECKING:
    from graphpalace.domain.transfer.answers import TransferProgress

_SHOWN = 10  # conflicts


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(name="export")(export_palace)
    app.command(name="import")(import_palace)


def export_palace(
    folder: Annotated[Path, typer.Argument(help="Folder to write. It must be new or empty.")],
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
    """Write everything in a palace into a folder of JSON Lines files, which `import` reads."""
    from graphpalace.client.export_folder import check_target

    check_target(folder)
    with (
        stopped("nothing is left of the export"),
        reached(palace) as found,
        shown_progress("exporting", err) as tell,
    ):
        done = found.export(folder, runs=runs, vectors=vectors, progress=lambda now: tell(_step(now)))
    if as_json:
        print_json(done)
        return
    from rich.markup import escape

    out.print(
        f"exported palace {done.palace} to {escape(str(folder))}: {counted(done.rows.get('drawers', 0), 'drawer')}, "
        f"{counted(sum(done.rows.values()), 'row')}",
        highlight=False,
        soft_wrap=True,
    )
    if done.changed_meanwhile:
        err.print(
            "the palace was changed during the export, which may have only a part of these changes. To export the "
            "palace as it is at one moment, export it again while nobody writes to it",
            soft_wrap=True,
        )


def import_palace(
    folder: Annotated[Path, typer.Argument(help="Folder that `export` wrote, or the files of another memory product.")],
    origin: Annotated[
        str | None,
        typer.Option("--from", metavar="MEMORY", help="Import from another memory product: mempalace, mem0 or claude."),
    ] = None,
    wing: Annotated[str | None, typer.Option(help="With --from: put everything into this wing.")] = None,
    vectors: Annotated[
        bool, typer.Option("--vectors/--no-vectors", help="Use the vectors of the export, or compute them again.")
    ] = True,
    in_process: InProcess = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Import an export into a palace, which is created if it is missing. What the palace already has is not changed."""
    from graphpalace.client.export_folder import ExportFolder

    if origin is not None:
        _move_in(folder, origin, wing, palace, in_process=in_process, as_json=as_json)
        return
    if wing is not None:
        raise InvalidInput("--wing can only be used with --from: an export has the wings of its palace", field="wing")
    ExportFolder(folder)
    with (
        stopped("run the same command again to import the rest"),
        reached(palace, may_be_missing=True, in_process=in_process) as found,
        shown_progress("importing", err) as tell,
    ):
        done = found.import_(folder, vectors=vectors, progress=lambda now: tell(_step(now)))
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
        from rich.markup import escape

        out.print(f"already in the palace with other values, which were kept: {done.conflicts}", highlight=False)
        for one in done.named_conflicts[:_SHOWN]:
            out.print(f"  {escape(one)}", highlight=False, soft_wrap=True)


def _move_in(path: Path, origin: str, wing: str | None, palace: str | None, *, in_process: bool, as_json: bool) -> None:
    """Bring what another memory keeps into a palace."""
    from graphpalace.client.moving_in.origins import read_origin

    read_origin(path, origin, wing=wing)
    with (
        stopped("run the same command again to move in the rest"),
        reached(palace, may_be_missing=True, in_process=in_process) as found,
        shown_progress("moving in", err) as tell,
    ):
        if palace is not None:
            found.palaces.create(palace)
        done = found.move_in(path, origin, wing=wing, progress=lambda now: tell(_step(now)))  # pyright: ignore[reportArgumentType]
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
    from rich.markup import escape

    for what, found_there in (("not taken", done.skipped), ("masked", done.masked)):
        if found_there:
            listed = ", ".join(f"{count} {kind}" for kind, count in sorted(found_there.items()))
            out.print(f"{what}: {escape(listed)}", highlight=False, soft_wrap=True)


def _step(now: TransferProgress) -> ProgressStep:
    return ProgressStep(now.file, now.done, now.total, "rows")

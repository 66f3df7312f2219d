"""The commands that back up the whole database, and restore it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.domain.texts import counted
from graphpalace.serve.cli.context import AsJson, context
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.progress import ProgressStep, shown_progress, stopped

if TYPE_CHECKING:
    from graphpalace.domain.backup import BackupMade, BackupProgress, BackupRestored
    from graphpalace.settings.load import Settings

KeyFile = Annotated[
    Path | None,
    typer.Option("--key-file", help="File with a key of 64 hexadecimal digits. Default: [backup] key_file."),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(backup)
    app.command()(restore)


def backup(
    to: Annotated[
        Path | None,
        typer.Argument(help="File to write, or a folder. Default: a file with the date in [backup] folder."),
    ] = None,
    key_file: KeyFile = None,
    as_json: AsJson = False,
) -> None:
    """Write the whole database, as it is at one moment, into one file. Everybody can go on searching meanwhile.

    The file is read again and compared before it appears. Writers wait a few seconds if somebody writes meanwhile.
    """
    import asyncio

    with stopped("nothing is left of the backup"), shown_progress("reading", err) as tell:
        done = asyncio.run(_backup(context.settings(), to, key_file, lambda now: tell(_step(now))))
    if as_json:
        print_json(done)
        return
    out.print(
        f"backed up {counted(done.nodes, 'node')} and {counted(done.relationships, 'relationship')} of "
        f"{_palaces(done)} to {done.path}: {done.bytes / 1e6:,.1f} MB{', encrypted' if done.encrypted else ''}",
        markup=False, highlight=False, soft_wrap=True,
    )  # fmt: skip
    if done.paused_s:
        out.print(f"writers waited {done.paused_s:.1f} s", highlight=False)
    if done.deleted:
        out.print(f"deleted {counted(len(done.deleted), 'older backup')}", highlight=False)


def restore(
    file: Annotated[Path, typer.Argument(help="File that `backup` wrote.")],
    key_file: KeyFile = None,
    replace: Annotated[bool, typer.Option("--replace", help="Delete what the database has. It asks first.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    as_json: AsJson = False,
) -> None:
    """Restore a backup into an empty database. The service is stopped meanwhile, and Neo4j is started if necessary.

    The file is checked before anything changes. If the command is interrupted, run it again: until then, nothing else
    uses the database.
    """
    import asyncio

    from graphpalace import app
    from graphpalace.client import service_file
    from graphpalace.client.ensure_service import START_S, alone
    from graphpalace.client.service_process import end, launch

    settings, home = context.settings(), context.home()
    if replace and not yes:
        where = settings.neo4j.uri or app.managed_server(settings).home
        typer.confirm(f"Delete everything in the database {where}, and restore {file}?", abort=True, err=True)
    with alone(home):
        if serves := service_file.running_or_none(home.folder) is not None:
            end(home)
        try:
            if not settings.neo4j.uri:
                app.managed_server(settings).up(tell=partial(err.print, markup=False, highlight=False))
            with (
                stopped("run the same command again: until then, nothing else uses the database"),
                shown_progress("checking", err) as tell,
            ):
                done = asyncio.run(_restore(settings, file, key_file, replace, lambda now: tell(_step(now))))
        finally:
            if serves:
                launch(home, timeout_s=START_S, for_all=True)
    if as_json:
        print_json(done)
        return
    out.print(
        f"restored {counted(done.nodes, 'node')} and {counted(done.relationships, 'relationship')} of "
        f"{_palaces(done)} as of {done.made_at}",
        markup=False, highlight=False, soft_wrap=True,
    )  # fmt: skip
    if done.applied:
        out.print(f"applied {', '.join('V' + version for version in done.applied)}", highlight=False)


async def _backup(settings: Settings, to: Path | None, key_file: Path | None, progress) -> BackupMade:
    from graphpalace.app.backup import make_backup
    from graphpalace.serve.cli.in_process import verified_database

    async with verified_database(settings) as database:
        return await make_backup(settings, database, key_file=key_file).make(to, progress=progress)


async def _restore(settings: Settings, file: Path, key_file: Path | None, replace: bool, progress) -> BackupRestored:
    from graphpalace.app.backup import make_restore
    from graphpalace.serve.cli.in_process import verified_database

    async with verified_database(settings) as database:
        return await make_restore(settings, database, key_file=key_file).restore(
            file, replace=replace, progress=progress
        )


def _palaces(done: BackupMade | BackupRestored) -> str:
    return f"the palace {done.palaces[0]}" if len(done.palaces) == 1 else f"{len(done.palaces)} palaces"


def _step(now: BackupProgress) -> ProgressStep:
    return ProgressStep(now.doing, now.done, now.total, "nodes and relationships")

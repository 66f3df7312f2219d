"""The commands that list, create and drop palaces."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.domain.counts import counted
from graphpalace.domain.identity import palace_name
from graphpalace.serve.cli import show
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.context import AsJson, context
from graphpalace.serve.cli.in_process import with_database
from graphpalace.serve.cli.output import out

if TYPE_CHECKING:
    from graphpalace.settings.load import Settings
    from graphpalace.store.connection.database import Database

palaces = Commands(help="List, create and drop palaces. One database can hold several.")
PalaceName = Annotated[str, typer.Argument(help="1 to 63 characters of a-z, 0-9 and _, starting with a letter.")]


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(palaces, name="palace")


@palaces.command("list")
def palace_list(as_json: AsJson = False) -> None:
    """List the palaces with the number of their wings, rooms, closets and drawers."""
    from graphpalace.store.palaces.palaces import PalaceStore

    found = with_database(lambda _settings, database, _named: PalaceStore(database).every(), None)
    rows = [asdict(palace) for palace in found]
    if as_json:
        out.print_json(json.dumps(rows))
    else:
        show.table(out, rows, ["name", "wings", "rooms", "closets", "drawers", "model", "created_at"])


@palaces.command("create")
def palace_create(name: PalaceName) -> None:
    """Create a palace for the configured embedding model."""
    from graphpalace.app import make_palace, reached

    palace_name(name)
    settings = context.settings()

    async def run() -> bool:
        async with reached(settings) as (database, _):
            return await make_palace(settings, database, name)

    made = asyncio.run(run())
    out.print(f"palace {name} {'created' if made else 'already exists'}")


@palaces.command("drop")
def palace_drop(
    name: PalaceName, yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False
) -> None:
    """Remove a palace and everything in it."""
    from graphpalace.store.palaces.palace_drops import PalaceDrops
    from graphpalace.store.palaces.palaces import PalaceStore

    async def run(_settings: Settings, database: Database, named: str) -> int:
        await PalaceStore(database).get(named)  # report a missing palace before asking
        if not yes:
            typer.confirm(f"Remove palace {named} and everything in it?", abort=True, err=True)
        return await PalaceDrops(database).drop(named)

    removed = with_database(run, name)
    out.print(f"palace {name} dropped, {counted(removed, 'node')} removed")

"""The commands that list and drop wings."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.domain.counts import counted
from graphpalace.serve.cli import show
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.in_process import with_database, with_palace
from graphpalace.serve.cli.output import out

if TYPE_CHECKING:
    from graphpalace.app import GraphPalace
    from graphpalace.domain.places import Wing
    from graphpalace.settings.load import Settings
    from graphpalace.store.connection.database import Database

wings = Commands(help="List and drop wings, the parts of a palace. `ingest` creates them.")


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(wings, name="wing")


@wings.command("list")
def wing_list(palace: Palace = None, as_json: AsJson = False) -> None:
    """List the wings of a palace with the number of their rooms, closets and drawers."""
    from graphpalace.store.drawers.rooms import RoomStore
    from graphpalace.store.palaces.palaces import PalaceStore

    async def run(_settings: Settings, database: Database, named: str) -> list[Wing]:
        await PalaceStore(database).get(named)
        return await RoomStore(database).wings(named)

    rows = [asdict(wing) for wing in with_database(run, palace)]
    if as_json:
        out.print_json(json.dumps(rows))
    else:
        show.table(out, rows, ["name", "wing_type", "rooms", "closets", "drawers", "created_at"])


@wings.command("drop")
def wing_drop(
    name: Annotated[str, typer.Argument(help="The name of the wing, as `wing list` shows it.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    palace: Palace = None,
) -> None:
    """Remove a wing and everything in it."""

    async def run(wired: GraphPalace, named: str) -> int:
        if not yes:
            typer.confirm(f"Remove wing {name!r} and everything in it?", abort=True, err=True)
        return await wired.drawers.delete_wing(named, name)

    removed = with_palace(run, palace, wing=name)
    out.print(
        f"wing {name!r} dropped, {counted(removed, 'drawer')} removed", markup=False, highlight=False, soft_wrap=True
    )

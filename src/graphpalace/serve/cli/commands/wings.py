"""The commands that list and drop wings, and list rooms."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from graphpalace.domain.texts import counted
from graphpalace.serve.cli import show
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.output import out, print_json
from graphpalace.serve.cli.reached import reached

wings = Commands(help="List and drop wings, the parts of a palace. `ingest` creates them.")
rooms = Commands(help="List the rooms of a palace.")


def register(app: typer.Typer) -> None:
    """Add the groups of commands."""
    app.add_typer(wings, name="wing")
    app.add_typer(rooms, name="room")


@wings.command("list")
def wing_list(
    types: Annotated[bool, typer.Option("--types", help="Show the type of each wing, too.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """List the wings of a palace with the number of their rooms, closets and drawers."""
    with reached(palace) as found:
        rows = [asdict(wing) for wing in found.wings()]
    if as_json:
        print_json(rows)
    else:
        show.table(
            out,
            rows,
            ["name", *(["wing_type"] if types else []), "language", "rooms", "closets", "drawers", "created_at"],
        )


@wings.command("drop")
def wing_drop(
    name: Annotated[str, typer.Argument(help="The name of the wing, as `wing list` shows it.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Remove a wing and everything in it."""
    with reached(palace, wing=name) as found:
        found.rooms(wing=name)  # report a missing wing before asking
        if not yes:
            typer.confirm(f"Remove wing {name!r} and everything in it?", abort=True, err=True)
        removed = found.drop_wing(name)
    if as_json:
        print_json({"name": name, "deleted": removed})
    else:
        out.print(f"wing {name!r} dropped, {counted(removed, 'drawer')} removed", markup=False, highlight=False)


@rooms.callback()
def _group() -> None:
    """Keep `list` a subcommand, although it is the only one."""


@rooms.command("list")
def room_list(
    wing: Annotated[str | None, typer.Option(help="Only the rooms of this wing.")] = None,
    types: Annotated[bool, typer.Option("--types", help="Show the type of each room, too.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """List the rooms of a palace with the number of their closets and drawers."""
    with reached(palace, wing=wing) as found:
        rows = [asdict(room) for room in found.rooms(wing=wing)]
    if as_json:
        print_json(rows)
    else:
        show.table(out, rows, ["wing", "name", *(["hall_type"] if types else []), "closets", "drawers"])

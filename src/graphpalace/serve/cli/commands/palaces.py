"""The commands that list, create and drop palaces."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.domain.identity import palace_name
from graphpalace.domain.texts import counted
from graphpalace.errors import NotFound
from graphpalace.offers import palaces as offers
from graphpalace.serve.cli import show
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.context import AsJson
from graphpalace.serve.cli.offered import command
from graphpalace.serve.cli.output import out, print_json
from graphpalace.serve.cli.reached import reached

if TYPE_CHECKING:
    from graphpalace.domain.palaces.palaces import Palace, PalaceQuery

palaces = Commands(help="List, create and drop palaces. One database can hold several.")
PalaceName = Annotated[str, typer.Argument(help="1 to 63 characters of a-z, 0-9 and _, starting with a letter.")]


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(palaces, name="palace")


@command(palaces, "list", offers.LIST_PALACES)
def _listed(found: list[Palace], _asked: PalaceQuery) -> None:
    rows = [asdict(palace) for palace in found]
    show.table(out, rows, ["name", "wings", "rooms", "closets", "drawers", "model", "created_at"])


@palaces.command("create")
def palace_create(name: PalaceName, as_json: AsJson = False) -> None:
    """Create a palace for the configured embedding model."""
    palace_name(name)
    with reached(may_be_missing=True) as found:
        made = found.palaces.create(name)
    if as_json:
        print_json({"name": name, "created": made})
    else:
        out.print(f"palace {name} {'created' if made else 'already exists'}")


@palaces.command("drop")
def palace_drop(
    name: PalaceName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove a palace and everything in it."""
    with reached(name) as found:
        if name not in {palace.name for palace in found.palaces.list()}:  # report it before asking
            raise NotFound(f"there is no palace {name!r}", palace=name)
        if not yes:
            typer.confirm(f"Remove palace {name} and everything in it?", abort=True, err=True)
        removed = found.palaces.drop(name)
    if as_json:
        print_json({"name": name, "deleted": removed})
    else:
        out.print(f"palace {name} dropped, {counted(removed, 'node')} removed")

"""The commands for keys: that of the service, and those that are made for others."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.errors import InvalidInput
from graphpalace.offers import access
from graphpalace.serve.cli import show
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.context import AsJson, context
from graphpalace.serve.cli.offered import command
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.reached import reached

if TYPE_CHECKING:
    from graphpalace.domain.access.api_key import ApiKey, KeyQuery

keys = Commands(help="Create, list and revoke keys for others, and show the key of the service.")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(keys, name="key")


@keys.command("create")
def key_create(
    name: Annotated[str, typer.Argument(help="Who gets the key, for example Anna.")],
    grant: Annotated[
        list[str],
        typer.Option(
            metavar="ROLE:PLACE",
            help="What it allows: read:notes (a palace), write:notes/anna (a wing) or admin:* (everything). The roles "
            "are read, write and admin; each includes the ones before it. May be given several times.",
        ),
    ],
    expires: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="When it stops working: 12h, 30d, 8w, or a date. Default: never."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Create a key for somebody and print it. The key itself is not stored, so it cannot be shown again."""
    expires_at = None if expires is None else _moment(expires)
    with reached(may_be_missing=True) as palace:
        made = palace.keys.create(name, grant, expires_at=expires_at)
    if as_json:
        print_json(made)
        return
    err.print(
        f"Key {made.id} for {made.name}: {', '.join(made.grants)}, "
        f"{f'until {_shown(made.expires_at)}' if made.expires_at else 'until it is revoked'}. It is shown only now:",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    print(made.key)


@command(keys, "list", access.LIST_KEYS)
def _listed(found: list[ApiKey], _asked: KeyQuery) -> None:
    if not found:
        err.print("No key was made yet. `graphpalace key create NAME --grant read:PALACE` makes one.", markup=False)
        return
    rows = [
        {
            "id": key.id,
            "name": key.name,
            "grants": ", ".join(key.grants),
            "created": _shown(key.created_at),
            "expires": _shown(key.expires_at) if key.expires_at else "never",
            "last used": _shown(key.last_used_at) if key.last_used_at else "never",
        }
        for key in found
    ]
    show.table(out, rows, list(rows[0]))


@keys.command("revoke")
def key_revoke(
    key: Annotated[str, typer.Argument(help="Its id, as `key list` shows it, such as gp_0123456789ab.")],
    as_json: AsJson = False,
) -> None:
    """Revoke a key. It stops working at once, and within two seconds in other services of the same database."""
    from graphpalace.domain.access.api_key import key_id

    own = key_id(key)
    with reached(may_be_missing=True) as palace:
        palace.keys.revoke(own)
    if as_json:
        print_json({"id": own, "revoked": True})
    else:
        out.print(f"key {own} revoked")


@keys.command("show")
def key_show() -> None:
    """Print the key of the running service, for example for curl. Whoever has it can read and change everything."""
    from graphpalace.client.service_file import running

    found = running(context.home().folder)
    if found.key:
        print(found.key)
    else:
        err.print(f"The service at {found.url} asks for no key ([service] open_on_loopback).", markup=False)


def _moment(text: str) -> datetime:
    """Return the time that is so far from now, or that a text names.

    Raises:
        InvalidInput: If the text is neither.
    """
    ahead = re.fullmatch(r"(\d{1,6})([hdw])", text.strip())
    try:
        return datetime.now().astimezone() + int(ahead[1]) * _UNITS[ahead[2]] if ahead else datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"--expires is {text!r}; give hours, days or weeks such as 12h, 30d or 8w, or a date such as 2027-01-31",
            field="expires",
            value=text,
        ) from None


def _shown(moment: str) -> str:
    """Return a time to the minute, in the zone of this machine."""
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")

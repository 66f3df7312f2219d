"""The command that opens the page of the service."""

from __future__ import annotations

import json
import os
import webbrowser
from typing import Annotated

import typer

from graphpalace.errors import ServiceUnavailable
from graphpalace.serve.cli.context import context
from graphpalace.serve.cli.output import err

_ANSWER_S = 30.0
_REDIRECT = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>GraphPalace</title>\n'
    '<meta http-equiv="refresh" content="0; url={link}"><a href="{link}">Open GraphPalace</a></html>\n'
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(page)


def page(
    only_print: Annotated[bool, typer.Option("--print", help="Print the link instead of opening it.")] = False,
) -> None:
    """Open the web page of the service in a browser, without typing the key. The service is started if necessary.

    The link works once, within ten minutes.
    """
    link = _new_link()
    if only_print or not _opened(link):
        print(link)
        return
    err.print("The page opens in your browser. If it does not, use this link. It works once:")
    print(link)


def _new_link() -> str:
    from graphpalace.client.ensure_service import ensure_service
    from graphpalace.client.service_file import running
    from graphpalace.client.transports.reply import Request
    from graphpalace.client.transports.sockets import SocketTransport

    home = context.home()
    service = ensure_service(home) if home.autostart else running(home.folder)
    transport = SocketTransport(service.url, api_key=service.key)
    try:
        reply = transport.send(Request("POST", "/page/links", timeout_s=_ANSWER_S))
    finally:
        transport.close()
    if reply.status != 200:
        raise ServiceUnavailable(
            f"the service at {service.url} created no link: it answered with status {reply.status}"
        )
    return service.url + json.loads(reply.body)["path"]


def _opened(link: str) -> bool:
    """Open a link in a browser, and return whether there is one.

    The browser is given a file that only this user can read and that leads to the link: other users can see the
    arguments of all processes.
    """
    path = context.home().folder / "page.html"
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(_REDIRECT.format(link=link))
    try:
        return webbrowser.open(path.as_uri())
    except webbrowser.Error:
        return False

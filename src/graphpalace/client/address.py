"""Where a client finds its service, and with which key."""

from __future__ import annotations

from contextlib import suppress

from graphpalace.client import service_file
from graphpalace.client.ensure_service import ensure_service
from graphpalace.errors import GraphPalaceError, InvalidInput
from graphpalace.settings.home import home


def check_url(url: str | None) -> None:
    """Raise an error if a URL is given that is not one of HTTP.

    Raises:
        InvalidInput: If it starts with something else.
    """
    if url is not None and not url.startswith(("http://", "https://")):
        raise InvalidInput(f"url is {url!r}; write it like http://127.0.0.1:8600", field="url", value=url)


def address(url: str | None, api_key: str | None) -> tuple[str, str | None]:
    """Return a URL and its key; without a URL, those of the service of this machine, which is started if necessary.

    Raises:
        ServiceUnavailable: If there is no URL, and no service of this machine runs or can be started.
        Conflict: If the service of this machine is of a later version.
    """
    if url is None:
        here = home()
        found = ensure_service(here) if here.autostart else service_file.running(here.folder)
        url, api_key = found.url, api_key or found.key or None
    return url.rstrip("/"), api_key


def proof_for(url: str | None, given: str | None) -> str | None:
    """Return what shows the service at a URL that it may read this user's files; None if it is not known to be theirs.

    Args:
        given: What the caller knows already.
    """
    if given is not None:
        return given
    with suppress(GraphPalaceError):
        found = service_file.running_or_none(home().folder)
        if found is not None and url in (None, found.url):
            return found.proof or None
    return None

"""Routes that check what a caller may do, with the very values that they will work with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

from fastapi.routing import APIRoute

from graphpalace.app import GraphPalace
from graphpalace.domain.access.caller import Grant, Role, current_caller
from graphpalace.serve.http.access.asked import Asked
from graphpalace.serve.http.access.needs import Need
from graphpalace.serve.http.access.rules import RULES


class GuardedRoute(APIRoute):
    """A route whose function runs only if the caller may do what it does.

    The check comes after the request was read, so that it cannot understand a request otherwise than the function does.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """Put the check before the function."""
        (method,) = options["methods"]
        super().__init__(path, _guarded(endpoint, RULES.get(f"{method} {path}", _closed)), **options)


async def _closed(_asked: Asked) -> Iterable[Grant]:
    """What nobody has declared is for callers who may do everything."""
    return [Grant(Role.ADMIN)]


def _guarded(endpoint: Callable[..., Awaitable[Any]], need: Need) -> Callable[..., Awaitable[Any]]:
    assert iscoroutinefunction(endpoint), "FastAPI would call it in a thread"

    @wraps(endpoint)
    async def checked(**values: Any) -> Any:
        caller = current_caller()
        if caller.key is not None:
            app: GraphPalace = values["app"]
            asked = Asked(app, caller, values)
            asked.require(await need(asked))
        return await endpoint(**values)

    return checked

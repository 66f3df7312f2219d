"""Routes that take an `Idempotency-Key`: the same request with the same key is done once, and answered again.

Source: draft-ietf-httpapi-idempotency-key-header-07, "The Idempotency-Key HTTP Header Field".
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import Depends, Header, Request, Response

from graphpalace.app import GraphPalace
from graphpalace.domain.access.caller import current_caller
from graphpalace.domain.drawers.diaries import DiaryEntry
from graphpalace.domain.drawers.drawer import DrawerWithPath
from graphpalace.domain.write_key import (
    MOST_KEY_CHARS,
    KeptAnswer,
    WriteKey,
    checked_key,
    request_hash,
    under_key,
    write_key_id,
)
from graphpalace.serve.http.access.guarded_route import GuardedRoute

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
_CHANGES = {"POST", "PUT", "PATCH", "DELETE"}
_ONLY_READS = {"/v1/drawers/check_duplicate", "/v1/mcmp/search"}
_PALACES = "/v1/palaces"
# Answers with the texts of drawers are never kept. The writes behind them record what they did, and are answered anew.
_TEXTS = (DrawerWithPath, DiaryEntry)
_ID_OR_TIME = re.compile(r"[a-z]+-[0-9a-f]{8,}|\d{4}-\d\d-\d\d(T[0-9:.+Z-]*)?")


async def _declared(
    key: Annotated[
        str | None,
        Header(
            alias=HEADER,
            min_length=1,
            max_length=MOST_KEY_CHARS,
            description="a new value for each request, such as a UUID: the same request with the same key is done once",
        ),
    ] = None,
) -> None:
    """Describe the header to OpenAPI; `KeyedRoute` reads it before."""


class KeyedRoute(GuardedRoute):
    """A route that does a request with a key once. Routes that only read leave the key alone."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """Describe the header, where the route takes it."""
        self._takes_key = bool(_CHANGES & set(options.get("methods") or ())) and path not in _ONLY_READS
        described: dict[str, Any] = {**options, "dependencies": [*(options.get("dependencies") or ())]}
        if self._takes_key and not any(one.dependency is _declared for one in described["dependencies"]):
            described["dependencies"].append(Depends(_declared))
        super().__init__(path, endpoint, **described)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        handler = super().get_route_handler()
        if not self._takes_key:
            return handler

        async def answer(request: Request) -> Response:
            given = request.headers.get(HEADER)
            if given is None:
                return await handler(request)
            app: GraphPalace = request.app.state.supervisor.operations()
            key = await _key(request, checked_key(given, field=HEADER), app.settings.palace.name)
            async with app.history.keyed_requests.doing(key) as known:
                if known is not None:
                    return _again(known)
                with under_key(key):
                    response = await handler(request)
                if self._keeps(response):
                    body = bytes(response.body).decode()
                    await app.history.keyed_requests.keep(
                        key, KeptAnswer(response.status_code, body), words=_has_words(body)
                    )
                return response

        return answer

    def _keeps(self, response: Response) -> bool:
        return response.status_code < 400 and hasattr(response, "body") and self.response_model not in _TEXTS


async def _key(request: Request, given: str, default: str) -> WriteKey:
    """Return the key of a request in the palace that the request is about."""
    body = await request.body()
    palace = None if request.url.path.startswith(_PALACES) else _palace(request, body) or default
    sent = (request.method, request.url.path, request.url.query)
    return WriteKey(
        write_key_id(palace, given, current_caller().key), palace, request_hash(*(part.encode() for part in sent), body)
    )


def _palace(request: Request, body: bytes) -> str | None:
    """Return the palace that a request names; a request that is not valid is refused later."""
    named: Any = request.query_params.get("palace")
    if named is None and b'"palace"' in body:
        try:
            read = json.loads(body)
        except ValueError:
            return None
        named = read.get("palace") if isinstance(read, dict) else None
    return named if isinstance(named, str) else None


def _again(known: KeptAnswer) -> Response:
    media_type = "application/json" if known.body else None
    return Response(known.body.encode(), known.status, {REPLAYED: "true"}, media_type)


def _has_words(body: str) -> bool:
    """Return whether an answer has any text besides ids and times."""
    found: list[Any] = [json.loads(body)] if body else []
    while found:
        one = found.pop()
        if isinstance(one, str) and not _ID_OR_TIME.fullmatch(one):
            return True
        found.extend(one.values() if isinstance(one, dict) else one if isinstance(one, list) else ())
    return False

"""Shared parts of all routes: their prefix, their errors, the operations, and writes under an `Idempotency-Key`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.security import HTTPBearer

from graphpalace.app import GraphPalace
from graphpalace.domain.access.caller import current_caller
from graphpalace.domain.drawers.diaries import DiaryEntry
from graphpalace.domain.drawers.drawer import DrawerWithPath
from graphpalace.domain.identity import palace_name
from graphpalace.domain.write_key import (
    MOST_KEY_CHARS,
    KeptAnswer,
    WriteKey,
    checked_key,
    request_hash,
    under_key,
    write_key_id,
)
from graphpalace.serve.http.access.rules import GuardedRoute

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
            json_schema_extra={"pattern": "^[!-~]+$"},
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


# Not as a model: where an answer is in lines, OpenAPI would say that of errors too.
_FAILURE = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorEnvelope"}}}}


# Says in OpenAPI that a key is needed; `ApiKeyCheck` has checked it before.
NEEDS_KEY = HTTPBearer(
    scheme_name="api_key",
    description="the key of the service, or one made by POST /v1/keys; a service without a key needs none",
    auto_error=False,
)


def new_router(*, keyed: bool = True) -> APIRouter:
    """Return a router under /v1 whose routes document the form of all errors.

    Args:
        keyed: Whether the routes that change something take an Idempotency-Key.
    """
    failures: dict[int | str, dict[str, Any]] = dict.fromkeys(
        (400, 401, 403, 404, 408, 409, 413, 414, 415, 421, 422, 431, 500, 502, 503), _FAILURE
    )
    return APIRouter(
        prefix="/v1",
        responses=failures,
        route_class=KeyedRoute if keyed else GuardedRoute,
        dependencies=[Depends(NEEDS_KEY)],
    )


async def operations(request: Request) -> GraphPalace:
    """Return the operations; raise an error until the database is reached. Async, as FastAPI uses threads otherwise."""
    return request.app.state.supervisor.operations()


Operations = Annotated[GraphPalace, Depends(operations)]


def named(app: GraphPalace, palace: str | None) -> str:
    """Return the checked name of the palace, or the configured one if none is given."""
    return palace_name(palace if palace is not None else app.settings.palace.name)

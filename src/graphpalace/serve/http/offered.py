"""Routes made from the declarations in `offers`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from functools import cache
from inspect import Parameter as Argument
from inspect import Signature
from types import NoneType
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query
from fastapi.params import Path
from pydantic import BeforeValidator, create_model

from graphpalace.app import GraphPalace
from graphpalace.domain.field import WHOLE_DAY
from graphpalace.domain.moments import whole_day
from graphpalace.offers.offer import Offer, Parameter, parameters
from graphpalace.serve.http.progress_response import LinesResponse, ProgressResponse, progress_lines
from graphpalace.serve.http.request_body import (
    PalaceField,
    PalaceName,
    RequestBody,
    fields_of,
    json_type,
    value_of,
    with_example,
)
from graphpalace.serve.http.router import Operations, named

Q = TypeVar("Q")
A = TypeVar("A")


def add_route(
    router: APIRouter,
    offer: Offer[Q, A],
    call: Callable[[GraphPalace, str, Q], Awaitable[A]],
    *,
    tag: str,
    **more: Any,
) -> None:
    """Add the route of an operation.

    Args:
        call: Does the operation; it gets the operations, the name of the palace, and the request.
        tag: Heading in the OpenAPI document.
        more: What else FastAPI is to know of the route.
    """

    async def route(app: GraphPalace, **given: Any) -> A:
        palace, request = _request(app, offer, given)
        return await call(app, palace, request)

    _add(router, offer, route, tag, answer=offer.answer, **more)


def add_general_route(
    router: APIRouter,
    offer: Offer[Q, A],
    call: Callable[[GraphPalace, Q], Awaitable[A]],
    *,
    tag: str,
) -> None:
    """Add the route of an operation that is not about the palace of the caller.

    Args:
        call: Does the operation; it gets the operations and the request.
        tag: Heading in the OpenAPI document.
    """

    async def route(app: GraphPalace, **given: Any) -> A:
        return await call(app, _value(offer, given.pop("body", None), given))

    _add(router, offer, route, tag, answer=offer.answer)


def add_lines_route(
    router: APIRouter,
    offer: Offer[Q, A],
    check: Callable[[GraphPalace, str, Q], Awaitable[None]],
    call: Callable[[GraphPalace, str, Q, Callable[[A], None]], Awaitable[A]],
    *,
    tag: str,
) -> None:
    """Add the route of an operation that takes long and reports line by line what was done so far.

    Args:
        check: Raises what is wrong with the request, before the answer begins.
        call: Does the operation; the last argument is to be called with what was done so far.
        tag: Heading in the OpenAPI document.
    """
    told_as = str(offer.lines)
    fields: dict[str, Any] = {"done": (bool, ...), told_as: (offer.answer, ...)}
    about = "One line of the answer: what was done so far. `done` is true in the last line."
    line = create_model(f"{offer.answer.__name__}Line", __doc__=about, **fields)

    def told(answer: A, *, done: bool = False) -> dict[str, Any]:
        return {"done": done, told_as: asdict(answer)}  # pyright: ignore[reportArgumentType] - a dataclass

    async def route(app: GraphPalace, **given: Any) -> ProgressResponse:
        palace, request = _request(app, offer, given)
        await check(app, palace, request)

        async def work(progress: Callable[[A], None]) -> A:
            return await call(app, palace, request, progress)

        return ProgressResponse.of(work, line=told, last=lambda answer: told(answer, done=True))

    described = {"response_class": LinesResponse, "responses": progress_lines(line, last=told_as)}
    _add(router, offer, route, tag, answer=ProgressResponse, **described)


def _add(router: APIRouter, offer: Offer[Any, Any], route: Callable[..., Any], tag: str, *, answer: Any, **more: Any):
    route.__name__ = offer.name.replace(".", "_")
    route.__doc__ = f"{offer.does}\n\n{offer.more}" if offer.more else offer.does
    arguments = [
        Argument("app", Argument.KEYWORD_ONLY, annotation=Operations),
        *(_in_address(offer) if offer.has_body else ()),
        *(_body(offer) if offer.has_body else _queries(offer)),
    ]
    returned = None if answer is NoneType else answer
    route.__signature__ = Signature(arguments, return_annotation=returned)  # pyright: ignore[reportFunctionMemberAccess]
    path = offer.path.removeprefix(router.prefix)
    router.add_api_route(path, route, methods=[offer.method], tags=[tag], status_code=offer.status, **more)


@cache
def body_model(offer: Offer[Any, Any]) -> type[RequestBody]:
    """Return the model of the body that the route of an operation takes."""
    more: dict[str, Any] = {"palace": (PalaceField, None)} if offer.of_palace else {}
    body = create_model(
        offer.request.__name__,
        __doc__=offer.request.__doc__,
        __base__=fields_of(offer.request, called=offer.called, leave_out=[one.name for one in _in_address(offer)]),
        **more,
    )
    if offer.example is not None:
        body.model_config |= with_example({**offer.example}, of_palace=offer.of_palace)
        body.model_rebuild(force=True)
    return body


def _body(offer: Offer[Any, Any]) -> list[Argument]:
    body = body_model(offer)
    if not body.model_fields:
        return []
    if not parameters(offer.request):  # who gives nothing may send no body
        return [Argument("body", Argument.KEYWORD_ONLY, default=None, annotation=body | None)]
    return [Argument("body", Argument.KEYWORD_ONLY, annotation=body)]


def _in_address(offer: Offer[Any, Any]) -> list[Argument]:
    """Return the arguments that the address has, of a route that takes a body."""
    placed = {*offer.in_path, *map(offer.spelled, offer.in_query)}
    return [_query(offer, one) for one in parameters(offer.request) if offer.spelled(one.name) in placed]


def _queries(offer: Offer[Any, Any]) -> list[Argument]:
    asked = [_query(offer, one) for one in parameters(offer.request)]
    palace = Argument("palace", Argument.KEYWORD_ONLY, default=None, annotation=PalaceName)
    return [*asked, palace] if offer.of_palace else asked


def _query(offer: Offer[Any, Any], one: Parameter) -> Argument:
    said: dict[str, Any] = dict(one.said)
    if one.name in offer.called:
        said["alias"] = offer.called[one.name]
    if offer.spelled(one.name) in offer.in_path:
        return Argument(one.name, Argument.KEYWORD_ONLY, annotation=Annotated[one.type, Path(**said)])
    default = Argument.empty if one.required else one.default
    kind = Annotated[json_type(one.type), BeforeValidator(whole_day)] if WHOLE_DAY in one.marks else json_type(one.type)
    return Argument(one.name, Argument.KEYWORD_ONLY, default=default, annotation=Annotated[kind, Query(**said)])


def _request(app: GraphPalace, offer: Offer[Q, Any], given: dict[str, Any]) -> tuple[str, Q]:
    body = given.pop("body", None)
    palace = given.pop("palace") if not offer.has_body else None if body is None else body.palace
    return named(app, palace), _value(offer, body, given)


def _value(offer: Offer[Q, Any], body: RequestBody | None, given: dict[str, Any]) -> Q:
    return offer.request(**given) if body is None else value_of(body, offer.request, **given)

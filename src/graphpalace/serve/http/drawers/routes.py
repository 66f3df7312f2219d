"""The routes for drawers."""

from __future__ import annotations

from functools import partial

from fastapi import Response

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.drawer import (
    DrawerListing,
    DrawerPage,
    DrawerToRead,
    DrawerWithPath,
    SupersedeToTakeBack,
    UpdateRequest,
)
from graphpalace.offers import drawers
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.request_body import PalaceField, fields_of, value_of, with_example
from graphpalace.serve.http.router import Operations, named, new_router

router = new_router()
_add = partial(add_route, router, tag="drawers")
_ADD = drawers.ADD_DRAWER


class DrawerRequest(fields_of(_ADD.request)):
    """A text to store verbatim."""

    model_config = with_example({**(_ADD.example or {})})

    palace: PalaceField = None


@router.post(
    "/drawers",
    status_code=201,
    responses={200: {"model": DrawerWithPath, "description": "It was kept already, or a similar one"}},
    tags=["drawers"],
    description=f"{_ADD.does} The status is 200 if it is stored already.\n\n{_ADD.more}",
)
async def add(body: DrawerRequest, app: Operations, response: Response) -> DrawerWithPath:
    """Store a text; the status is 200 if it is stored already."""
    palace, new = named(app, body.palace), value_of(body, _ADD.request)
    added = await app.drawers.add(palace, new, unless_similar=new.unless_similar)
    response.status_code = 201 if added.created else 200
    return DrawerWithPath.of(palace, added.drawer, created=added.created, similar=added.similar, news=added.news)


async def _page(app: GraphPalace, palace: str, asked: DrawerListing) -> DrawerPage:
    return DrawerPage(
        *await app.drawers.page(palace, wing=asked.wing, room=asked.room, after=asked.after, limit=asked.limit)
    )


async def _read(app: GraphPalace, palace: str, asked: DrawerToRead) -> DrawerWithPath:
    found = await app.drawers.read(palace, asked.drawer)
    run = asked.run
    counted = (
        None if run is None else await app.learning.feedback.opened(palace, run=run, drawer=asked.drawer) is not None
    )
    return DrawerWithPath.of(palace, found, counted=counted)


async def _update(app: GraphPalace, palace: str, asked: UpdateRequest) -> DrawerWithPath:
    return DrawerWithPath.of(palace, await app.drawers.update(palace, asked.drawer, asked))


async def _take_back(app: GraphPalace, palace: str, asked: SupersedeToTakeBack) -> None:
    await app.drawers.take_back_supersede(palace, asked.old)


_add(drawers.ADD_DRAWERS, lambda app, palace, asked: app.drawers.add_many(palace, asked.drawers))
_add(
    drawers.CHECK_DUPLICATE,
    lambda app, palace, asked: app.duplicates.check(
        palace, asked.text, wing=asked.wing, threshold=asked.threshold, top_k=asked.top_k
    ),
)
_add(drawers.LIST_DRAWERS, _page)
_add(drawers.READ_DRAWER, _read)
_add(drawers.UPDATE_DRAWER, _update)
_add(drawers.READ_HISTORY, lambda app, palace, asked: app.drawers.history(palace, asked.drawer))
_add(drawers.BESIDE_DRAWER, lambda app, palace, asked: app.beside.of(palace, asked.drawer))
_add(drawers.SUPERSEDE_DRAWER, lambda app, palace, asked: app.drawers.supersede(palace, asked.old, asked.new))
_add(drawers.TAKE_BACK_SUPERSEDE, _take_back)
_add(drawers.DELETE_DRAWER, lambda app, palace, asked: app.drawers.delete(palace, asked.drawer))

"""The routes for single drawers."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from graphpalace.domain.drawers.drawer import DrawerHistory, DrawerPage, DrawerWithPath, Superseded
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.serve.http.drawers.models import DrawerRequest, SupersedeRequest, UpdateRequest
from graphpalace.serve.http.request_body import value_of
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()


@router.post(
    "/drawers",
    status_code=201,
    responses={200: {"model": DrawerWithPath, "description": "It was kept already, or a similar one"}},
    tags=["drawers"],
)
async def add_drawer(body: DrawerRequest, app: Operations, response: Response) -> DrawerWithPath:
    """Store a text verbatim. It can be found as soon as this returns. The status is 200 if it is stored already.

    With `unless_similar` it is stored only if no drawer of its wing says the same, or has that cosine with it.
    Otherwise the answer is that drawer. Of several requests at the same time, one is stored.
    `news` names older drawers that it is likely to be news on, which `POST /v1/drawers/{drawer}/superseded` settles.
    """
    palace = named(app, body.palace)
    added = await app.drawers.add(palace, value_of(body, NewDrawer), unless_similar=body.unless_similar)
    response.status_code = 201 if added.created else 200
    return DrawerWithPath.of(palace, added.drawer, created=added.created, similar=added.similar, news=added.news)


@router.get("/drawers", tags=["drawers"])
async def list_drawers(
    app: Operations,
    palace: PalaceName = None,
    wing: str | None = None,
    room: str | None = None,
    after: str = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> DrawerPage:
    """List the drawers of a palace, a wing or a room, page by page."""
    return DrawerPage(*await app.drawers.page(named(app, palace), wing=wing, room=room, after=after, limit=limit))


@router.get("/drawers/{drawer}", tags=["drawers"])
async def read_drawer(
    drawer: str,
    app: Operations,
    palace: PalaceName = None,
    run: Annotated[
        str | None, Query(description="the search that showed the drawer; opening it counts as weak feedback")
    ] = None,
) -> DrawerWithPath:
    """Read one drawer with its path in the palace."""
    chosen = named(app, palace)
    found = await app.drawers.read(chosen, drawer)
    counted = None if run is None else await app.feedback.opened(chosen, run=run, drawer=drawer) is not None
    return DrawerWithPath.of(chosen, found, counted=counted)


@router.patch("/drawers/{drawer}", tags=["drawers"])
async def update_drawer(drawer: str, body: UpdateRequest, app: Operations) -> DrawerWithPath:
    """Change a drawer, which keeps its id. A new text is embedded, indexed and linked as that of a new drawer is."""
    palace = named(app, body.palace)
    return DrawerWithPath.of(palace, await app.drawers.update(palace, drawer, value_of(body, DrawerUpdate)))


@router.get("/drawers/{drawer}/history", tags=["drawers"])
async def read_history(drawer: str, app: Operations, palace: PalaceName = None) -> DrawerHistory:
    """Read the earlier texts of a drawer, the latest first."""
    return await app.drawers.history(named(app, palace), drawer)


@router.post("/drawers/{drawer}/superseded", tags=["drawers"])
async def supersede_drawer(drawer: str, body: SupersedeRequest, app: Operations) -> Superseded:
    """Mark a drawer as replaced by another one. Answers mark it as outdated and rank it below the new one."""
    return await app.drawers.supersede(named(app, body.palace), drawer, body.new)


@router.delete("/drawers/{drawer}/superseded", status_code=204, tags=["drawers"])
async def take_back_supersede(drawer: str, app: Operations, palace: PalaceName = None) -> None:
    """Mark a drawer as valid again that was replaced by another one, or that is probably outdated by one."""
    await app.drawers.take_back_supersede(named(app, palace), drawer)


@router.delete("/drawers/{drawer}", status_code=204, tags=["drawers"])
async def delete_drawer(drawer: str, app: Operations, palace: PalaceName = None) -> None:
    """Delete one drawer."""
    await app.drawers.delete(named(app, palace), drawer)

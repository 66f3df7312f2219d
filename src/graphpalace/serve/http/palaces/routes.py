"""The routes for palaces, wings and rooms."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated

from fastapi import Query

from graphpalace.app.status import database_status
from graphpalace.domain.database_status import DatabaseStatus
from graphpalace.domain.identity import palace_name
from graphpalace.domain.places import Palace, Room, Wing
from graphpalace.domain.receipts import Created, Deleted
from graphpalace.errors import InvalidInput
from graphpalace.serve.http.access.own_parts import own_deleted, own_palaces, own_rooms, own_wings
from graphpalace.serve.http.palaces import models
from graphpalace.serve.http.progress_response import LinesResponse, ProgressResponse, progress_lines
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()


@router.get("/wings", tags=["palace"])
async def list_wings(app: Operations, palace: PalaceName = None) -> list[Wing]:
    """List the wings with their counts."""
    chosen = named(app, palace)
    return own_wings(chosen, await app.drawers.wings(chosen))


@router.post("/wings", tags=["palace"])
async def add_wing(body: models.WingRequest, app: Operations) -> Created:
    """Create an empty wing. If it exists already, `created` is false."""
    return Created(body.name, await app.drawers.add_wing(named(app, body.palace), body.name, body.wing_type))


@router.delete("/wings/{wing:path}", tags=["palace"])
async def delete_wing(wing: str, app: Operations, palace: PalaceName = None) -> Deleted:
    """Delete a wing and everything in it."""
    chosen = named(app, palace)
    return own_deleted(chosen, await app.drawers.delete_wing(chosen, wing))


@router.get("/rooms", tags=["palace"])
async def list_rooms(app: Operations, palace: PalaceName = None, wing: str | None = None) -> list[Room]:
    """List the rooms with their counts, halls and tunnels."""
    chosen = named(app, palace)
    return own_rooms(chosen, await app.drawers.rooms(chosen, wing))


@router.post("/rooms", tags=["palace"])
async def add_room(body: models.RoomRequest, app: Operations) -> Created:
    """Create an empty room. If it exists already, `created` is false."""
    made = await app.drawers.add_room(named(app, body.palace), body.wing, body.name, body.hall_type)
    return Created(body.name, made)


@router.delete("/rooms/{room:path}", tags=["palace"])
async def delete_room(room: str, wing: str, app: Operations, palace: PalaceName = None) -> Deleted:
    """Delete a room and everything in it."""
    chosen = named(app, palace)
    return own_deleted(chosen, await app.drawers.delete_room(chosen, wing, room))


@router.get("/status", tags=["palace"])
async def status(app: Operations) -> DatabaseStatus:
    """Show whether Neo4j answers, its version, its schema and the palaces."""
    found = await database_status(app.settings, app.database)
    return replace(found, palaces=await own_palaces(app, found.palaces))


@router.get("/palaces", tags=["palace"])
async def list_palaces(app: Operations) -> list[Palace]:
    """List the palaces of the database with their counts."""
    return await own_palaces(app, await app.palaces())


@router.post("/palaces", tags=["palace"])
async def create_palace(body: models.PalaceRequest, app: Operations) -> Created:
    """Create a palace for the configured embedding model. If it exists already, `created` is false."""
    return Created(body.name, await app.create_palace(body.name))


@router.delete("/palaces/{palace}", tags=["palace"])
async def drop_palace(
    palace: str,
    app: Operations,
    confirm: Annotated[str, Query(description="the palace's name, as a confirmation")] = "",
) -> Deleted:
    """Delete a palace and everything in it."""
    if confirm != palace:
        raise InvalidInput(
            f"confirm is {confirm!r}; to remove palace {palace!r} and everything in it, repeat its name:"
            f" ?confirm={palace}",
            field="confirm",
            value=confirm,
        )
    return Deleted(await app.drop_palace(palace))


@router.post(
    "/palaces/reembed",
    tags=["palace"],
    response_class=LinesResponse,
    responses=progress_lines(models.ReembedLine, last="result"),
)
async def reembed_palace(body: models.ReembedRequest, app: Operations) -> ProgressResponse:
    """Compute the vectors of a palace anew with the model of the service's settings, and report the progress.

    Until all are there, the old ones answer. A client that leaves stops it; the same request goes on from there.
    """
    palace = palace_name(body.name)
    await app.palace_state(palace)
    return ProgressResponse.of(
        lambda progress: app.reembed(palace, progress),
        line=lambda progress: {"progress": asdict(progress)},
        last=lambda result: {"result": asdict(result)},
    )

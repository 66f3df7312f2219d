"""The routes for palaces, wings and rooms."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial

from pydantic import BaseModel, Field

from graphpalace.app import GraphPalace
from graphpalace.app.database import database_status
from graphpalace.domain.drawers.drawer import Deleted
from graphpalace.domain.identity import PALACE_NAME, palace_name
from graphpalace.domain.palaces.palace_shape import ShapeQuery, Taxonomy
from graphpalace.domain.palaces.palaces import (
    Created,
    DatabaseQuery,
    DatabaseStatus,
    NewPalace,
    Palace,
    PalaceQuery,
    PalaceToDrop,
    Reembedded,
    ReembedProgress,
)
from graphpalace.domain.palaces.places import (
    NewRoom,
    NewWing,
    Room,
    RoomQuery,
    RoomToDelete,
    Wing,
    WingQuery,
    WingToDelete,
)
from graphpalace.domain.palaces.settings_in_force import SettingsInForce, SettingsQuery
from graphpalace.errors import InvalidInput
from graphpalace.offers import palaces
from graphpalace.serve.http.access.own_parts import own_deleted, own_palaces, own_rooms, own_taxonomy, own_wings
from graphpalace.serve.http.offered import add_general_route, add_route
from graphpalace.serve.http.progress_response import LinesResponse, ProgressResponse, progress_lines
from graphpalace.serve.http.request_body import EXAMPLE_PALACE, RequestBody
from graphpalace.serve.http.router import Operations, new_router
from graphpalace.settings.in_force import settings_in_force


class ReembedRequest(RequestBody):
    """A palace to change."""

    name: str = Field(
        examples=[EXAMPLE_PALACE], description="of the palace", json_schema_extra={"pattern": PALACE_NAME}
    )


class ReembedLine(BaseModel):
    """One line of the answer to a request to change the embedding model of a palace.

    Attributes:
        progress: How far it is; missing in the last line.
        result: What it did; only in the last line.
    """

    progress: ReembedProgress | None = None
    result: Reembedded | None = None


router = new_router()
_add = partial(add_route, router, tag="palace")
_add_general = partial(add_general_route, router, tag="palace")


async def _wings(app: GraphPalace, palace: str, _asked: WingQuery) -> list[Wing]:
    return own_wings(palace, await app.drawers.wings(palace))


async def _add_wing(app: GraphPalace, palace: str, wing: NewWing) -> Created:
    return Created(wing.name, await app.drawers.add_wing(palace, wing.name, wing.wing_type))


async def _delete_wing(app: GraphPalace, palace: str, wing: WingToDelete) -> Deleted:
    return own_deleted(palace, await app.drawers.delete_wing(palace, wing.name))


async def _rooms(app: GraphPalace, palace: str, asked: RoomQuery) -> list[Room]:
    return own_rooms(palace, await app.drawers.rooms(palace, asked.wing))


async def _add_room(app: GraphPalace, palace: str, room: NewRoom) -> Created:
    return Created(room.name, await app.drawers.add_room(palace, room.wing, room.name, room.hall_type))


async def _delete_room(app: GraphPalace, palace: str, room: RoomToDelete) -> Deleted:
    return own_deleted(palace, await app.drawers.delete_room(palace, room.wing, room.name))


async def _taxonomy(app: GraphPalace, palace: str, _asked: ShapeQuery) -> Taxonomy:
    return own_taxonomy(await app.palaces.shape.taxonomy(palace))


async def _palaces(app: GraphPalace, _asked: PalaceQuery) -> list[Palace]:
    return await own_palaces(app, await app.list_palaces())


async def _create_palace(app: GraphPalace, palace: NewPalace) -> Created:
    return Created(palace.name, await app.create_palace(palace.name))


async def _drop_palace(app: GraphPalace, palace: PalaceToDrop) -> Deleted:
    if palace.confirm != palace.name:
        raise InvalidInput(
            f"confirm is {palace.confirm!r}; to remove palace {palace.name!r} and everything in it, repeat its name:"
            f" ?confirm={palace.name}",
            field="confirm",
            value=palace.confirm,
        )
    return Deleted(await app.drop_palace(palace.name))


async def _status(app: GraphPalace, _asked: DatabaseQuery) -> DatabaseStatus:
    found = await database_status(app.settings, app.database)
    return replace(found, palaces=await own_palaces(app, found.palaces))


async def _settings(app: GraphPalace, _asked: SettingsQuery) -> SettingsInForce:
    return settings_in_force(app.settings)


_add(palaces.LIST_WINGS, _wings)
_add(palaces.ADD_WING, _add_wing)
_add(palaces.DROP_WING, _delete_wing)
_add(palaces.LIST_ROOMS, _rooms)
_add(palaces.ADD_ROOM, _add_room)
_add(palaces.DROP_ROOM, _delete_room)
_add(palaces.TAXONOMY, _taxonomy)
_add(
    palaces.LIST_TUNNELS,
    lambda app, palace, asked: app.palaces.shape.tunnels(palace, wing=asked.wing, other=asked.other),
)
_add(palaces.STATS, lambda app, palace, _asked: app.palaces.shape.stats(palace))
_add_general(palaces.LIST_PALACES, _palaces)
_add_general(palaces.CREATE_PALACE, _create_palace)
_add_general(palaces.DROP_PALACE, _drop_palace)
_add_general(palaces.STATUS, _status)
_add_general(palaces.SETTINGS, _settings)


@router.post(
    "/palaces/reembed",
    tags=["palace"],
    response_class=LinesResponse,
    responses=progress_lines(ReembedLine, last="result"),
)
async def reembed_palace(body: ReembedRequest, app: Operations) -> ProgressResponse:
    """Recompute the vectors of a palace with the model of the service's settings, and report the progress.

    Until all are ready, searches use the old ones. A client that leaves stops it; the same request continues it.
    """
    palace = palace_name(body.name)
    await app.palace_state(palace)
    return ProgressResponse.of(
        lambda progress: app.reembed(palace, progress),
        line=lambda progress: {"progress": asdict(progress)},
        last=lambda result: {"result": asdict(result)},
    )

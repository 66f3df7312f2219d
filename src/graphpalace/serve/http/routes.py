"""The routes under /v1: parse, call one operation, render."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from graphpalace.domain.condition_forms import conditions_of
from graphpalace.domain.identity import palace_name
from graphpalace.errors import InvalidInput
from graphpalace.graph_palace import GraphPalace
from graphpalace.operations.drawers import NewDrawer
from graphpalace.operations.recall import Question
from graphpalace.serve.http import models
from graphpalace.serve.http.errors import ErrorEnvelope
from graphpalace.serve.http.request_body import EXAMPLE_PALACE
from graphpalace.serve.render import answer_as_json


def new_router() -> APIRouter:
    """Return a router under /v1 whose routes may answer with the one shape of all errors."""
    failures: dict[int | str, dict[str, Any]] = {
        status: {"model": ErrorEnvelope} for status in (400, 401, 403, 404, 408, 409, 413, 415, 421, 422, 500, 502, 503)
    }
    return APIRouter(prefix="/v1", responses=failures)


router = new_router()


async def operations(request: Request) -> GraphPalace:
    """Return the operations, or say that the database is not there yet. FastAPI calls what is not async in a thread."""
    return request.app.state.supervisor.operations()


Operations = Annotated[GraphPalace, Depends(operations)]
PalaceName = Annotated[str | None, Query(description="default: the configured palace", examples=[EXAMPLE_PALACE])]


def named(app: GraphPalace, palace: str | None) -> str:
    """Return the palace's checked name; the configured one if none is given."""
    return palace_name(palace if palace is not None else app.settings.palace.name)


@router.post("/search", response_model=models.SearchResponse, tags=["search"])
async def search(body: models.SearchRequest, app: Operations) -> dict[str, Any]:
    """Search full text and embeddings side by side; each hit says why it is there and where it stands."""
    palace = named(app, body.palace)
    answer = await app.recall.search(
        palace,
        Question(
            query=body.query,
            embedding=body.query_embedding,
            wing=body.wing,
            room=body.room,
            since=body.since,
            until=body.until,
            conditions=conditions_of(body.filters),
            top_k=body.top_k,
            preset=body.preset,
            lanes=body.lanes,
            profile={str(scheme): codes for scheme, codes in (body.target_profile or {}).items()},
            weights=None if body.weights is None else {str(lane): weight for lane, weight in body.weights.items()},
            fusion=body.fusion,
            without=frozenset({"learning"}) if body.unlearned else frozenset(),
            rerank=body.rerank,
            mmr_lambda=body.mmr_lambda,
        ),
    )
    return {"query": body.query, "palace": palace} | answer_as_json(answer)


@router.post(
    "/drawers",
    response_model=models.DrawerWithPath,
    status_code=201,
    responses={200: {"model": models.DrawerWithPath, "description": "It was kept already"}},
    tags=["drawers"],
)
async def add_drawer(body: models.DrawerRequest, app: Operations, response: Response) -> dict[str, Any]:
    """Keep a text word for word; it is searchable when this returns. 200 if it was kept already."""
    new = NewDrawer(**body.model_dump(exclude={"palace"}))
    drawer = await app.drawers.add(named(app, body.palace), new)
    response.status_code = 201 if drawer["created"] else 200
    return drawer


@router.get("/drawers", response_model=models.DrawerPage, tags=["drawers"])
async def list_drawers(
    app: Operations,
    palace: PalaceName = None,
    wing: str | None = None,
    room: str | None = None,
    after: str = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> dict[str, Any]:
    """Page through the drawers of a palace, a wing or a room."""
    drawers, following = await app.drawers.page(named(app, palace), wing=wing, room=room, after=after, limit=limit)
    return {"drawers": drawers, "next": following}


@router.get("/drawers/{drawer}", response_model=models.DrawerWithPath, tags=["drawers"])
async def read_drawer(
    drawer: str,
    app: Operations,
    palace: PalaceName = None,
    run: Annotated[str | None, Query(description="the search that showed it: opening it is weak feedback")] = None,
) -> dict[str, Any]:
    """Read one drawer with the way to it."""
    chosen = named(app, palace)
    found = await app.drawers.read(chosen, drawer)
    if run is None:
        return found
    return found | {"counted": await app.feedback.opened(chosen, run=run, drawer=drawer) is not None}


@router.delete("/drawers/{drawer}", status_code=204, tags=["drawers"])
async def delete_drawer(drawer: str, app: Operations, palace: PalaceName = None) -> None:
    """Remove one drawer."""
    await app.drawers.delete(named(app, palace), drawer)


@router.get("/wings", response_model=list[models.Wing], tags=["palace"])
async def list_wings(app: Operations, palace: PalaceName = None) -> list[dict[str, Any]]:
    """List the wings with their counts."""
    return await app.drawers.wings(named(app, palace))


@router.post("/wings", response_model=models.Created, tags=["palace"])
async def add_wing(body: models.WingRequest, app: Operations) -> dict[str, Any]:
    """Make an empty wing, or find the one there is."""
    return {
        "name": body.name,
        "created": await app.drawers.add_wing(named(app, body.palace), body.name, body.wing_type),
    }


@router.delete("/wings/{wing:path}", response_model=models.Deleted, tags=["palace"])
async def delete_wing(wing: str, app: Operations, palace: PalaceName = None) -> dict[str, int]:
    """Remove a wing with all that is in it."""
    return {"deleted": await app.drawers.delete_wing(named(app, palace), wing)}


@router.get("/rooms", response_model=list[models.Room], tags=["palace"])
async def list_rooms(app: Operations, palace: PalaceName = None, wing: str | None = None) -> list[dict[str, Any]]:
    """List the rooms with their counts, halls and tunnels."""
    return await app.drawers.rooms(named(app, palace), wing)


@router.post("/rooms", response_model=models.Created, tags=["palace"])
async def add_room(body: models.RoomRequest, app: Operations) -> dict[str, Any]:
    """Make an empty room, or find the one there is."""
    made = await app.drawers.add_room(named(app, body.palace), body.wing, body.name, body.hall_type)
    return {"name": body.name, "created": made}


@router.delete("/rooms/{room:path}", response_model=models.Deleted, tags=["palace"])
async def delete_room(room: str, wing: str, app: Operations, palace: PalaceName = None) -> dict[str, int]:
    """Remove a room of a wing with all that is in it."""
    return {"deleted": await app.drawers.delete_room(named(app, palace), wing, room)}


@router.get("/palaces", response_model=list[models.Palace], tags=["palace"])
async def list_palaces(app: Operations) -> list[dict[str, Any]]:
    """List the palaces of the database with their counts."""
    return await app.palaces()


@router.post("/palaces", response_model=models.Created, tags=["palace"])
async def create_palace(body: models.PalaceRequest, app: Operations) -> dict[str, Any]:
    """Make a palace for the configured model, or find the one there is."""
    return {"name": body.name, "created": await app.create_palace(body.name)}


@router.delete("/palaces/{palace}", response_model=models.Deleted, tags=["palace"])
async def drop_palace(
    palace: str, app: Operations, confirm: Annotated[str, Query(description="the palace's name once more")] = ""
) -> dict[str, int]:
    """Remove a palace with everything in it."""
    if confirm != palace:
        raise InvalidInput(
            f"confirm is {confirm!r}; to remove palace {palace!r} with everything in it, give its name once more:"
            f" ?confirm={palace}",
            field="confirm",
            value=confirm,
        )
    return {"deleted": await app.drop_palace(palace)}

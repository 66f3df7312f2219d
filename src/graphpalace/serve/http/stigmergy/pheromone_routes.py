"""The routes that show the pheromones, and lay some."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from graphpalace.domain.graph.deposit_request import DepositRequest
from graphpalace.domain.graph.deposits import DepositReceipt
from graphpalace.domain.graph.warmth import ColdKind, ColdSpots, HotKind, HotSpots, PheromoneStatus
from graphpalace.operations.stigmergy.hot_paths import MOST_ROWS
from graphpalace.serve.http.request_body import PalaceField, fields_of, value_of, with_example
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()

Wing = Annotated[str | None, Query(description="only nodes in this wing, and edges with an end in it")]
Limit = Annotated[int, Query(ge=1, le=MOST_ROWS, description="largest number of each")]


@router.get("/pheromones/status", response_model=PheromoneStatus, tags=["pheromones"])
async def status(app: Operations, palace: PalaceName = None) -> PheromoneStatus:
    """Show the clock, the current total of each pheromone, and how fast it fades."""
    return await app.hot_paths.status(named(app, palace))


@router.get("/pheromones/hot", response_model=HotSpots, tags=["pheromones"])
async def hot(
    app: Operations,
    palace: PalaceName = None,
    kind: Annotated[HotKind | None, Query(description="default: both")] = None,
    wing: Wing = None,
    limit: Limit = 10,
) -> HotSpots:
    """List the edges with the strongest pheromones and the nodes with the most exploitation at this moment."""
    return await app.hot_paths.hot(named(app, palace), kind=kind, wing=wing, limit=limit)


class DepositBody(fields_of(DepositRequest)):
    """Pheromones to lay on a path that helped, or on places that were searched."""

    model_config = with_example({"nodes": ["python", "python/decorators"], "kind": "success"})

    palace: PalaceField = None


@router.post("/pheromones/deposit", tags=["pheromones"])
async def deposit(body: DepositBody, app: Operations) -> DepositReceipt:
    """Reward a path that helped, or mark places as searched; all of it or nothing."""
    return await app.named_deposits.deposit(named(app, body.palace), value_of(body, DepositRequest))


@router.get("/pheromones/cold", response_model=ColdSpots, tags=["pheromones"])
async def cold(
    app: Operations, palace: PalaceName = None, kind: ColdKind = "room", wing: Wing = None, limit: Limit = 10
) -> ColdSpots:
    """List the places that are visited least: those with the least pheromone, of equal ones the oldest first."""
    return await app.hot_paths.cold(named(app, palace), kind=kind, wing=wing, limit=limit)

"""The routes that show a palace as a map, and its pheromones over time."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from graphpalace.domain.graph.palace_map import PalaceMap, PheromoneHistory
from graphpalace.operations.palaces.pheromone_samples import SAMPLES_KEPT
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()


@router.get("/map", response_model=PalaceMap, tags=["palace"])
async def palace_map(app: Operations, palace: PalaceName = None) -> PalaceMap:
    """Show wings and rooms with their sizes and current pheromones, and the halls and tunnels between rooms."""
    return await app.maps.of(named(app, palace))


@router.get("/pheromones/history", response_model=PheromoneHistory, tags=["pheromones"])
async def history(
    app: Operations,
    palace: PalaceName = None,
    limit: Annotated[int, Query(ge=1, le=SAMPLES_KEPT, description="number of latest samples")] = SAMPLES_KEPT,
) -> PheromoneHistory:
    """List the total of each pheromone after each run of the decay."""
    return await app.maps.history(named(app, palace), limit=limit)

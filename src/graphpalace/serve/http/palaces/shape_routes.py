"""The routes that show the shape of a palace: its taxonomy, its tunnels and its counts."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from graphpalace.domain.palace_shape import PalaceStats, Taxonomy, Tunnel
from graphpalace.serve.http.access.own_parts import own_taxonomy
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()


@router.get("/taxonomy", tags=["palace"])
async def taxonomy(app: Operations, palace: PalaceName = None) -> Taxonomy:
    """List all wings with their rooms and counts."""
    return own_taxonomy(await app.shape.taxonomy(named(app, palace)))


@router.get("/tunnels", tags=["palace"])
async def tunnels(
    app: Operations,
    palace: PalaceName = None,
    wing: Annotated[str | None, Query(description="only tunnels with an end in this wing")] = None,
    other: Annotated[str | None, Query(description="only tunnels whose other end is in this wing")] = None,
) -> list[Tunnel]:
    """List the rooms of different wings that have the same name or are near in meaning, the most similar first."""
    return await app.shape.tunnels(named(app, palace), wing=wing, other=other)


@router.get("/stats", tags=["palace"])
async def stats(app: Operations, palace: PalaceName = None) -> PalaceStats:
    """Count the nodes by label and the relationships by type."""
    return await app.shape.stats(named(app, palace))

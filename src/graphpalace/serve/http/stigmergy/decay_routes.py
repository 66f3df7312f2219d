"""The routes for the decay."""

from __future__ import annotations

from graphpalace.domain.graph.decay import DecayResult, DecayStatus
from graphpalace.serve.http.request_body import PalaceField, RequestBody
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()


class DecayRequest(RequestBody):
    """The palace whose decay is to be applied."""

    palace: PalaceField = None


@router.post("/decay", response_model=DecayResult, tags=["pheromones"])
async def run(app: Operations, body: DecayRequest | None = None) -> DecayResult:
    """Apply the decay now. The status is 409 if another service is applying it; the error says which."""
    return await app.decay.apply(named(app, body.palace if body else None))


@router.get("/decay", response_model=DecayStatus, tags=["pheromones"])
async def status(app: Operations, palace: PalaceName = None) -> DecayStatus:
    """Show the clock, the last run of the decay, when the next is due, and how many nodes and edges have pheromones."""
    return await app.decay.status(named(app, palace))

"""The route that says what to know now."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from graphpalace.domain.wake_up import LEAST_BYTES, MOST_BYTES, USUAL_BYTES, WakeUp, WakeUpRequest
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()


@router.get("/wake-up", response_model=WakeUp, tags=["palace"])
async def wake_up(
    app: Operations,
    palace: PalaceName = None,
    wing: Annotated[str | None, Query(description="default: the whole palace")] = None,
    budget_bytes: Annotated[
        int, Query(ge=LEAST_BYTES, le=MOST_BYTES, description="greatest length of the text in bytes of UTF-8")
    ] = USUAL_BYTES,
    agent: Annotated[
        str | None,
        Query(description="agent whose diary is included; default: the entries of all agents that a search finds"),
    ] = None,
) -> WakeUp:
    """Return what to know now: facts, what helped, what is important, open questions, what is new, and the diary."""
    return await app.waking_up.now(named(app, palace), WakeUpRequest(wing, budget_bytes, agent))

"""The routes that walk the palace."""

from __future__ import annotations

from graphpalace.operations.explore import Exploration
from graphpalace.operations.navigate import Way
from graphpalace.serve.http import walk_models as models
from graphpalace.serve.http.routes import Operations, named, new_router

router = new_router()


@router.post("/navigate", response_model=models.NavigateResponse, tags=["walk"])
async def navigate(body: models.NavigateRequest, app: Operations) -> Way:
    """Find the cheapest way from one place to another, and what each step of it costs. Reading changes nothing."""
    return await app.navigate.find(named(app, body.palace), body.start, body.goal, context=body.context)


@router.post("/explore", response_model=models.ExploreResponse, tags=["walk"])
async def explore(body: models.ExploreRequest, app: Operations) -> Exploration:
    """Let a colony walk, mark what it searched, and report what it found and where little was visited."""
    return await app.explore.run(
        named(app, body.palace),
        query=body.query,
        wing=body.wing,
        rules=body.rules,
        seed=body.seed,
        mark=body.mark,
        until_converged=body.until_converged,
    )

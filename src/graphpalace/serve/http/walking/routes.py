"""The routes that walk through the palace."""

from __future__ import annotations

from graphpalace.domain.graph.colony_rules import ColonyRules
from graphpalace.domain.graph.exploration import Exploration
from graphpalace.domain.graph.route import Route
from graphpalace.serve.http.request_body import value_of
from graphpalace.serve.http.router import Operations, named, new_router
from graphpalace.serve.http.walking import models

router = new_router(keyed=False)


@router.post("/navigate", tags=["walk"])
async def navigate(body: models.NavigateRequest, app: Operations) -> Route:
    """Find the cheapest path from one place to another, and the cost of each step. Nothing changes in the palace."""
    return await app.navigate.find(named(app, body.palace), body.start, body.goal, context=body.context)


@router.post("/explore", tags=["walk"])
async def explore(body: models.ExploreRequest, app: Operations) -> Exploration:
    """Explore the palace with a colony, mark what it visited, and report what it found and which rooms it missed."""
    return await app.explore.walk(
        named(app, body.palace),
        query=body.query,
        wing=body.wing,
        rules=value_of(body, ColonyRules),
        seed=body.seed,
        mark=body.mark,
        until_converged=body.until_converged,
    )

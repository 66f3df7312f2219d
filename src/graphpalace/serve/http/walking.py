"""The routes that walk through the palace, and show its map."""

from __future__ import annotations

from graphpalace.offers import walking
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.router import new_router

router = new_router(keyed=False)

add_route(
    router,
    walking.NAVIGATE,
    lambda app, palace, asked: app.walking.navigate.find(palace, asked.start, asked.goal, context=asked.context),
    tag="walk",
)
add_route(
    router,
    walking.EXPLORE,
    lambda app, palace, asked: app.walking.explore.walk(
        palace,
        query=asked.query,
        wing=asked.wing,
        rules=asked,
        seed=asked.seed,
        mark=asked.mark,
        until_converged=asked.until_converged,
    ),
    tag="walk",
)
add_route(
    router,
    walking.SURROUNDINGS,
    lambda app, palace, asked: app.walking.surroundings.of(palace, asked),
    tag="walk",
)
add_route(router, walking.MAP, lambda app, palace, _asked: app.palaces.maps.of(palace), tag="palace")

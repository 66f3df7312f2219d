"""The routes for pheromones and their decay."""

from __future__ import annotations

from functools import partial

from graphpalace.offers import pheromones
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.router import new_router

router = new_router()
_add = partial(add_route, router, tag="pheromones")

_add(pheromones.PHEROMONE_STATUS, lambda app, palace, _asked: app.pheromones.hot_paths.status(palace))
_add(pheromones.PHEROMONE_HISTORY, lambda app, palace, asked: app.palaces.maps.history(palace, limit=asked.limit))
_add(
    pheromones.HOT_PATHS,
    lambda app, palace, asked: app.pheromones.hot_paths.hot(
        palace, kind=asked.kind, wing=asked.wing, limit=asked.limit
    ),
)
_add(
    pheromones.COLD_SPOTS,
    lambda app, palace, asked: app.pheromones.hot_paths.cold(
        palace, kind=asked.kind, wing=asked.wing, limit=asked.limit
    ),
)
_add(pheromones.DEPOSIT, lambda app, palace, asked: app.pheromones.named_deposits.deposit(palace, asked))
_add(pheromones.DECAY, lambda app, palace, _asked: app.pheromones.decay.apply(palace))
_add(pheromones.DECAY_STATUS, lambda app, palace, _asked: app.pheromones.decay.status(palace))

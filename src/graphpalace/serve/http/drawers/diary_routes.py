"""The routes for agents and their diaries."""

from __future__ import annotations

from functools import partial

from graphpalace.offers import diaries
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.router import new_router

router = new_router()
_add = partial(add_route, router, tag="diaries")

_add(diaries.LIST_AGENTS, lambda app, palace, _asked: app.diaries.agents(palace))
_add(diaries.WRITE_DIARY, lambda app, palace, asked: app.diaries.write(palace, asked.agent, asked.entry()))
_add(diaries.READ_DIARY, lambda app, palace, asked: app.diaries.read(palace, asked.agent, last=asked.last))

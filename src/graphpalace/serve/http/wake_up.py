"""The route that says what to know now."""

from __future__ import annotations

from graphpalace.offers.wake_up import WAKE_UP
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.router import new_router

router = new_router()

add_route(router, WAKE_UP, lambda app, palace, asked: app.waking_up.now(palace, asked), tag="palace")

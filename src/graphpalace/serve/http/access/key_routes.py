"""The routes for keys. Only who may do everything may use them."""

from __future__ import annotations

from functools import partial

from graphpalace.offers import access
from graphpalace.serve.http.offered import add_general_route
from graphpalace.serve.http.router import new_router

router = new_router(keyed=False)  # an answer that has a secret must not be kept
_add = partial(add_general_route, router, tag="keys")

_add(access.LIST_KEYS, lambda app, _asked: app.access.api_keys.listed())
_add(access.CREATE_KEY, lambda app, key: app.access.api_keys.create(key))
_add(access.REVOKE_KEY, lambda app, which: app.access.api_keys.revoke(which.key))

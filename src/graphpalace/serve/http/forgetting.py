"""The routes that forget, and list what was forgotten."""

from __future__ import annotations

from functools import partial

from graphpalace.app import GraphPalace
from graphpalace.domain.forgetting import ForgetReceipt, ForgetRequest
from graphpalace.offers import forgetting
from graphpalace.serve.http.access.own_parts import own_receipt
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.router import new_router

router = new_router()
_add = partial(add_route, router, tag="drawers")


async def _forget(app: GraphPalace, palace: str, asked: ForgetRequest) -> ForgetReceipt:
    return own_receipt(palace, await app.forgetting.forget(palace, asked, dry_run=asked.dry_run, by=asked.by))


_add(forgetting.FORGET, _forget)
_add(
    forgetting.LIST_RECEIPTS,
    lambda app, palace, asked: app.forgetting.receipts(palace, after=asked.after, limit=asked.limit),
)

"""The routes for many drawers: forgetting, and what was forgotten."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from graphpalace.domain.forgetting import ForgetChoice, ForgetReceipt, ListedReceipts
from graphpalace.serve.http.access.own_parts import own_receipt
from graphpalace.serve.http.drawers.models import ForgetRequest
from graphpalace.serve.http.request_body import value_of
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()


@router.post("/forget", tags=["drawers"])
async def forget(body: ForgetRequest, app: Operations) -> ForgetReceipt:
    """Forget drawers and everything derived from them. A wing or a room that is named alone is deleted too."""
    palace = named(app, body.palace)
    receipt = await app.forgetting.forget(palace, value_of(body, ForgetChoice), dry_run=body.dry_run, by=body.by)
    return own_receipt(palace, receipt)


@router.get("/forget/receipts", tags=["drawers"])
async def forget_receipts(
    app: Operations,
    palace: PalaceName = None,
    after: str = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
) -> ListedReceipts:
    """List what was forgotten page by page, newest first: when, how much, and which ids. A receipt has no text."""
    return await app.forgetting.receipts(named(app, palace), after=after, limit=limit)

"""The routes for many drawers: storing a batch, forgetting, and looking for duplicates."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from graphpalace.domain.drawers.drawer import AddedDrawers
from graphpalace.domain.drawers.new_drawer import DuplicateCheck, NewDrawer
from graphpalace.domain.forgetting import ForgetChoice, ForgetReceipt, ListedReceipts
from graphpalace.serve.http.access.own_parts import own_receipt
from graphpalace.serve.http.drawers.models import BatchRequest, DuplicateRequest, ForgetRequest
from graphpalace.serve.http.request_body import value_of
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()


@router.post("/drawers/batch", tags=["drawers"])
async def add_drawers(body: BatchRequest, app: Operations) -> AddedDrawers:
    """Store up to 1000 texts verbatim, all of them or none. They can be found as soon as this returns."""
    return await app.drawers.add_many(named(app, body.palace), [value_of(one, NewDrawer) for one in body.drawers])


@router.post("/drawers/check_duplicate", tags=["drawers"])
async def check_duplicate(body: DuplicateRequest, app: Operations) -> DuplicateCheck:
    """Find drawers with the same text, and those whose plain cosine reaches the threshold. This stores nothing."""
    return await app.duplicates.check(
        named(app, body.palace), body.text, wing=body.wing, threshold=body.threshold, top_k=body.top_k
    )


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

"""The route that searches."""

from __future__ import annotations

from graphpalace.domain.search.answer import Answer
from graphpalace.serve.http.router import Operations, named, new_router
from graphpalace.serve.http.search.models import SearchRequest

router = new_router()


@router.post("/search", tags=["search"])
async def search(body: SearchRequest, app: Operations) -> Answer:
    """Search full text and embeddings side by side; each hit says why it is there and where it stands."""
    return await app.recall.search(named(app, body.palace), body.value())

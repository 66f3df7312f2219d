"""The route of the search."""

from __future__ import annotations

from graphpalace.domain.search.answer import Answer
from graphpalace.serve.http.access.own_parts import own_answer, own_question
from graphpalace.serve.http.router import Operations, named, new_router
from graphpalace.serve.http.search.models import SearchRequest

router = new_router(keyed=False)


@router.post("/search", tags=["search"])
async def search(body: SearchRequest, app: Operations) -> Answer:
    """Search by words and by meaning. Each hit shows which lanes found it and its path in the palace."""
    palace = named(app, body.palace)
    return own_answer(palace, await app.recall.search(palace, own_question(palace, body.value())))

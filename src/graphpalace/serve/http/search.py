"""The route of the search."""

from __future__ import annotations

from graphpalace.app import GraphPalace
from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.request import SearchQuery
from graphpalace.offers.search import SEARCH
from graphpalace.serve.http.access.own_parts import own_answer, own_question
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.router import new_router

router = new_router(keyed=False)


async def _search(app: GraphPalace, palace: str, asked: SearchQuery) -> Answer:
    return own_answer(palace, await app.recall.search(palace, own_question(palace, asked.request())))


add_route(router, SEARCH, _search, tag="search")

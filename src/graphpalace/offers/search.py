"""The search."""

from __future__ import annotations

from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.request import SearchQuery
from graphpalace.errors import EmptyQuery, InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer

SEARCH = Offer(  # MCP has a tool of its own, whose answer is brief
    "search",
    "POST /v1/search",
    SearchQuery,
    Answer,
    "Search by words and by meaning, and return the best drawers, best first. Each hit shows which lanes found it and"
    " its path in the palace.",
    raises={
        EmptyQuery: "there is neither a query nor an embedding",
        NotFound: "the palace, the wing or the room does not exist",
        InvalidInput: "another value is out of its range",
    },
    example={"query": "how do decorators work", "wing": "python", "top_k": 5},
    positional=("query",),
)
SEARCHES = Group("Searches", "The part of a palace that answers questions.", (SEARCH,))

"""Putting documents or drawers into order."""

from __future__ import annotations

from graphpalace.domain.access.caller import Role
from graphpalace.domain.rerank import RerankAnswer, RerankQuery
from graphpalace.errors import EmptyQuery, InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer, Tool

RERANK = Offer(
    "rerank",
    "POST /v1/rerank",
    RerankQuery,
    RerankAnswer,
    "Order documents, or drawers of the palace, by what they say and by what was learned. Nothing changes.",
    role=Role.READ,
    more="What is not given is as [rerank] of the settings says.",
    raises={
        EmptyQuery: "there is neither a query nor an embedding",
        InvalidInput: "there are both or neither of documents and drawers, or a value is out of its range",
        NotFound: "the palace or a drawer does not exist",
    },
    example={
        "query": "how is bread made",
        "documents": [{"id": "a", "text": "knead the dough"}, {"id": "b", "text": "prune the roses"}],
        "top_k": 1,
    },
    positional=("query", "documents"),
    tool=Tool(
        "rerank",
        "Order your own documents, or drawers, by a question and by what feedback taught. Stores nothing.",
        ("runs",),
        limits={"mmr_lambda": {"ge": 0, "le": 1}},
        without=frozenset(
            {
                "gating_threshold",
                "gating_min_candidates",
                "gating_max_candidates",
                "gating_entropy_temp",
                "deterministic",
                "reference_time",
            }
        ),
    ),
)
RERANKS = Group("Reranks", "The part of a palace that puts documents into order.", (RERANK,))

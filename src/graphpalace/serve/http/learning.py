"""The routes for feedback, and for what was learned from it."""

from __future__ import annotations

from functools import partial

from graphpalace.app import GraphPalace
from graphpalace.domain.learning.feedback_requests import (
    FeedbackReceipt,
    FeedbackRequest,
    Forgotten,
    LearnedQuery,
    ShownQuery,
)
from graphpalace.offers import learning
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.router import new_router

router = new_router()
_add = partial(add_route, router, tag="learning")


async def _give(app: GraphPalace, palace: str, asked: FeedbackRequest) -> FeedbackReceipt:
    useful, useless = asked.rewards()
    return await app.learning.feedback.give(
        palace,
        run=asked.run,
        question=asked.question(),
        namespace=asked.namespace,
        useful=useful,
        useless=useless,
        feedback_id=asked.id,
    )


async def _shown(app: GraphPalace, palace: str, asked: ShownQuery) -> list[str]:
    return list(await app.learning.feedback.shown(palace, asked.run))


async def _unlearn(app: GraphPalace, palace: str, asked: LearnedQuery) -> Forgotten:
    return Forgotten(await app.learning.learned.reset(palace, wing=asked.wing))


_add(learning.GIVE_FEEDBACK, _give)
_add(
    learning.LIST_FEEDBACK,
    lambda app, palace, asked: app.learning.learned.feedback(palace, wing=asked.wing, limit=asked.limit),
)
_add(learning.SHOWN, _shown)
_add(learning.TAKE_BACK, lambda app, palace, asked: app.learning.feedback.take_back(palace, asked.feedback))
_add(learning.SHOW_LEARNED, lambda app, palace, asked: app.learning.learned.of(palace, wing=asked.wing))
_add(learning.UNLEARN, _unlearn)

"""The routes for feedback, and for what was learned from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import Query

from graphpalace.domain.learning.feedback_answers import FeedbackReceipt, ListedFeedback
from graphpalace.domain.learning.learned_state import LearnedState
from graphpalace.domain.publications.condition_forms import conditions_of
from graphpalace.domain.receipts import Forgotten
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import InvalidInput
from graphpalace.operations.learning.learned_view import MOST_LISTED
from graphpalace.serve.http.learning import models
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()

SUCCESS_GATE = 0.5  # selected results count as useful from this success on (seed 001)
Wing = Annotated[str | None, Query(description="default: the whole palace")]


@router.post("/feedback", tags=["learning"])
async def give(body: models.FeedbackRequest, app: Operations) -> FeedbackReceipt:
    """Mark drawers or documents of an answer as useful or useless. Later answers learn from this."""
    if "success" in body.model_fields_set and not body.selected_ids:
        raise InvalidInput("success needs selected_ids, which is empty", field="selected_ids", value=[])

    def selected(*, useful: bool) -> list[models.Judged]:
        reward = body.success if useful else 1 - body.success
        chosen = body.selected_ids if useful == (body.success >= SUCCESS_GATE) else []
        return [models.Judged(id=one, reward=reward) for one in chosen]

    return await app.feedback.give(
        named(app, body.palace),
        run=body.run,
        question=_question(body),
        namespace=body.namespace,
        useful=_rewards([*body.useful, *selected(useful=True)], "useful"),
        useless=_rewards([*body.useless, *selected(useful=False)], "useless"),
        feedback_id=body.id,
    )


@router.get("/feedback", tags=["learning"])
async def list_feedback(
    app: Operations,
    palace: PalaceName = None,
    wing: Wing = None,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 50,
) -> list[ListedFeedback]:
    """List feedback, newest first."""
    return await app.learned.feedback(named(app, palace), wing=wing, limit=limit)


@router.get("/feedback/shown/{run}", tags=["learning"])
async def shown(run: str, app: Operations, palace: PalaceName = None) -> list[str]:
    """List what a run showed, best first, by the names that feedback takes."""
    return list(await app.feedback.shown(named(app, palace), run))


@router.delete("/feedback/{feedback}", status_code=204, tags=["learning"])
async def take_back(feedback: str, app: Operations, palace: PalaceName = None) -> None:
    """Undo a feedback, with its effects on learning and on pheromones."""
    await app.feedback.take_back(named(app, palace), feedback)


@router.get("/learned", tags=["learning"])
async def learned(app: Operations, palace: PalaceName = None, wing: Wing = None) -> LearnedState:
    """Show what a palace or a wing has learned, from how much feedback, and what each part gains."""
    return await app.learned.of(named(app, palace), wing=wing)


@router.delete("/learned", tags=["learning"])
async def reset(app: Operations, palace: PalaceName = None, wing: Wing = None) -> Forgotten:
    """Delete all feedback of a wing or of the whole palace."""
    return Forgotten(await app.learned.reset(named(app, palace), wing=wing))


def _question(body: models.FeedbackRequest) -> SearchRequest | None:
    """Return the question that the body has, or None. Feedback is on a run or on a question, never on both."""
    question = SearchRequest(
        query=body.query,
        query_embedding=body.query_embedding,
        wing=body.wing,
        room=body.room,
        conditions=conditions_of(body.filters),
    )
    return None if question == SearchRequest() else question


def _rewards(given: Sequence[str | models.Judged], field: str) -> dict[str, float]:
    rewards: dict[str, float] = {}
    for one in given:
        drawer, reward = (one, 1.0) if isinstance(one, str) else (one.id, one.reward)
        if drawer in rewards:
            raise InvalidInput(f"{field} has {drawer} twice; give it once", field=field, value=drawer)
        rewards[drawer] = reward
    return rewards

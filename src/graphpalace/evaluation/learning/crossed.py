"""Ranks the documents for every question twice: without learning, and after feedback on the other questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphpalace.evaluation.asking import ask_all
from graphpalace.evaluation.collection import CollectionQuestion
from graphpalace.evaluation.learning.plan import halves
from graphpalace.evaluation.learning.teaching import Teaching
from graphpalace.evaluation.measure import SEED
from graphpalace.evaluation.storing import Progress
from graphpalace.evaluation.systems import LEARNED, UNLEARNED, WHOLE
from graphpalace.operations.search.recall import Recall

Rankings = dict[str, list[str]]


async def crossed_rankings(
    recall: Recall,
    teaching: Teaching,
    palace: str,
    questions: Sequence[CollectionQuestion],
    *,
    depth: int,
    progress: Progress,
) -> dict[str, Rankings]:
    """Divide the questions into two halves; each gets feedback while the other is measured.

    Args:
        depth: Number of documents to find for each question, 1 to 200.

    Returns:
        For `search` and `search_learned`, the documents found for each question, best first.

    Raises:
        DatabaseFailed: If a lane failed.
        InvalidInput: If there are fewer than two questions.
    """
    found: dict[str, Rankings] = {WHOLE: {}, LEARNED: {}}

    async def answer(name: str, asked: Sequence[CollectionQuestion], change: Mapping[str, Any]) -> None:
        def told(done: int, total: int) -> None:
            progress(f"asking {name}", done, total)

        answers = await ask_all(recall, palace, asked, change, timed=False, progress=told, depth=depth)
        found[name] |= {question: each.documents for question, each in answers.items()}

    async def nothing(_feedbacks: int) -> None:
        """Do nothing after a feedback."""

    parts = halves(questions, np.random.default_rng(SEED))
    for half, (taught, measured) in enumerate((parts, parts[::-1])):
        await teaching.forget(palace)
        await answer(WHOLE, measured, UNLEARNED)
        await teaching.teach(palace, taught, wrong=0.0, seed=half, random=np.random.default_rng(half), after=nothing)
        await teaching.learned(palace, measured)  # otherwise early answers would know less than late ones
        await answer(LEARNED, measured, {})
    return found

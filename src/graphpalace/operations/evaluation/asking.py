"""Ask one system one question, and read its drawers as documents of the collection."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from graphpalace.errors import DatabaseFailed
from graphpalace.operations.evaluation.collection import CollectionQuestion
from graphpalace.operations.evaluation.documents import document_of
from graphpalace.operations.question import MOST_RESULTS, Question, SearchPlan
from graphpalace.operations.recall import Recall

_DEPTH = 10  # of every metric


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer.

    Attributes:
        documents: Ids, best first, at least ten if there are so many, without those that the question excludes; a
            document stands where the best of its drawers does.
        took_ms: Of the search.
        plan: How it was answered.
    """

    documents: list[str]
    took_ms: float
    plan: SearchPlan


async def ask(recall: Recall, palace: str, asked: CollectionQuestion, change: dict[str, Any]) -> Answered:
    """Return a system's answer.

    Drawers beyond the usual ten are asked for where some are left out; where several drawers are of one document, the
    search is asked again for more, which is not timed.

    Args:
        change: What the system changes of a question that leaves all to the settings.
    Raises:
        DatabaseFailed: If a lane failed or was too slow, for then the figures would not be those of the search.
    """
    question = Question(
        asked.text,
        embedding=None if asked.vector is None else asked.vector.tolist(),
        wing=asked.wing,
        top_k=min(_DEPTH + len(asked.exclude), MOST_RESULTS),
    )
    question = replace(question, **change)
    started = time.perf_counter()
    answer = await recall.search(palace, question)
    took_ms = (time.perf_counter() - started) * 1000
    while True:
        if answer.left_out:
            lane, reason = next(iter(answer.left_out.items()))
            raise DatabaseFailed(f"question {asked.id!r}: lane {lane} failed: {reason}", question=asked.id, lane=lane)
        found = dict.fromkeys(document_of(hit.drawer["source_uri"]) for hit in answer.hits)
        documents = [document for document in found if document not in asked.exclude]
        top_k = question.top_k
        if len(documents) >= _DEPTH or len(answer.hits) < top_k or top_k == MOST_RESULTS:
            return Answered(documents, took_ms, answer.plan)
        question = replace(question, top_k=min(2 * top_k, MOST_RESULTS))
        answer = await recall.search(palace, question)

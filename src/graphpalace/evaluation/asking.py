"""Ask one system questions, and read its drawers as documents of the collection."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.plan import SearchPlan
from graphpalace.domain.search.request import MOST_RESULTS, SearchRequest
from graphpalace.errors import DatabaseFailed
from graphpalace.evaluation.collection import CollectionQuestion
from graphpalace.evaluation.documents import document_of
from graphpalace.operations.search.recall import Recall

DEPTH = 10  # of every metric
_AT_ONCE = 4  # questions to a system that is not timed


@dataclass(frozen=True, slots=True)
class AskedQuestion:
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


def question_of(asked: CollectionQuestion, change: Mapping[str, Any]) -> SearchRequest:
    """Return what the search is asked; more than ten drawers where some are left out of the answer.

    Args:
        change: What a system changes of a question that leaves all to the settings.
    """
    question = SearchRequest(
        asked.text,
        query_embedding=None if asked.vector is None else asked.vector.tolist(),
        wing=asked.wing,
        top_k=min(DEPTH + len(asked.exclude), MOST_RESULTS),
    )
    return replace(question, **change)


def check_complete(answer: Answer, asked: CollectionQuestion) -> None:
    """Raise if a lane failed or was too slow, for then the figures would not be those of the search.

    Raises:
        DatabaseFailed: If so.
    """
    for lane, reason in answer.left_out.items():
        raise DatabaseFailed(f"question {asked.id!r}: lane {lane} failed: {reason}", question=asked.id, lane=lane)


async def ask(recall: Recall, palace: str, asked: CollectionQuestion, change: Mapping[str, Any]) -> AskedQuestion:
    """Return a system's answer.

    Where several drawers are of one document, the search is asked again for more, which is not timed.

    Args:
        change: What the system changes of a question that leaves all to the settings.
    Raises:
        DatabaseFailed: If a lane failed or was too slow.
    """
    question = question_of(asked, change)
    started = time.perf_counter()
    answer = await recall.search(palace, question)
    took_ms = (time.perf_counter() - started) * 1000
    while True:
        check_complete(answer, asked)
        found = dict.fromkeys(document_of(hit.source.uri) for hit in answer.hits)
        documents = [document for document in found if document not in asked.exclude]
        top_k = question.top_k
        if len(documents) >= DEPTH or len(answer.hits) < top_k or top_k == MOST_RESULTS:
            return AskedQuestion(documents, took_ms, answer.plan)
        question = replace(question, top_k=min(2 * top_k, MOST_RESULTS))
        answer = await recall.search(palace, question)


async def ask_all(
    recall: Recall,
    palace: str,
    questions: Sequence[CollectionQuestion],
    change: Mapping[str, Any],
    *,
    timed: bool,
    told: Callable[[int, int], None],
) -> dict[str, AskedQuestion]:
    """Return a system's answer to each question.

    Args:
        timed: Whether one question is asked after the other, so that the times are those of a search alone.
        told: Called with how many are answered, and of how many.
    Raises:
        DatabaseFailed: If a lane failed or was too slow.
    """
    answers: dict[str, AskedQuestion] = {}
    remaining = iter(questions)

    async def work() -> None:
        for question in remaining:  # shared: each worker takes the next
            answers[question.id] = await ask(recall, palace, question, change)
            told(len(answers), len(questions))

    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(1 if timed else _AT_ONCE):
                workers.create_task(work())
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return answers

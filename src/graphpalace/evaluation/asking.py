"""Asks one system the questions of a collection, and converts the drawers it finds to documents of the collection."""

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

DEPTH = 10  # number of results that the metrics use
_AT_ONCE = 4  # concurrent questions to a system that is not timed


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """The answer of a system to one question.

    Attributes:
        documents: Ids of documents, best first, as many as were asked for if the system finds them. A document
            has the rank of its best drawer. Documents that the question excludes are left out.
        took_ms: Duration of the search in milliseconds.
        plan: How the search answered the question.
        sure: Probability that the first hit is right, 0 to 1; None if there is none, or no hit.
        confidence: Probability that the palace has what was asked for, 0 to 1; None as `sure`.
        fits: Whether the answer does not say that nothing fits well.
    """

    documents: list[str]
    took_ms: float
    plan: SearchPlan
    sure: float | None = None
    confidence: float | None = None
    fits: bool = True


def question_of(asked: CollectionQuestion, change: Mapping[str, Any], *, depth: int = DEPTH) -> SearchRequest:
    """Convert a question of the collection to a search request.

    Args:
        asked: The question.
        change: Fields of the request that the system sets; all others follow the settings.
        depth: Drawers to ask for, 1 to 200. One more is asked for each document that the question excludes.
    """
    question = SearchRequest(
        asked.text,
        query_embedding=None if asked.vector is None else asked.vector.tolist(),
        wing=asked.wing,
        top_k=min(depth + len(asked.exclude), MOST_RESULTS),
        fold_duplicates=False,
    )
    return replace(question, **change)


def check_complete(answer: Answer, asked: CollectionQuestion) -> None:
    """Check that no lane was left out of an answer, because then the figures would not be those of the search.

    Raises:
        DatabaseFailed: If a lane failed or was too slow.
    """
    for lane, reason in answer.left_out.items():
        raise DatabaseFailed(f"question {asked.id!r}: lane {lane} failed: {reason}", question=asked.id, lane=lane)


async def ask(
    recall: Recall, palace: str, asked: CollectionQuestion, change: Mapping[str, Any], *, depth: int = DEPTH
) -> AskedQuestion:
    """Ask a system one question.

    If the drawers found belong to fewer documents than `depth`, the search is repeated for more drawers, which is not
    timed.

    Args:
        asked: The question.
        change: Fields of the request that the system sets; all others follow the settings.
        depth: Number of documents to find, 1 to 200.

    Raises:
        DatabaseFailed: If a lane failed or was too slow.
    """
    question = question_of(asked, change, depth=depth)
    started = time.perf_counter()
    answer = await recall.search(palace, question)
    took_ms = (time.perf_counter() - started) * 1000
    sure = answer.hits[0].confidence if answer.hits else None
    confidence, fits = answer.confidence, answer.fits and bool(answer.hits)
    while True:
        check_complete(answer, asked)
        found = dict.fromkeys(document_of(hit.source.uri) for hit in answer.hits)
        documents = [document for document in found if document not in asked.exclude]
        top_k = question.top_k
        if len(documents) >= depth or len(answer.hits) < top_k or top_k == MOST_RESULTS:
            return AskedQuestion(documents, took_ms, answer.plan, sure, confidence, fits)
        question = replace(question, top_k=min(2 * top_k, MOST_RESULTS))
        answer = await recall.search(palace, question)


async def ask_all(
    recall: Recall,
    palace: str,
    questions: Sequence[CollectionQuestion],
    change: Mapping[str, Any],
    *,
    timed: bool,
    progress: Callable[[int, int], None],
    depth: int = DEPTH,
) -> dict[str, AskedQuestion]:
    """Ask a system all questions, and return its answers by the id of the question.

    Args:
        change: Fields of the request that the system sets; all others follow the settings.
        timed: Whether to ask one question after the other, so that the durations are those of undisturbed searches.
        progress: Called with the number of answered questions and the number of questions.
        depth: Number of documents to find for each question, 1 to 200.

    Raises:
        DatabaseFailed: If a lane failed or was too slow.
    """
    answers: dict[str, AskedQuestion] = {}
    remaining = iter(questions)

    async def work() -> None:
        for question in remaining:  # shared: each worker takes the next
            answers[question.id] = await ask(recall, palace, question, change, depth=depth)
            progress(len(answers), len(questions))

    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(1 if timed else _AT_ONCE):
                workers.create_task(work())
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return answers

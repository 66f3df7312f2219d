"""Asks each system of an evaluation the questions of a stored collection, and finds its documents in answers."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphpalace.domain.drawers.document import Document, Passage
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.domain.identity import text_hash
from graphpalace.domain.search.answer import Answer, SearchPlan
from graphpalace.domain.search.request import LEARNED_PARTS, MOST_RESULTS, PARTS, SearchRequest
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import DatabaseFailed
from graphpalace.evaluation.collection import Collection, CollectionDocument, CollectionQuestion
from graphpalace.ingest.split import split_section
from graphpalace.operations.drawers.ingest import Ingest
from graphpalace.operations.drawers.settle import settle
from graphpalace.operations.search.recall import Recall
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.settings.sections.ingest import IngestSettings
from graphpalace.store.connection.database import Database

_SCHEME = "eval:"
Progress = Callable[[str, int, int], None]


async def store(
    database: Database,
    indexes: DrawerIndexes,
    embedder: Embedder,
    palace: str,
    collection: Collection,
    *,
    settings: IngestSettings,
    progress: Progress,
) -> None:
    """Ingest the documents of a collection in the usual way, but without files, and using the collection's embeddings.

    Args:
        progress: Called with the name of the current work, the number of documents done, and their total.
    """
    wings: dict[str, list[Document]] = defaultdict(list)
    for source in collection.documents:
        wings[source.wing].append(await asyncio.to_thread(ready_document, source, settings.split))
    total = len(collection.documents)
    done = 0
    progress("storing documents", done, total)
    matrix = await indexes.load(palace, many_neighbours=True)
    for wing, documents in wings.items():
        before = done
        ingest = Ingest(
            database,
            indexes,
            embedder,
            palace=palace,
            wing=wing,
            settings=settings,
            progress=lambda report, before=before: progress(
                "storing documents", before + report.documents_stored, total
            ),
        )
        await ingest.store(documents, matrix)
        done += len(documents)
        progress("storing documents", done, total)
    del matrix
    await settle(
        database,
        indexes,
        palace=palace,
        rooms=settings.rooms,
        tunnel_threshold=settings.tunnel_threshold,
    )


def ready_document(source: CollectionDocument, options: SplitOptions) -> Document:
    """Return the document as a single passage if it has an embedding; otherwise it is split like a text file."""
    return Document(
        uri=f"{_SCHEME}{source.id}",
        title=source.title,
        media_type="text/plain",
        content_hash=text_hash(source.text),
        passages=_passages(source, options),
    )


def document_of(uri: str) -> str:
    """Return the id in the collection of the document that was stored with a URI."""
    return uri.removeprefix(_SCHEME)


def _passages(source: CollectionDocument, options: SplitOptions) -> tuple[Passage, ...]:
    if not source.text.strip():
        return ()
    if source.vector is None:
        passages = split_section(source.text, 1, (), options)
        return tuple(replace(passage, occurred_at=source.occurred_at) for passage in passages)
    lines = source.text.count("\n") + 1
    return (Passage(source.text, 1, lines, occurred_at=source.occurred_at, vector=source.vector),)


DEPTH = 10  # number of results that the metrics use
_AT_ONCE = 4  # concurrent questions to a system that is not timed
BASELINE, WHOLE, LEARNED, TRAILS = "rrf", "search", "search_learned", "trails alone"
UNLEARNED: dict[str, Any] = {"without": frozenset({"learning"})}
# The fields of a search request that each system sets. All others follow the settings.
SYSTEMS: dict[str, dict[str, Any]] = {lane: {"lanes": (lane,)} for lane in ("fulltext", "semantic", "path")} | {
    BASELINE: {
        "lanes": ("fulltext", "semantic"),
        "fusion": "rrf",
        "weights": {"fulltext": 1.0, "semantic": 1.0},
    },
    WHOLE: {},
}
# Only measured on request, because it takes longer than all others together.
SWARM: dict[str, dict[str, Any]] = {"search_mcmp": {"lanes": ("fulltext", "semantic", "mcmp")}}


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


def ablations(lanes: Sequence[str], fusion: str) -> dict[str, dict[str, Any]]:
    """Return variants of the search with one part left out at a time.

    Args:
        lanes, fusion: The lanes and the fusion that the search uses.

    Returns:
        For each name, such as `without titles`, the fields of a search request that the variant sets.
    """
    left_out: dict[str, dict[str, Any]] = {f"without {part}": {"without": frozenset({part})} for part in PARTS}
    if len(lanes) > 1:
        for lane in lanes:
            left_out[f"without lane {lane}"] = {"lanes": tuple(other for other in lanes if other != lane)}
    if fusion != "rrf":
        left_out["rrf in place of fusion"] = {"fusion": "rrf"}
    return left_out


def learning_ablations() -> dict[str, dict[str, Any]]:
    """Return variants of the search with one part of learning left out at a time, and with trails as its only part."""
    left_out: dict[str, dict[str, Any]] = {f"without {part}": {"without": frozenset({part})} for part in LEARNED_PARTS}
    return left_out | {TRAILS: {"without": frozenset(LEARNED_PARTS) - {"trails"}}}

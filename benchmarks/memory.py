"""How good each way of remembering is at finding the conversations that hold an answer: the metrics of LongMemEval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import bm25s
import numpy as np
import Stemmer

from benchmarks.mempalace_peer import VERSION, kept, rankings
from benchmarks.result import Result
from benchmarks.workbench import Workbench, say
from graphpalace.app import make_embedder
from graphpalace.domain.vectors import unit_rows
from graphpalace.evaluation.asking import LEARNED, WHOLE
from graphpalace.evaluation.collection import Collection, CollectionDocument, CollectionQuestion, read_collection
from graphpalace.evaluation.collection_files import records
from graphpalace.evaluation.evaluate import evaluating
from graphpalace.evaluation.measure import per_question, session_scores

TARGET = 1.0
_DEPTH = 50  # documents of a ranking; enough to name ten conversations
_FIRST = (5, 10)
_MAIN = "any@5"
Rankings = Mapping[str, list[str]]


async def measure(bench: Workbench) -> Result:
    """Rank the documents of each collection that was given by words, by meaning, in MemPalace and here."""
    assert bench.running
    found = {folder.name: await _figures(bench, _answerable(folder)) for folder in bench.collections}
    ratio = min(_against_the_best(systems) for systems in found.values())
    figures = {
        "ratio_is": f"{_MAIN} of the search after feedback on other questions, divided by that of the best other "
        "system; the worst of all collections; at least",
        "mempalace": VERSION,
        "bm25": "k1 1.2, b .75, English stop words and stems",
        "any": "share of the questions of which at least one conversation is among the first 5 or 10 conversations",
        "all": "share of the questions of which all conversations are",
        "ndcg": "as LongMemEval computes it: a document of a right conversation counts",
        "recall": "share of the documents that answer a question among its first 5 or 10 documents, as for LoCoMo",
        "collections": found,
    }
    return bench.result("memory", ratio=ratio, target=TARGET, met=ratio >= TARGET, figures=figures)


def _against_the_best(systems: Mapping[str, Mapping[str, float]]) -> float:
    others = (each[_MAIN] for name, each in systems.items() if name not in (WHOLE, LEARNED))
    return systems[LEARNED][_MAIN] / max(others)


def _answerable(folder: Path) -> Collection:
    """Read a collection without the questions that have no answer: LongMemEval does not measure them either."""
    collection = read_collection(folder)
    abstained = {each.id for each in records(folder / "queries.jsonl") if each.metadata.get("abstention")}
    return replace(collection, questions=tuple(each for each in collection.questions if each.id not in abstained))


async def _figures(bench: Workbench, collection: Collection) -> dict[str, dict[str, float]]:
    say(f"asking on {collection.name}")
    async with evaluating(bench.settings, collection) as evaluation:
        ours = await evaluation.rankings(collection, depth=_DEPTH)
    complete = _embedded(bench, collection)
    say(f"asking the others on {collection.name}")
    systems: dict[str, Rankings] = {
        "bm25": by_words(complete),
        "cosine": by_meaning(complete),
        "mempalace": rankings(bench.home / f"memory-{collection.name}", complete, depth=_DEPTH),
        **ours,
    }
    return {name: scores(collection, ranked) for name, ranked in systems.items()}


def _embedded(bench: Workbench, collection: Collection) -> Collection:
    """Return the documents with text and the questions, embedded by the configured model if no embeddings came."""
    documents = [each for each in collection.documents if each.text.strip()]
    questions = collection.questions
    embedder = make_embedder(bench.settings)
    if documents[0].vector is None:
        vectors = embedder.embed([each.text for each in documents])
        documents = [replace(each, vector=vector) for each, vector in zip(documents, vectors, strict=True)]
    if questions[0].vector is None:
        vectors = embedder.embed_questions([each.text for each in questions])
        questions = [replace(each, vector=vector) for each, vector in zip(questions, vectors, strict=True)]
    return replace(collection, documents=tuple(documents), questions=tuple(questions))


def by_words(collection: Collection) -> Rankings:
    """Rank by BM25."""
    stem = Stemmer.Stemmer("english")

    def words(rows: Sequence[CollectionDocument | CollectionQuestion]) -> Any:
        return bm25s.tokenize([each.text for each in rows], stopwords="en", stemmer=stem, show_progress=False)

    def best(documents: Sequence[CollectionDocument], questions: Sequence[CollectionQuestion], most: int) -> Any:
        index = bm25s.BM25(k1=1.2, b=0.75)
        index.index(words(documents), show_progress=False)
        return index.retrieve(words(questions), k=min(most, len(documents)), show_progress=False)[0]

    return _ranked(collection, best)


def by_meaning(collection: Collection) -> Rankings:
    """Rank by the cosine of the embeddings."""

    def best(documents: Sequence[CollectionDocument], questions: Sequence[CollectionQuestion], most: int) -> Any:
        ours, asked = (unit_rows(np.array([each.vector for each in rows])) for rows in (documents, questions))
        return np.argsort(-(asked @ ours.T), axis=1, kind="stable")[:, :most]

    return _ranked(collection, best)


def _ranked(
    collection: Collection,
    best: Callable[[Sequence[CollectionDocument], Sequence[CollectionQuestion], int], Iterable[Iterable[int]]],
) -> Rankings:
    """Rank the documents for each question; one with a wing is asked among the documents of that wing alone.

    Args:
        best: Returns for each question the places of so many documents, best first.
    """
    ranked: dict[str, list[str]] = {}
    for wing in dict.fromkeys(each.wing for each in collection.questions):
        documents = [each for each in collection.documents if wing in (None, each.wing)]
        questions = [each for each in collection.questions if each.wing == wing]
        most = _DEPTH + max(len(each.exclude) for each in questions)
        for question, places in zip(questions, best(documents, questions, most), strict=True):
            ranked[question.id] = kept((documents[at].id for at in places), question, depth=_DEPTH)
    return ranked


def scores(collection: Collection, ranked: Rankings) -> dict[str, float]:
    """Return the mean of each metric over the questions."""
    session_of = {each.id: each.session or each.id for each in collection.documents}
    turns = Counter(session_of.values())
    found: dict[str, float] = {}
    for k in _FIRST:
        each_scored = [
            session_scores(ranked[one.id], {session_of[document] for document in one.relevant}, session_of, turns, k=k)
            for one in collection.questions
        ]
        found |= {
            f"any@{k}": fmean(one.any for one in each_scored),
            f"all@{k}": fmean(one.all for one in each_scored),
            f"ndcg@{k}": fmean(one.ndcg for one in each_scored),
        }
    relevant = {one.id: one.relevant for one in collection.questions}
    recall = per_question(relevant, ranked)
    return found | {f"recall@{k}": float(recall[f"recall@{k}"].mean()) for k in _FIRST}

"""Cases from which confidence is measured, with and without an answer, and the model that is fitted to them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float64
from sklearn.linear_model import LogisticRegression

from graphpalace.domain.search.answer import Ranking
from graphpalace.domain.search.request import plan_of
from graphpalace.errors import DatabaseFailed
from graphpalace.evaluation.asking import DEPTH, document_of, question_of
from graphpalace.evaluation.collection import Collection, CollectionQuestion
from graphpalace.evaluation.measure import SEED
from graphpalace.fuse.confidence import ANSWER_FEATURES, HIT_FEATURES, Logistic
from graphpalace.operations.search.answer_reader import shown as drawers_shown
from graphpalace.operations.search.confidence import features_of
from graphpalace.operations.search.preparation import StageTimer
from graphpalace.operations.search.recall import Recall
from graphpalace.operations.search.reordering import RankedDrawers
from graphpalace.operations.search.side_by_side import LaneResults
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore

Kind = Literal["answered", "removed", "unanswerable", "foreign"]
KINDS: tuple[Kind, ...] = ("answered", "removed", "unanswerable", "foreign")
_MOST_FOREIGN = 100
# Half of the weight is on questions with an answer. Questions of other collections are easy to tell, so they count
# little: with more weight, the model would learn little else.
SHARES = {"answered": 0.5, "removed": 0.2, "unanswerable": 0.2, "foreign": 0.1}
_FALLING = {"rank"}  # features that speak against a hit; all others speak for it
_PENALTY = 0.001  # inverse strength of the ridge penalty, on features of variance 1 and cases of mean weight 1
_CASES = 1000.0  # total weight of a collection


@dataclass(frozen=True, slots=True)
class Sample:
    """One question, as it was asked of a part of a collection.

    Attributes:
        kind: Whether its relevant documents are in the part, were removed, or were never there: because the collection
            says of the question that nothing answers it, or because it belongs to another collection.
        hits: Features of each hit, in the order of `HIT_FEATURES`.
        answer: Features of the answer, in the order of `ANSWER_FEATURES`.
        relevant: Whether each hit is relevant.
    """

    question: str
    kind: Kind
    hits: Float64[np.ndarray, "hits features"]
    answer: Float64[np.ndarray, " features"]
    relevant: Bool[np.ndarray, " hits"]


@dataclass(frozen=True, slots=True)
class CollectionHalf:
    """A collection without the documents that are relevant to half of its questions.

    Attributes:
        collection: What is left of it.
        questions: All questions, each with the relevant documents that are left, of which there may be none.
    """

    collection: Collection
    questions: tuple[CollectionQuestion, ...]


def halves_of(collection: Collection, *, most: int | None = None) -> list[CollectionHalf]:
    """Return a collection without the relevant documents of one half of its questions, and of the other.

    So each question is asked once with its answer and once without, unless both halves share relevant documents.

    Args:
        most: Largest number of questions, which are chosen at random; None: all.
    """
    questions = list(collection.questions)
    random.Random(SEED).shuffle(questions)
    chosen = questions[:most]
    return [_without(collection, chosen, chosen[half::2]) for half in (0, 1)]


def foreign_questions(collection: Collection, others: Sequence[Collection]) -> list[CollectionQuestion]:
    """Return up to 100 questions of other collections, which this one does not answer.

    Collections whose embeddings have another dimension are left out.
    """
    alike = [other for other in others if other.name != collection.name and other.dimension == collection.dimension]
    questions = [
        replace(one, relevant={}, wing=None, exclude=frozenset()) for other in alike for one in other.questions
    ]
    return random.Random(f"{SEED} {collection.name}").sample(questions, min(_MOST_FOREIGN, len(questions)))


def _without(
    collection: Collection, questions: Sequence[CollectionQuestion], removed: Sequence[CollectionQuestion]
) -> CollectionHalf:
    gone = {document for question in removed for document in question.relevant}
    left = tuple(document for document in collection.documents if document.id not in gone)
    asked = tuple(
        replace(one, relevant={document: gain for document, gain in one.relevant.items() if document not in gone})
        for one in questions
    )
    return CollectionHalf(replace(collection, documents=left, questions=asked), asked)


class SampleCollector:
    """Collects samples from one palace. The stages of the search are those of the product; nothing is learned."""

    def __init__(self, database: Database, recall: Recall, palace: str) -> None:
        self._drawers = DrawerStore(database)
        self._recall = recall
        self._palace = palace

    async def sample(self, asked: CollectionQuestion, *, never: Kind | None = None) -> Sample | None:
        """Ask a question, and return the features of its answer; None if nothing was found.

        Documents that the question excludes are treated as if they were not in the palace.

        Args:
            never: Why no document of the collection ever answered it; None if one does or did.

        Raises:
            DatabaseFailed: If a lane failed or was too slow.
        """
        recall = self._recall
        request = replace(question_of(asked, {}), kept=False, without=frozenset({"learning"}))
        plan = plan_of(request, recall.settings.plan, recall.settings.plans)
        search = await recall.preparation.of(self._palace, request, plan, recall.lanes.needs(plan), StageTimer())
        try:
            found = await recall.lanes.ask(search)
            for lane, reason in found.left_out.items():
                raise DatabaseFailed(f"question {asked.id!r}: lane {lane} failed: {reason}", question=asked.id)
            fused = await recall.fusion.of(search, found)
            ranked = await recall.learned.of(search, found, fused, limit=None)
            if asked.exclude:
                found, ranked = await self._without(found, ranked, asked.exclude)
            read = await recall.reader.read(search, ranked)
            shown = drawers_shown(search, ranked, read)[:DEPTH]
            if not shown:
                return None
            features = await features_of(search, found, fused, ranked, shown)
        finally:
            search.close()
        kind = never or ("answered" if asked.relevant else "removed")
        relevant = np.array([document_of(drawer.source_uri) in asked.relevant for drawer in shown])
        return Sample(asked.id, kind, features.hits, features.answer, relevant)

    async def _without(
        self, found: LaneResults, ranked: RankedDrawers, exclude: Set[str]
    ) -> tuple[LaneResults, RankedDrawers]:
        """Return what was found without the drawers of some documents, as far as they could be shown."""
        ids = [hit.id for hit in ranked.best[: 2 * DEPTH + len(exclude)]]
        drawers = await self._drawers.read(self._palace, ids)
        gone = {drawer.id for drawer in drawers if document_of(drawer.source_uri) in exclude}
        rankings: list[Ranking] = []
        for ranking in found.rankings:
            kept = [pair for pair in zip(ranking.ids, ranking.scores, strict=True) if pair[0] not in gone]
            ids, scores = tuple(drawer for drawer, _ in kept), tuple(score for _, score in kept)
            rankings.append(replace(ranking, ids=ids, scores=scores))
        best, plain = ([hit for hit in hits if hit.id not in gone] for hits in (ranked.best, ranked.plain))
        return replace(found, rankings=rankings), replace(ranked, best=best, plain=plain)


@dataclass(frozen=True, slots=True)
class FittedModels:
    """The models of hits and of answers."""

    hit: Logistic
    answer: Logistic


def fitted(collections: Mapping[str, Sequence[Sample]]) -> FittedModels:
    """Fit the models to the samples of some collections, each of which has the same weight.

    Each feature can only work in one direction: a greater cosine, for example, never lowers the confidence. Features
    that would work in the other direction are left out, with weight 0.

    Args:
        collections: Samples by collection; at least one sample with an answer and one without.
    """
    hits, answers = _Cases(), _Cases()
    for samples in collections.values():
        sizes = {kind: sum(sample.kind == kind for sample in samples) for kind in SHARES}
        shares = SHARES if sizes["unanswerable"] else {**SHARES, "removed": SHARES["removed"] + SHARES["unanswerable"]}
        total = sum(shares[kind] for kind, size in sizes.items() if size)
        for sample in samples:
            weight = _CASES * shares[sample.kind] / total / sizes[sample.kind]
            answers.add(sample.answer[None], np.array([sample.kind == "answered"]), weight)
            hits.add(sample.hits, sample.relevant, weight / len(sample.relevant))
    return FittedModels(_fit(hits, HIT_FEATURES), _fit(answers, ANSWER_FEATURES))


class _Cases:
    def __init__(self) -> None:
        self.features: list[Float64[np.ndarray, "cases features"]] = []
        self.positive: list[Bool[np.ndarray, " cases"]] = []
        self.weights: list[Float64[np.ndarray, " cases"]] = []

    def add(
        self, features: Float64[np.ndarray, "cases features"], positive: Bool[np.ndarray, " cases"], weight: float
    ) -> None:
        self.features.append(features)
        self.positive.append(positive)
        self.weights.append(np.full(len(positive), weight))


def _fit(cases: _Cases, names: Sequence[str]) -> Logistic:
    features, positive = np.concatenate(cases.features), np.concatenate(cases.positive)
    weights = np.concatenate(cases.weights)
    sign = np.array([-1.0 if name in _FALLING else 1.0 for name in names])
    mean = np.average(features, axis=0, weights=weights)
    deviation = np.sqrt(np.average((features - mean) ** 2, axis=0, weights=weights))
    deviation = np.where(deviation > 0, deviation, 1.0)
    scaled = sign * (features - mean) / deviation
    allowed = np.ones(len(names))
    while True:  # a feature that is 0 in all cases gets the weight 0
        model = LogisticRegression(C=_PENALTY, max_iter=1000).fit(scaled * allowed, positive, sample_weight=weights)
        slopes = model.coef_[0]
        if slopes.min() >= 0:
            break
        allowed[slopes.argmin()] = 0.0
    by_feature = sign * allowed * slopes / deviation
    intercept = float(model.intercept_[0] - by_feature @ mean)
    return Logistic(intercept, dict(zip(names, by_feature.tolist(), strict=True)))

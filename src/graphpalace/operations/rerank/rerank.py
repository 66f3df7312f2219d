"""Rerank: put documents or drawers into order by what they say and by what was learned (seed 001)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphpalace.domain.learning.feedback import document_id
from graphpalace.domain.learning.lesson import Candidates
from graphpalace.domain.learning.logged_search import LoggedSearch
from graphpalace.domain.vectors import Matrix, Vector, unit_vector
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import NotFound
from graphpalace.operations.history.search_log import RERANK, SearchLog, new_search_id
from graphpalace.operations.rerank.drawer_signals import DrawerSignals, Signals
from graphpalace.operations.rerank.request import (
    Candidate,
    RerankQuery,
    check,
    check_batch,
    rule_of,
)
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.rerank.gate import GateDecision
from graphpalace.rerank.linear_fusion import Components
from graphpalace.rerank.ordering import Ordering, OrderRule, ordered
from graphpalace.settings.sections.rerank import RerankSettings, RerankWeights
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.palaces.palaces import get_palace

_NOTHING = Signals(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ScoredDocument:
    """One place of an order: `score` is the weighted sum of the three others."""

    id: str
    score: float
    dense: float
    narrative: float
    pheromone: float


@dataclass(frozen=True, slots=True)
class PromotedDocument:
    """A document that exploration moved up from one rank to the next higher one; ranks count from 1, before MMR."""

    id: str
    from_rank: int
    to_rank: int


@dataclass(frozen=True, slots=True)
class RerankedOrder:
    """Some candidates, best first, and how that came about."""

    places: list[ScoredDocument]
    gating: GateDecision
    explored: list[PromotedDocument]
    deterministic: bool
    epsilon_used: float
    mmr_lambda_used: float
    weights: RerankWeights


@dataclass(frozen=True, slots=True)
class RerankAnswer:
    """An order, with text and metadata of each place by id, and the run that feedback calls it by."""

    run: str
    order: RerankedOrder
    documents: Mapping[str, tuple[str, Mapping[str, Any]]]


class Rerank:
    """Puts candidates into order. Reading changes nothing in the palace."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        embedder: Embedder,
        signals: DrawerSignals,
        searches: SearchLog,
        *,
        settings: RerankSettings | None = None,
    ) -> None:
        self._database = database
        self._indexes = indexes
        self._embedder = embedder
        self._signals = signals
        self._searches = searches
        self._settings = settings or RerankSettings()
        self._random = np.random.default_rng(self._settings.seed)

    async def rerank(self, palace: str, question: RerankQuery) -> RerankAnswer:
        """Return the best of a question's documents or drawers.

        Raises:
            EmptyQuery: If there are neither words nor an embedding.
            InvalidInput: If a value is out of range, or a document cannot be ranked.
            WrongDimension: If an embedding is not of the palace's dimension.
            BadRequest: If more is asked for than allowed.
            TooLarge: If a text is too long.
            NotFound: If the palace or a drawer is not there.
        """
        check(question, self._settings)
        rule = rule_of(question, self._settings)
        if question.documents is None:
            return await self._drawers(palace, question, rule)
        documents = sorted(question.documents, key=lambda document: document.id)
        place = {document.id: at for at, document in enumerate(question.documents)}
        if self._indexes.revision(palace) is None:  # else it is in memory, so it is there
            await get_palace(self._database, palace)
        goal, vectors = await asyncio.to_thread(self._vectors, question, documents, place)
        named = sorted({one.drawer_id for one in documents if one.drawer_id is not None})
        signals = await self._found(palace, named, goal, question)
        learned = await self._learned(palace, documents, goal, question)
        own = [learned.get(one.id, _NOTHING) if one.drawer_id is None else signals[one.drawer_id] for one in documents]
        ids = [document.id for document in documents]
        order = await self._ordered(ids, vectors, vectors @ goal, own, rule, question.deterministic)
        texts = {document.id: (document.text, document.metadata) for document in documents}
        drawers = {document.id: document.drawer_id for document in documents}
        run = self._keep(palace, question, goal, {one.id: drawers[one.id] for one in order.places})
        return RerankAnswer(run, order, {one.id: texts[one.id] for one in order.places})

    def check_batch(self, size: int) -> None:
        """Refuse a batch of more questions than allowed.

        Raises:
            BadRequest: If there are more.
        """
        check_batch(size, self._settings)

    async def order(
        self,
        palace: str,
        question: Vector,
        hits: Sequence[tuple[str, float]],
        *,
        top_k: int,
        mmr_lambda: float | None = None,
        weights: RerankWeights | None = None,
        deterministic: bool | None = None,
    ) -> RerankedOrder:
        """Return another order of what a search found: its last stage.

        What counts as dense is the search's own score as a share of the best, not the cosine, which knows less.

        Args:
            question: Length one.
            hits: Ids of drawers with their scores, >= 0; those that are not there any more are left out.
            top_k: >= 1.
            mmr_lambda, weights, deterministic: None: as in the options.

        Raises:
            NotFound: If the palace is not there.
        """
        asked = RerankQuery(top_k=top_k, mmr_lambda=mmr_lambda, deterministic=deterministic)
        rule = rule_of(asked, self._settings)
        rule = rule if weights is None else replace(rule, weights=weights)
        scores = dict(hits)
        ids, vectors = await self._stored(palace, sorted(scores))
        signals = await self._signals.of(palace, ids, question, frozen=self._deterministic(deterministic))
        here = [at for at, drawer in enumerate(ids) if drawer in signals]
        ids, vectors = [ids[at] for at in here], vectors[here]
        found = np.array([scores[drawer] for drawer in ids], np.float64)
        best = found.max(initial=0.0)
        dense = np.clip(found / best, 0.0, 1.0) if best > 0 else np.zeros(len(found))
        return await self._ordered(ids, vectors, dense, [signals[one] for one in ids], rule, deterministic)

    async def _drawers(self, palace: str, question: RerankQuery, rule: OrderRule) -> RerankAnswer:
        ids = sorted(question.drawer_ids or ())
        stored, vectors = await self._stored(palace, ids)
        _all_there(palace, ids, stored)
        goal, _ = await asyncio.to_thread(self._vectors, question, (), {})
        signals = await self._found(palace, ids, goal, question)
        own = [signals[drawer] for drawer in ids]
        order = await self._ordered(ids, vectors, vectors @ goal, own, rule, question.deterministic)
        best = [one.id for one in order.places]
        read = await DrawerStore(self._database).read(palace, best)
        _all_there(palace, best, [drawer.id for drawer in read])
        run = self._keep(palace, question, goal, {drawer: drawer for drawer in best})
        return RerankAnswer(run, order, {drawer.id: (drawer.text, drawer.facts()) for drawer in read})

    async def _found(self, palace: str, ids: Sequence[str], goal: Vector, question: RerankQuery) -> dict[str, Signals]:
        at = question.reference_time
        frozen = at is None and self._deterministic(question.deterministic)
        signals = await self._signals.of(palace, ids, goal, at=at, frozen=frozen)
        _all_there(palace, ids, signals)
        return signals

    async def _learned(
        self, palace: str, documents: Sequence[Candidate], goal: Vector, question: RerankQuery
    ) -> dict[str, Signals]:
        """Return what documents of the caller's own have learned, by their names."""
        names = {document_id(palace, question.namespace, one.id): one.id for one in documents if one.drawer_id is None}
        at = question.reference_time
        frozen = at is None and self._deterministic(question.deterministic)
        found = await self._signals.of_documents(palace, list(names), goal, at=at, frozen=frozen)
        return {names[node]: signals for node, signals in found.items()}

    def _keep(self, palace: str, question: RerankQuery, goal: Vector, names: Mapping[str, str | None]) -> str:
        """Remember what was shown, with the drawer of each, so that feedback can name it; return the run."""
        run = new_search_id(RERANK)
        self._searches.keep(
            LoggedSearch(run, palace, question.query, goal, Candidates(), names=names, namespace=question.namespace)
        )
        return run

    async def _stored(self, palace: str, ids: Sequence[str]) -> tuple[Sequence[str], Matrix]:
        """Return the vectors of those drawers that are there."""
        async with self._indexes.reading(palace) as matrix:
            found = await asyncio.to_thread(matrix.some, ids)
        return found.ids, found.vectors

    async def _ordered(
        self,
        ids: Sequence[str],
        vectors: Matrix,
        dense: np.ndarray,
        signals: Sequence[Signals],
        rule: OrderRule,
        deterministic: bool | None,
    ) -> RerankedOrder:
        columns = Components(
            dense.astype(np.float64),
            np.array([one.narrative for one in signals], np.float64),
            np.array([one.pheromone for one in signals], np.float64),
        )
        random = self._random.spawn(1)[0] if rule.epsilon else None  # one each, for they are used in other threads
        found: Ordering = await asyncio.to_thread(ordered, vectors, columns, rule, random=random)
        return RerankedOrder(
            [ScoredDocument(ids[one.row], one.score, one.dense, one.narrative, one.pheromone) for one in found.places],
            found.gate,
            [PromotedDocument(ids[one.row], one.from_rank, one.to_rank) for one in found.promoted],
            self._deterministic(deterministic),
            rule.epsilon,
            rule.mmr_lambda,
            rule.weights,
        )

    def _deterministic(self, asked: bool | None) -> bool:
        return self._settings.deterministic if asked is None else asked

    def _vectors(
        self, question: RerankQuery, documents: Sequence[Candidate], place: Mapping[str, int]
    ) -> tuple[Vector, Matrix]:
        """Return the vectors of the question and of each document; what has none is embedded."""
        dimension = self._embedder.dimension
        rows = np.empty((len(documents) + 1, dimension), np.float32)  # the question's is the last
        texts = [one.text for one in documents] + [question.query]
        named = [(f"documents.{place[one.id]}.embedding", one.embedding) for one in documents]
        given: dict[int, tuple[str, Sequence[float]]] = {}
        missing: list[int] = []
        for at, (field, embedding) in enumerate([*named, ("query_embedding", question.query_embedding)]):
            if embedding is None:
                missing.append(at)
            else:
                given[at] = field, embedding
        if given:
            rows[list(given)] = _unit_rows(list(given.values()), dimension=dimension)
        if missing:
            rows[missing] = self._embedder.embed([texts[at] for at in missing])
        return rows[-1], rows[:-1]


def _unit_rows(given: Sequence[tuple[str, Sequence[float]]], *, dimension: int) -> Matrix:
    """Return vectors, each with the name of its field, as rows of length one."""
    if all(len(values) == dimension for _, values in given):
        rows = np.array([values for _, values in given], np.float32)  # in one go: twice as fast as one by one
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if np.isfinite(lengths).all() and lengths.all():
            return rows / lengths
    return np.stack([unit_vector(values, dimension=dimension, field=field) for field, values in given])


def _all_there(palace: str, wanted: Sequence[str], found: Iterable[str]) -> None:
    here = set(found)
    gone = [drawer for drawer in wanted if drawer not in here]
    if gone:
        more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
        raise NotFound(f"drawer {gone[0]!r}{more} is not in palace {palace!r}", drawer=gone[0], palace=palace)

"""Rerank documents or drawers by similarity to a question, narrative memory and pheromones. Source: seed 001."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphpalace.domain.learning.feedback import Candidates, LoggedSearch, document_id
from graphpalace.domain.rerank import (
    Candidate,
    PromotedDocument,
    RerankAnswer,
    RerankDebug,
    RerankedDocument,
    RerankQuery,
    RerankWeights,
    ScoredDocument,
)
from graphpalace.domain.vectors import Matrix, Vector, unit_vector
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import NotFound
from graphpalace.operations.history import RERANK, SearchLog, new_search_id
from graphpalace.operations.rerank.drawer_signals import DrawerSignals, Signals
from graphpalace.operations.rerank.request import check, check_batch, rule_of
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.rerank.ordering import Ordering, OrderRule, ordered
from graphpalace.rerank.signals import Components
from graphpalace.settings.sections.learning import RerankSettings
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.palaces.palaces import PalaceStore

_NOTHING = Signals(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class RerankedOrder:
    """The candidates in their new order, best first, with what gate, exploration and weights did."""

    places: Sequence[ScoredDocument]
    debug: RerankDebug

    def answer(self, run: str, documents: Mapping[str, tuple[str, Mapping[str, Any]]]) -> RerankAnswer:
        """Return the answer, given the run and the text and metadata of each document."""
        results = [RerankedDocument(one.id, one.score, one.components, *documents[one.id]) for one in self.places]
        return RerankAnswer(run, results, self.debug)


class Rerank:
    """Reranks candidates. Nothing changes in the palace."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        models: PalaceModels,
        signals: DrawerSignals,
        searches: SearchLog,
        *,
        settings: RerankSettings | None = None,
    ) -> None:
        self._database = database
        self._palaces = PalaceStore(database)
        self._indexes = indexes
        self._models = models
        self._signals = signals
        self._searches = searches
        self._settings = settings or RerankSettings()
        self._random = np.random.default_rng(self._settings.seed)

    async def rerank(self, palace: str, question: RerankQuery) -> RerankAnswer:
        """Rerank the documents or drawers of a request, and return the best of them.

        Raises:
            EmptyQuery: If the request has neither words nor an embedding.
            InvalidInput: If a value is out of range, or a document cannot be ranked.
            WrongDimension: If an embedding does not have the palace's dimension.
            BadRequest: If there are more candidates or results than the settings allow.
            TooLarge: If a text is too long.
            NotFound: If the palace or a drawer does not exist.
        """
        check(question, self._settings)
        rule = rule_of(question, self._settings)
        if question.documents is None:
            return await self._drawers(palace, question, rule)
        documents = sorted(question.documents, key=lambda document: document.id)
        place = {document.id: at for at, document in enumerate(question.documents)}
        if self._indexes.revision(palace) is None:  # a palace in memory is known to exist
            await self._palaces.get(palace)
        embedder = await self._models.of(palace)
        goal, vectors = await asyncio.to_thread(_vectors, embedder, question, documents, place)
        named = sorted({one.drawer_id for one in documents if one.drawer_id is not None})
        signals = await self._found(palace, named, goal, question)
        learned = await self._learned(palace, documents, goal, question)
        own = [learned.get(one.id, _NOTHING) if one.drawer_id is None else signals[one.drawer_id] for one in documents]
        ids = [document.id for document in documents]
        order = await self._ordered(ids, vectors, vectors @ goal, own, rule, question.deterministic)
        texts = {document.id: (document.text, document.metadata) for document in documents}
        drawers = {document.id: document.drawer_id for document in documents}
        run = self._keep(palace, question, goal, {one.id: drawers[one.id] for one in order.places})
        return order.answer(run, texts)

    def check_batch(self, size: int) -> None:
        """Check the number of requests in a batch.

        Raises:
            BadRequest: If there are more than the settings allow.
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
        """Rerank the hits of a search, as its last stage.

        The dense part is the search's score divided by the best score. It is used instead of the cosine because it
        rests on more evidence.

        Args:
            question: Embedding of the question, of length one.
            hits: Ids of drawers with their scores, >= 0. Drawers that no longer exist are left out.
            top_k: Largest number of results, >= 1.
            mmr_lambda, weights, deterministic: None: as in the settings.

        Raises:
            NotFound: If the palace does not exist.
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
        goal, _ = await asyncio.to_thread(_vectors, await self._models.of(palace), question, (), {})
        signals = await self._found(palace, ids, goal, question)
        own = [signals[drawer] for drawer in ids]
        order = await self._ordered(ids, vectors, vectors @ goal, own, rule, question.deterministic)
        best = [one.id for one in order.places]
        read = await DrawerStore(self._database).read(palace, best)
        _all_there(palace, best, [drawer.id for drawer in read])
        run = self._keep(palace, question, goal, {drawer: drawer for drawer in best})
        return order.answer(run, {drawer.id: (drawer.text, drawer.facts()) for drawer in read})

    async def _found(self, palace: str, ids: Sequence[str], goal: Vector, question: RerankQuery) -> dict[str, Signals]:
        at = question.reference_time
        frozen = at is None and self._deterministic(question.deterministic)
        signals = await self._signals.of(palace, ids, goal, at=at, frozen=frozen)
        _all_there(palace, ids, signals)
        return signals

    async def _learned(
        self, palace: str, documents: Sequence[Candidate], goal: Vector, question: RerankQuery
    ) -> dict[str, Signals]:
        """Return the signals of the caller's own documents, by the ids that the caller gave them."""
        names = {document_id(palace, question.namespace, one.id): one.id for one in documents if one.drawer_id is None}
        at = question.reference_time
        frozen = at is None and self._deterministic(question.deterministic)
        found = await self._signals.of_documents(palace, list(names), goal, at=at, frozen=frozen)
        return {names[node]: signals for node, signals in found.items()}

    def _keep(self, palace: str, question: RerankQuery, goal: Vector, names: Mapping[str, str | None]) -> str:
        """Log what was shown, with the drawer of each result, so that feedback can refer to it; return the run's id."""
        run = new_search_id(RERANK)
        self._searches.keep(
            LoggedSearch(run, palace, question.query, goal, Candidates(), names=names, namespace=question.namespace)
        )
        return run

    async def _stored(self, palace: str, ids: Sequence[str]) -> tuple[Sequence[str], Matrix]:
        """Return the ids and vectors of those drawers that exist."""
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
        random = self._random.spawn(1)[0] if rule.epsilon else None  # one for each call, as calls use other threads
        found: Ordering = await asyncio.to_thread(ordered, vectors, columns, rule, random=random)
        return RerankedOrder(
            [ScoredDocument(ids[one.row], one.score, one.components) for one in found.places],
            RerankDebug(
                gating=found.gate,
                deterministic=self._deterministic(deterministic),
                epsilon_used=rule.epsilon,
                mmr_lambda_used=rule.mmr_lambda,
                weights=rule.weights,
                explored=[PromotedDocument(ids[one.row], one.from_rank, one.to_rank) for one in found.promoted],
            ),
        )

    def _deterministic(self, asked: bool | None) -> bool:
        return self._settings.deterministic if asked is None else asked


def _vectors(
    embedder: Embedder, question: RerankQuery, documents: Sequence[Candidate], place: Mapping[str, int]
) -> tuple[Vector, Matrix]:
    """Return the vectors of the question and of each document. Texts without a vector are embedded."""
    dimension = embedder.dimension
    rows = np.empty((len(documents) + 1, dimension), np.float32)  # the question's is the last
    texts = [one.text for one in documents]
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
    if question.query_embedding is None:
        missing.remove(len(texts))
        rows[-1] = embedder.embed_questions([question.query])[0]
    if missing:
        rows[missing] = embedder.embed([texts[at] for at in missing])
    return rows[-1], rows[:-1]


def _unit_rows(given: Sequence[tuple[str, Sequence[float]]], *, dimension: int) -> Matrix:
    """Return the given vectors, each with the name of its field, as rows of length one."""
    if all(len(values) == dimension for _, values in given):
        rows = np.array([values for _, values in given], np.float32)  # twice as fast as one vector at a time
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

"""Measures the quality of the search on a collection, in a temporary palace, with what the settings name."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

import numpy as np

from graphpalace.app import wire
from graphpalace.domain.identity import text_hash
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import Conflict, NotFound
from graphpalace.evaluation.asking import (
    BASELINE,
    SWARM,
    SYSTEMS,
    WHOLE,
    Progress,
    ablations,
    ask,
    ask_all,
    learning_ablations,
    store,
)
from graphpalace.evaluation.collection import Collection, CollectionQuestion
from graphpalace.evaluation.confidence_figures import confidence_figures, kind_figures
from graphpalace.evaluation.figures import EvaluationResult, measured
from graphpalace.evaluation.learning_curve import LearningCurve, Rankings, Teaching, crossed_rankings
from graphpalace.evaluation.learning_figures import learning_figures
from graphpalace.evaluation.learning_plan import LearningPlan, check_same_model
from graphpalace.evaluation.measure import per_question
from graphpalace.evaluation.no_answer_samples import Kind, Sample, SampleCollector, foreign_questions, halves_of
from graphpalace.evaluation.saved_run import recorded
from graphpalace.operations.knowledge.name_reading import NameReader
from graphpalace.operations.search.recall import Recall
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.embeddings import BUNDLED_MODEL
from graphpalace.settings.sections.ingest import IngestSettings
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import SchemaStore
from graphpalace.store.palaces.palaces import PalaceDrops, PalaceStore

_WARM_UP = 5  # questions that are asked once before the timing starts


class Evaluation:
    """Measures the search, with and without learning, on one database with one embedding model."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        embedder: Embedder,
        recall: Recall,
        teaching: Teaching,
        names: NameReader | None,
        *,
        ingest: IngestSettings,
        analyzer: str,
        forget: Callable[[str], None],
    ) -> None:
        """Connect the parts.

        Args:
            names: Reads the names in the documents; None: they are not read.
            forget: Releases everything that the process keeps in memory for a palace.
        """
        self._database = database
        self._indexes = indexes
        self._embedder = embedder
        self._recall = recall
        self._teaching = teaching
        self._names = names
        self._ingest = ingest
        self._analyzer = analyzer
        self._forget = forget

    async def run(
        self,
        collection: Collection,
        *,
        ablate: bool = False,
        swarm: bool = False,
        progress: Progress = lambda _what, _done, _total: None,
    ) -> EvaluationResult:
        """Store the collection, ask every system every question, and compute the figures.

        Args:
            collection: Its embeddings, if any, must have the dimension of the embedder.
            ablate: Whether to measure the search also with each of its parts left out.
            swarm: Whether to measure the search also with the lane `mcmp`.
            progress: Called with the name of the current work, the number of items done, and their total.

        Raises:
            DatabaseFailed: If a lane failed, because then the figures would not be those of the search.
        """
        started = time.monotonic()
        async with self._own_palace(collection.name) as palace:
            await self._store(palace, collection, progress)
            warm = [await ask(self._recall, palace, question, {}) for question in collection.questions[:_WARM_UP]]
            systems = SYSTEMS | SWARM if swarm else SYSTEMS
            left_out = ablations(warm[0].plan.lanes, warm[0].plan.fusion) if ablate else {}
            answered = {
                name: await ask_all(
                    self._recall,
                    palace,
                    collection.questions,
                    change,
                    timed=name == WHOLE,
                    progress=lambda done, total, name=name: progress(f"asking {name}", done, total),
                )
                for name, change in (systems | left_out).items()
            }
            unanswerable = await ask_all(
                self._recall,
                palace,
                collection.unanswerable,
                {},
                timed=False,
                progress=lambda done, total: progress("asking what nothing answers", done, total),
            )
        seconds = time.monotonic() - started
        relevant = {question.id: question.relevant for question in collection.questions}

        def measure() -> EvaluationResult:
            values = {
                name: per_question(relevant, {question: each.documents for question, each in answers.items()})
                for name, answers in answered.items()
            }
            took = [each.took_ms for each in answered[WHOLE].values()]
            return EvaluationResult(
                collection=collection.name,
                documents=len(collection.documents),
                questions=len(collection.questions),
                unjudged=collection.unjudged,
                systems={name: measured(values, name, baseline=BASELINE) for name in systems},
                ablations={name: measured(values, name, baseline=WHOLE) for name in left_out},
                latency_ms={f"p{share}": float(np.percentile(took, share)) for share in (50, 95)},
                seconds=seconds,
                kinds=kind_figures(collection.questions, values[WHOLE]),
                confidence=confidence_figures(
                    [answered[WHOLE][question.id] for question in collection.questions],
                    values[WHOLE]["hit@1"],
                    list(unanswerable.values()),
                ),
                record=recorded(collection, answered, values),
            )

        return await asyncio.to_thread(measure)

    async def learn(
        self,
        collection: Collection,
        plan: LearningPlan,
        *,
        ablate: bool = False,
        progress: Progress = lambda _what, _done, _total: None,
    ) -> EvaluationResult:
        """Store the collection, give feedback on half of the questions, and measure how much it improves the search.

        Args:
            ablate: Whether to measure the search with learning also with each part of learning left out.
            progress: As in `run`.

        Raises:
            DatabaseFailed: If a lane failed, because then the figures would not be those of the search.
            InvalidInput: If there is nothing to learn from, or the embeddings of the collection are not those of the
                configured model, which shortened questions need.
        """
        started = time.monotonic()
        if plan.mode == "repeated":
            await asyncio.to_thread(check_same_model, collection, self._embedder)
        left_out = learning_ablations() if ablate else {}
        async with self._own_palace(collection.name) as palace:
            await self._store(palace, collection, progress)
            for question in collection.questions[:_WARM_UP]:
                await ask(self._recall, palace, question, {})
            curve = LearningCurve(self._recall, self._teaching, palace, plan, left_out=left_out, progress=progress)
            rounds = await curve.rounds(collection.questions)
        seconds = time.monotonic() - started
        return await asyncio.to_thread(learning_figures, collection, rounds, plan, left_out=left_out, seconds=seconds)

    async def rankings(
        self,
        collection: Collection,
        *,
        depth: int,
        progress: Progress = lambda _what, _done, _total: None,
    ) -> dict[str, Rankings]:
        """Ask every question without learning, and again after feedback on the other half of the questions.

        Args:
            depth: Number of documents to find for each question, 1 to 200.
            progress: As in `run`.

        Returns:
            As from `crossed_rankings`.

        Raises:
            DatabaseFailed: If a lane failed, because then the figures would not be those of the search.
            InvalidInput: If there are fewer than two questions.
        """
        async with self._own_palace(collection.name) as palace:
            await self._store(palace, collection, progress)
            return await crossed_rankings(
                self._recall, self._teaching, palace, collection.questions, depth=depth, progress=progress
            )

    async def no_answer(
        self,
        collection: Collection,
        others: Sequence[Collection] = (),
        *,
        most: int | None = None,
        progress: Progress = lambda _what, _done, _total: None,
    ) -> list[Sample]:
        """Ask each question with its relevant documents and without them, and those that nothing answers; return the
        features of the answers.

        Args:
            others: Other collections, some of whose questions are asked as well.
            most: Largest number of questions, which are chosen at random; None: all.
            progress: As in `run`.

        Raises:
            DatabaseFailed: If a lane failed, because then the features would not be those of the search.
        """
        samples: list[Sample | None] = []
        foreign = foreign_questions(collection, others)
        for number, half in enumerate(halves_of(collection, most=most), start=1):
            async with self._own_palace(f"{collection.name} half {number}") as palace:
                await self._store(palace, half.collection, progress)
                collector = SampleCollector(self._database, self._recall, palace)
                asked: list[tuple[CollectionQuestion, Kind | None]] = [
                    *((question, None) for question in half.questions),
                    *((question, "unanswerable") for question in collection.unanswerable[number - 1 :: 2]),
                    *((question, "foreign") for question in foreign[number - 1 :: 2]),
                ]
                for at, (question, never) in enumerate(asked):
                    samples.append(await collector.sample(question, never=never))
                    progress(f"asking half {number}", at + 1, len(asked))
        return [sample for sample in samples if sample is not None]

    async def _store(self, palace: str, collection: Collection, progress: Progress) -> None:
        where = self._database, self._indexes, self._embedder
        await store(*where, palace, collection, settings=self._ingest, progress=progress)
        if self._names is not None:
            await self._names.build(
                palace, progress=lambda reading: progress("reading names", reading.read, reading.read + reading.due)
            )

    @asynccontextmanager
    async def _own_palace(self, collection: str) -> AsyncIterator[str]:
        """Create a temporary palace, yield its name, and drop it at the end, also after Ctrl-C.

        The name depends on the collection alone, unless a palace of that name exists: drawer ids are derived from it,
        and they break ties, so the same name gives the same figures.
        """
        name = temporary_palace(collection)
        if name in await PalaceStore(self._database).names():
            name = f"eval_{uuid.uuid4().hex[:12]}"
        ours, model = True, self._embedder
        try:
            ours = await PalaceStore(self._database).create(
                name, model=model.name, dimension=model.dimension, analyzer=self._analyzer
            )
            if not ours:
                raise Conflict(f"another evaluation of {collection!r} started at the same time: run the command again")
            yield name
        finally:
            if ours:
                self._forget(name)
                with suppress(NotFound):
                    await PalaceDrops(self._database).drop(name)


def temporary_palace(collection: str) -> str:
    """Return the name of the palace in which a collection is measured."""
    return f"eval_{text_hash(collection)[:12]}"


@asynccontextmanager
async def evaluating(settings: Settings, collection: Collection) -> AsyncIterator[Evaluation]:
    """Connect to the database and yield an `Evaluation` for a collection. The default palace is not used or created.

    If the collection provides embeddings of another length than the configured model's, another model made them. Their
    cosines then count as those of `all-MiniLM-L6-v2` do.
    """
    embeddings = settings.embeddings
    if collection.dimension not in (None, embeddings.dimension):
        embeddings = embeddings.model_copy(update={"model": BUNDLED_MODEL, "dimension": collection.dimension})
    wired = wire(settings.model_copy(update={"embeddings": embeddings}))
    try:
        await wired.database.verify()
        await SchemaStore(wired.database).migrate()
        yield Evaluation(
            wired.database,
            wired.replica.indexes,
            wired.embedder,
            wired.recall,
            Teaching(
                wired.database,
                wired.replica.indexes,
                wired.replica.snapshots,
                wired.replica.known_names,
                wired.recall,
                wired.replica.learning,
                wired.learning.feedback,
            ),
            None if settings.entities.recogniser == "off" else wired.knowledge.names,
            ingest=settings.ingest,
            analyzer=settings.search.analyzer,
            forget=wired.forget,
        )
    finally:
        await wired.close()

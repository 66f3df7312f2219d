"""The only place where the objects are wired."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from graphpalace import options
from graphpalace.errors import DatabaseAuthFailed, DatabaseUnavailable
from graphpalace.graph_palace import GraphPalace
from graphpalace.ingest.embed import Embedder
from graphpalace.operations.decay import Decay
from graphpalace.operations.deposit import Deposits
from graphpalace.operations.hot_paths import HotPaths
from graphpalace.operations.palace_map import Maps
from graphpalace.operations.snapshots import Snapshots
from graphpalace.settings import Settings, cache_dir, data_dir
from graphpalace.simulation_wiring import make_simulations
from graphpalace.store.database import Database
from graphpalace.store.drop_palace import finish_drops
from graphpalace.store.managed.server import ManagedServer
from graphpalace.store.migrate import migrate
from graphpalace.store.palaces import create_palace, renew_palaces

if TYPE_CHECKING:  # these import torch, which `graphpalace up` has no need to wait for
    from graphpalace.operations.drawer_indexes import DrawerIndexes
    from graphpalace.operations.evaluation.collection import Collection
    from graphpalace.operations.evaluation.evaluate import Evaluation
    from graphpalace.operations.lanes import Lane
    from graphpalace.operations.learning import Learning
    from graphpalace.operations.path_lane import PathLane
    from graphpalace.operations.rerank import Rerank
    from graphpalace.operations.runs import Runs
    from graphpalace.operations.search_log import SearchLog


def managed_server(settings: Settings) -> ManagedServer:
    """Return the managed Neo4j of these settings, running or not."""
    neo4j = settings.neo4j
    return ManagedServer(
        data_dir(settings),
        cache_dir(settings),
        neo4j.version,
        bolt_port=neo4j.bolt_port,
        http_port=neo4j.http_port,
        heap_mib=neo4j.heap_mb or None,
        repository_url=neo4j.repository_url or None,
    )


def open_database(settings: Settings) -> Database:
    """Return the database of these settings: the one at `[neo4j] uri`, or the managed one.

    Raises:
        DatabaseUnavailable: If the managed server was never started.
    """
    neo4j = settings.neo4j
    if neo4j.uri:
        password = neo4j.password.get_secret_value()
        return Database(uri=neo4j.uri, user=neo4j.user, password=password, database=neo4j.database)
    server = managed_server(settings)
    try:
        return Database(uri=server.uri, user=server.user, password=server.password, home=server.home)
    except DatabaseAuthFailed as error:
        raise DatabaseUnavailable("the managed Neo4j has never been started: run `graphpalace up`") from error


def make_decay(settings: Settings, database: Database) -> Decay:
    """Return what lets pheromones fade; it needs no embedding model."""
    chosen = settings.decay
    return Decay(
        database,
        rates=options.rates_of(settings),
        cycle_seconds=chosen.cycle_seconds,
        interval_cycles=settings.pheromones.decay_interval_cycles,
        batch_rows=chosen.batch_rows,
        lease_s=chosen.lease_s,
    )


def hot_paths(settings: Settings, database: Database) -> HotPaths:
    """Return what looks at pheromones; it needs no embedding model."""
    return HotPaths(database, rates=options.rates_of(settings), cycle_seconds=settings.decay.cycle_seconds)


def wire(settings: Settings, *, embedder: Embedder | None = None) -> GraphPalace:
    """Return the operations, without any query being sent yet."""
    from graphpalace.operations.code_lane import CodeLane
    from graphpalace.operations.drawer_indexes import DrawerIndexes
    from graphpalace.operations.drawers import Drawers
    from graphpalace.operations.explore import Explore
    from graphpalace.operations.feedback import Feedback
    from graphpalace.operations.fulltext_lane import FulltextLane
    from graphpalace.operations.judged_answers import JudgedAnswers
    from graphpalace.operations.lanes import SemanticLane
    from graphpalace.operations.learned_view import LearnedView
    from graphpalace.operations.mcmp_lane import McmpLane
    from graphpalace.operations.navigate import Navigate
    from graphpalace.operations.node_vectors import NodeVectors
    from graphpalace.operations.path_lane import PathLane
    from graphpalace.operations.recall import Recall
    from graphpalace.operations.search_log import SearchLog

    database = open_database(settings)
    model = embedder or options.make_embedder(settings)
    indexes = DrawerIndexes(
        database, model=model.name, dimension=model.dimension, device=options.device_of(settings.embeddings.device)
    )
    ingest = settings.ingest
    rates, cycle_seconds = options.rates_of(settings), settings.decay.cycle_seconds
    snapshots = Snapshots(database, rates=rates, cycle_seconds=cycle_seconds)
    deposits = Deposits(database, rates=rates, rewards=options.rewards_of(settings), cycle_seconds=cycle_seconds)
    vectors = NodeVectors(indexes)
    path_lane = PathLane(indexes, snapshots, vectors)
    lanes: tuple[Lane, ...] = (
        SemanticLane(indexes),
        FulltextLane(database, phrase_weight=settings.search.phrase_weight),
        CodeLane(database, indexes, broader_share=settings.runs.broader_share),
    )
    searches = SearchLog(database, ttl_h=settings.runs.ttl_h)
    learning = make_learning(settings, database, indexes, dimension=model.dimension)
    rerank = make_rerank(settings, database, indexes, model, searches)
    runs = make_runs(settings, database, lanes, path_lane, model)
    recall = Recall(
        database,
        indexes,
        model,
        path_lane,
        McmpLane(indexes, agents=settings.search.mcmp_agents, steps=settings.search.mcmp_steps),
        lanes,
        learning,
        searches,
        rerank,
        learns=settings.learning.enabled,
        bound=settings.learning.bound,
        options=options.search_options(settings),
    )
    feedback = Feedback(
        database,
        searches,
        JudgedAnswers(database, searches, runs.shelf, recall, model),
        learning,
        deposits,
        rate=rates.success,
        cycle_seconds=cycle_seconds,
        opened_reward=settings.learning.opened_reward,
    )
    simulations, jobs = make_simulations(settings, database, indexes, model, snapshots, deposits)
    return GraphPalace(
        settings=settings,
        database=database,
        embedder=model,
        indexes=indexes,
        recall=recall,
        searches=searches,
        learning=learning,
        feedback=feedback,
        learned=LearnedView(
            database,
            learning,
            feedback,
            rate=rates.success,
            cycle_seconds=cycle_seconds,
            enabled=settings.learning.enabled,
        ),
        drawers=Drawers(
            database, indexes, model, similar_k=ingest.similar_k, similar_threshold=ingest.similar_threshold
        ),
        snapshots=snapshots,
        deposits=deposits,
        navigate=Navigate(database, snapshots, vectors),
        explore=Explore(database, snapshots, vectors, deposits, recall, model, rules=options.colony_rules(settings)),
        hot_paths=hot_paths(settings, database),
        maps=Maps(database, rates=rates, cycle_seconds=cycle_seconds),
        decay=make_decay(settings, database),
        runs=runs,
        rerank=rerank,
        simulations=simulations,
        jobs=jobs,
    )


def make_runs(
    settings: Settings, database: Database, lanes: Sequence[Lane], path_lane: PathLane, model: Embedder
) -> Runs:
    """Return the tools on runs."""
    from graphpalace.operations.path_lane import WalkLane
    from graphpalace.operations.run_shelf import RunShelf
    from graphpalace.operations.runs import Runs

    search = settings.search
    text_lanes = [lane for lane in lanes if lane.name != "code"]
    walk = WalkLane(path_lane, text_lanes, rrf_k=search.rrf_k, entry_depth=search.lane_depth)
    return Runs.of(
        database,
        [*lanes, walk],
        model,
        shelf=RunShelf(database, ttl_h=settings.runs.ttl_h, memory_runs=settings.runs.memory_runs),
        defaults=options.fusion_defaults(settings),
        limits=options.snippet_limits(settings),
    )


def make_learning(settings: Settings, database: Database, indexes: DrawerIndexes, *, dimension: int) -> Learning:
    """Return what learns from feedback."""
    from graphpalace.learn.replay import Pooling
    from graphpalace.operations.learning import Learning

    plan = options.search_options(settings).plan
    return Learning(
        database,
        indexes,
        dimension=dimension,
        cycle_seconds=settings.decay.cycle_seconds,
        rate=settings.pheromones.success_decay,
        most_lessons=settings.learning.most_lessons,
        pooling=Pooling(settings.search.temperature, plan.weights),
        options=options.learn_options(settings),
    )


def make_rerank(
    settings: Settings, database: Database, indexes: DrawerIndexes, model: Embedder, searches: SearchLog
) -> Rerank:
    """Return what puts documents and drawers into another order."""
    from graphpalace.operations.drawer_signals import DrawerSignals
    from graphpalace.operations.rerank import Rerank

    signals = DrawerSignals(
        database,
        rates=options.rates_of(settings),
        cycle_seconds=settings.decay.cycle_seconds,
        recency_reset=settings.pheromones.deposit.recency_reset,
        narrative_floor=settings.rerank.narrative_floor,
        strategy=options.decay_strategy(settings),
    )
    return Rerank(database, indexes, model, signals, searches, options=options.rerank_options(settings))


async def migrate_database(settings: Settings) -> list[str]:
    """Migrate the schema and make the default palace if it is missing; return the versions applied."""
    async with reached(settings) as (_, applied):
        return applied


@asynccontextmanager
async def reached(settings: Settings) -> AsyncIterator[tuple[Database, list[str]]]:
    """Give the database, migrated and with the default palace, and the versions applied; close it afterwards.

    No embedding model is wired, so that what is wrong with a name can be told before torch is imported.
    """
    database = open_database(settings)
    try:
        await database.verify()
        applied = await migrate(database)
        await finish_drops(database)
        await renew_palaces(database)
        await make_palace(settings, database, settings.palace.name)
        yield database, applied
    finally:
        await database.close()


async def make_palace(settings: Settings, database: Database, name: str) -> bool:
    """Make a palace for the configured model; return whether it was made."""
    model, analyzer = settings.embeddings, settings.search.analyzer
    return await create_palace(database, name, model=model.model, dimension=model.dimension, analyzer=analyzer)


@asynccontextmanager
async def opened(settings: Settings, *, embedder: Embedder | None = None) -> AsyncIterator[GraphPalace]:
    """Give the operations on a database that is reached and migrated; close it afterwards."""
    palace = wire(settings, embedder=embedder)
    try:
        await palace.database.verify()
        await palace.prepare()
        yield palace
    finally:
        await palace.close()


@asynccontextmanager
async def evaluating(
    settings: Settings, collection: Collection, *, shortened: bool = False
) -> AsyncIterator[Evaluation]:
    """Give what measures the search on a collection; the default palace is neither made nor looked at.

    Args:
        shortened: Whether shortened questions are asked, which the model has to embed.
    Raises:
        WrongDimension: If the model is needed beside given embeddings of another dimension.
    """
    from graphpalace.operations.evaluation.evaluate import Evaluation
    from graphpalace.operations.evaluation.teaching import Teaching

    collection.check_model(settings.embeddings.dimension, shortened=shortened)
    dimension = collection.dimension or settings.embeddings.dimension
    embeddings = settings.embeddings.model_copy(update={"dimension": dimension})
    wired = wire(settings.model_copy(update={"embeddings": embeddings}))
    try:
        await wired.database.verify()
        await migrate(wired.database)
        yield Evaluation(
            wired.database,
            wired.indexes,
            wired.embedder,
            wired.recall,
            Teaching(wired.database, wired.snapshots, wired.recall, wired.learning, wired.feedback),
            options=options.ingest_options(settings.ingest),
            analyzer=settings.search.analyzer,
            forget=wired.forget,
        )
    finally:
        await wired.close()

"""Create all operations on one database and connect them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from graphpalace.app.database import open_database
from graphpalace.app.forgetting import DrawerCaches, make_traces
from graphpalace.app.graph_palace import GraphPalace
from graphpalace.app.knowledge import make_knowledge
from graphpalace.app.models import check_device, make_models
from graphpalace.app.search import make_lanes, make_learning, make_rerank, make_runs
from graphpalace.app.simulation import make_simulations
from graphpalace.app.topics import (
    AccessOperations,
    HistoryOperations,
    LearningOperations,
    PalaceOperations,
    PheromoneOperations,
    Replica,
    TransferOperations,
    WalkingOperations,
)
from graphpalace.app.transfer import make_conversations, make_exporting, make_importing, make_ingesting
from graphpalace.cluster.ray_cluster import RayCluster
from graphpalace.embedding.embedder import Embedder
from graphpalace.operations.access import ApiKeys, Wings
from graphpalace.operations.history import KeyedRequests
from graphpalace.operations.palaces.palace_map import Maps, PalaceShape
from graphpalace.operations.pheromones.decay import Decay
from graphpalace.operations.pheromones.deposit import Deposits, NamedDeposits
from graphpalace.operations.pheromones.hot_paths import HotPaths
from graphpalace.operations.wake_up import WakingUp
from graphpalace.replica.known_facts import KnownFacts
from graphpalace.replica.snapshots import Snapshots
from graphpalace.settings.load import Settings, cache_dir, data_dir
from graphpalace.store.connection.database import Database

if TYPE_CHECKING:  # these import NumPy, which `graphpalace up` has no need to wait for
    from graphpalace.operations.conversations.conversations import Conversations
    from graphpalace.operations.drawers.beside import ShowBeside
    from graphpalace.operations.hooks.hooks import Hooks
    from graphpalace.operations.search.recall import Recall


def make_decay(settings: Settings, database: Database) -> Decay:
    """Return the operation that applies the decay of pheromones."""
    chosen = settings.decay
    return Decay(
        database,
        rates=settings.pheromones.rates,
        cycle_seconds=chosen.cycle_seconds,
        interval_cycles=settings.pheromones.decay_interval_cycles,
        batch_rows=chosen.batch_rows,
        lease_s=chosen.lease_s,
    )


def make_hot_paths(settings: Settings, database: Database) -> HotPaths:
    """Return the operation that reports pheromones."""
    return HotPaths(database, rates=settings.pheromones.rates, cycle_seconds=settings.decay.cycle_seconds)


def make_waking_up(settings: Settings, database: Database, known_facts: KnownFacts) -> WakingUp:
    """Return the operation."""
    return WakingUp(
        database,
        known_facts,
        rates=settings.pheromones.rates,
        cycle_seconds=settings.decay.cycle_seconds,
        least_confidence=settings.search.least_confidence,
    )


def make_beside(database: Database, known_facts: KnownFacts) -> ShowBeside:
    """Return the operation that shows what stands beside a drawer."""
    from graphpalace.operations.drawers.beside import ShowBeside

    return ShowBeside(database, known_facts)


def make_hooks(settings: Settings, waking_up: WakingUp, recall: Recall, conversations: Conversations) -> Hooks:
    """Return the operation."""
    from graphpalace.operations.hooks.hooks import Hooks

    return Hooks(
        waking_up,
        recall,
        conversations,
        settings=settings.hooks,
        data_dir=data_dir(settings),
        usual_palace=settings.palace.name,
        folders=settings.conversations.folders,
    )


def wire(settings: Settings, *, embedder: Embedder | None = None, cluster: RayCluster | None = None) -> GraphPalace:
    """Create all operations. No query is sent yet.

    Args:
        embedder: Embedding model to use; None: the configured one.
        cluster: Whose workers read files, compute vectors and find names; None: this process. It is joined already.
    """
    from graphpalace.operations.drawers.add import DrawerAdding
    from graphpalace.operations.drawers.after_writes import AfterWrites
    from graphpalace.operations.drawers.diaries import Diaries
    from graphpalace.operations.drawers.drawer_linker import SimilarRule
    from graphpalace.operations.drawers.drawers import Drawers
    from graphpalace.operations.drawers.duplicates import Duplicates
    from graphpalace.operations.drawers.settle import Settler
    from graphpalace.operations.drawers.update import DrawerUpdating
    from graphpalace.operations.forgetting import Forgetting
    from graphpalace.operations.history import SearchLog
    from graphpalace.operations.learning.feedback import Feedback
    from graphpalace.operations.learning.judged_answers import JudgedAnswers
    from graphpalace.operations.learning.learned_view import LearnedView
    from graphpalace.operations.search.lanes.path import PathLane
    from graphpalace.operations.search.recall import Recall
    from graphpalace.operations.walking.surroundings import ShowSurroundings
    from graphpalace.operations.walking.walks import Explore, Navigate
    from graphpalace.replica.drawer_indexes import DrawerIndexes
    from graphpalace.replica.known_names import KnownNames
    from graphpalace.replica.node_vectors import NodeVectors
    from graphpalace.vectors.device import device_of
    from graphpalace.vectors.vector_rows import VectorMemory

    database, device = open_database(settings), device_of(settings.embeddings.device)
    models = make_models(settings, database, embedder, cluster)
    indexes = DrawerIndexes(
        database,
        models,
        device=device,
        memory=VectorMemory(settings.embeddings.memory_mb << 20, cache_dir(settings)),
    )
    ingest = settings.ingest
    similar = SimilarRule(ingest.similar_k, ingest.similar_threshold)
    settler = Settler(database, indexes, after_s=ingest.settle_after_s, tunnel_threshold=ingest.tunnel_threshold)
    known_facts = KnownFacts(database)
    knowledge = make_knowledge(settings, database, known_facts, cluster)
    after = AfterWrites(settler.wrote, knowledge.names.wrote)
    rates, cycle_seconds = settings.pheromones.rates, settings.decay.cycle_seconds
    snapshots = Snapshots(database, rates=rates, cycle_seconds=cycle_seconds)
    deposits = Deposits(database, rates=rates, rewards=settings.pheromones.rewards, cycle_seconds=cycle_seconds)
    vectors = NodeVectors(indexes)
    known_names = KnownNames(database, rate=rates.success)
    searches = SearchLog(database, ttl_h=settings.runs.ttl_h)
    traces = make_traces(settings, database, indexes, searches, names=known_names, facts=known_facts)
    drawers = Drawers(
        database,
        after,
        adding=DrawerAdding(database, indexes, models, after, similar=similar, language=ingest.fixed_language),
        updating=DrawerUpdating(
            database, indexes, models, after, similar=similar, same_meaning=settings.learning.same_meaning
        ),
        traces=traces,
    )
    lanes = make_lanes(settings, database, indexes, PathLane(indexes, snapshots, vectors), known_names)
    learning = make_learning(settings, database, indexes)
    rerank = make_rerank(settings, database, indexes, models, searches)
    runs = make_runs(settings, database, lanes, models)
    recall = Recall.of(
        database,
        indexes,
        models,
        lanes,
        learning=learning,
        searches=searches,
        rerank=rerank,
        known_facts=known_facts,
        settings=settings.search,
    )
    feedback = Feedback(
        database,
        searches,
        JudgedAnswers(database, searches, runs.store, recall, models),
        learning,
        deposits,
        rate=rates.success,
        cycle_seconds=cycle_seconds,
        opened_reward=settings.learning.opened_reward,
    )
    conversations, waking_up = (
        make_conversations(settings, database, indexes, models, after, similar=similar),
        make_waking_up(settings, database, known_facts),
    )
    simulations, jobs = make_simulations(settings, database, indexes, models, snapshots, deposits, device=device)
    indexes.tell_removals(DrawerCaches(searches, runs.store, learning, vectors, lanes).removed)
    traces.tell(simulations.drop_deleted)
    return GraphPalace(
        settings=settings,
        database=database,
        embedder=models.configured,
        replica=Replica(
            models=models,
            indexes=indexes,
            snapshots=snapshots,
            learning=learning,
            known_facts=known_facts,
            known_names=known_names,
        ),
        palaces=PalaceOperations(Maps(database, rates=rates, cycle_seconds=cycle_seconds), PalaceShape(database)),
        learning=LearningOperations(
            feedback,
            LearnedView(
                database,
                learning,
                feedback,
                rate=rates.success,
                cycle_seconds=cycle_seconds,
                enabled=settings.learning.enabled,
            ),
        ),
        knowledge=knowledge,
        pheromones=PheromoneOperations(
            deposits=deposits,
            named_deposits=NamedDeposits(database, snapshots, deposits),
            hot_paths=make_hot_paths(settings, database),
            decay=make_decay(settings, database),
        ),
        walking=WalkingOperations(
            Navigate(database, snapshots, vectors),
            Explore(database, snapshots, vectors, deposits, recall, models, rules=settings.exploration.rules),
            ShowSurroundings(database, snapshots),
        ),
        transfer=TransferOperations(
            make_exporting(settings, database),
            make_importing(settings, database, indexes, models, after, similar=similar),
        ),
        access=AccessOperations(ApiKeys(database), Wings(database)),
        history=HistoryOperations(searches, KeyedRequests(database)),
        recall=recall,
        drawers=drawers,
        beside=make_beside(database, known_facts),
        forgetting=Forgetting(database, drawers, traces),
        traces=traces,
        duplicates=Duplicates(database, indexes, models),
        diaries=Diaries(database, drawers),
        conversations=conversations,
        ingesting=make_ingesting(settings, database, indexes, models, conversations, after, cluster),
        hooks=make_hooks(settings, waking_up, recall, conversations),
        settler=settler,
        waking_up=waking_up,
        runs=runs,
        rerank=rerank,
        simulations=simulations,
        jobs=jobs,
        cluster=cluster,
    )


@asynccontextmanager
async def opened(
    settings: Settings, *, embedder: Embedder | None = None, any_model: bool = False, ray: str | None = None
) -> AsyncIterator[GraphPalace]:
    """Yield the operations on a migrated database; close everything afterwards.

    Args:
        any_model: Whether to go on if the default palace has vectors of another model. What needs them fails later.
        ray: Address of a Ray cluster whose workers read files, compute vectors and find names; None: this process.
    """
    async with AsyncExitStack() as resources:
        cluster = None
        if ray is not None:
            check_device(settings)
            cluster = RayCluster(ray)
            resources.push_async_callback(asyncio.to_thread, cluster.close)
            await asyncio.to_thread(cluster.join)
        palace = wire(settings, embedder=embedder, cluster=cluster)
        resources.push_async_callback(palace.close)
        await palace.database.verify()
        await palace.prepare(any_model=any_model)
        yield palace

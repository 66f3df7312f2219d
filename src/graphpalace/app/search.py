"""Create the parts of the search: learning, the rerank, the operations on runs, and the options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database

if TYPE_CHECKING:  # these import NumPy, which `graphpalace up` has no need to wait for
    from graphpalace.operations.history import SearchLog
    from graphpalace.operations.rerank.rerank import Rerank
    from graphpalace.operations.runs.runs import Runs
    from graphpalace.operations.search.lanes.path import PathLane
    from graphpalace.operations.search.side_by_side import SearchLanes
    from graphpalace.replica.drawer_indexes import DrawerIndexes
    from graphpalace.replica.known_names import KnownNames
    from graphpalace.replica.learning import Learning
    from graphpalace.replica.palace_models import PalaceModels


def make_lanes(
    settings: Settings, database: Database, indexes: DrawerIndexes, path_lane: PathLane, names: KnownNames
) -> SearchLanes:
    """Return the lanes of a search."""
    from graphpalace.domain.search.pseudo_feedback import RelevanceModel
    from graphpalace.operations.search.lanes.code import CodeLane
    from graphpalace.operations.search.lanes.entity import EntityLane
    from graphpalace.operations.search.lanes.fulltext import ExpandedLane, FulltextLane
    from graphpalace.operations.search.lanes.lane import SemanticLane
    from graphpalace.operations.search.lanes.path import McmpLane
    from graphpalace.operations.search.side_by_side import SearchLanes

    search = settings.search
    fulltext = FulltextLane(database, exact_weight=search.exact_weight, phrase_weight=search.phrase_weight)
    model = RelevanceModel(search.expansion_drawers, search.expansion_words, search.expansion_weight)
    return SearchLanes(
        (
            SemanticLane(indexes),
            fulltext,
            ExpandedLane(database, fulltext, model),
            CodeLane(database, indexes, broader_share=settings.runs.broader_share),
        ),
        path_lane,
        McmpLane(indexes, agents=search.mcmp_agents, steps=search.mcmp_steps),
        EntityLane(indexes, names, trail_weight=search.trail_weight),
    )


def make_runs(settings: Settings, database: Database, lanes: SearchLanes, models: PalaceModels) -> Runs:
    """Return the operations on runs."""
    from graphpalace.operations.runs.run_store import RunStore
    from graphpalace.operations.runs.runs import Runs
    from graphpalace.operations.search.lanes.lane import ON_REQUEST
    from graphpalace.operations.search.lanes.path import SwarmLane, WalkLane

    search = settings.search
    text_lanes = [lane for lane in lanes.asking if lane.name not in ON_REQUEST]
    walk = WalkLane(lanes.path, text_lanes, rrf_k=search.rrf_k, entry_depth=search.lane_depth)
    return Runs.of(
        database,
        [*lanes.asking, walk, SwarmLane(lanes.mcmp, walk)],
        models,
        store=RunStore(database, ttl_h=settings.runs.ttl_h, memory_runs=settings.runs.memory_runs),
        settings=settings.runs,
        rrf_k=search.rrf_k,
    )


def make_learning(settings: Settings, database: Database, indexes: DrawerIndexes) -> Learning:
    """Return the part that learns from feedback."""
    from graphpalace.domain.search.evidence import Pooling
    from graphpalace.domain.search.pseudo_feedback import Rocchio
    from graphpalace.replica.learning import Learning

    search = settings.search
    return Learning(
        database,
        indexes,
        cycle_seconds=settings.decay.cycle_seconds,
        rate=settings.pheromones.success_decay,
        pooling=Pooling(search.temperature, search.plan.weights),
        rocchio=Rocchio(search.feedback_drawers, search.feedback_weight),
        settings=settings.learning,
    )


def make_rerank(
    settings: Settings, database: Database, indexes: DrawerIndexes, models: PalaceModels, searches: SearchLog
) -> Rerank:
    """Return the operation that reranks documents and drawers."""
    from graphpalace.operations.rerank.drawer_signals import DrawerSignals
    from graphpalace.operations.rerank.rerank import Rerank
    from graphpalace.rerank.signals import strategy_of

    chosen = settings.rerank
    fades = chosen.pheromone_decay
    signals = DrawerSignals(
        database,
        rates=settings.pheromones.rates,
        cycle_seconds=settings.decay.cycle_seconds,
        recency_reset=settings.pheromones.deposit.recency_reset,
        narrative_floor=chosen.narrative_floor,
        strategy=None if fades == "palace" else strategy_of(fades, seconds=chosen.pheromone_decay_s),
    )
    return Rerank(database, indexes, models, signals, searches, settings=chosen)

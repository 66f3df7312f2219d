"""All operations that are declared."""

from __future__ import annotations

from collections.abc import Mapping

from graphpalace.offers import (
    access,
    conversations,
    diaries,
    drawers,
    forgetting,
    hooks,
    ingest,
    knowledge,
    learning,
    palaces,
    pheromones,
    rerank,
    runs,
    search,
    simulation,
    wake_up,
    walking,
)
from graphpalace.offers.offer import Group

# By the module of the client that has them.
CLIENTS: Mapping[str, Group] = {
    "access": access.KEYS,
    "conversation_reading": conversations.READING,
    "diaries": diaries.DIARIES,
    "facts": knowledge.FACTS,
    "feedback": learning.FEEDBACK,
    "forgetting": forgetting.FORGETTING,
    "hooks": hooks.HOOKS,
    "kept_runs": runs.KEPT_RUNS,
    "kept_simulations": simulation.KEPT_SIMULATIONS,
    "listed_palaces": palaces.LISTED_PALACES,
    "names": knowledge.NAMES,
    "pheromones": pheromones.PHEROMONES,
    "places": palaces.PLACES,
    "pruning": ingest.PRUNING,
    "queued_jobs": simulation.QUEUED_JOBS,
    "reranks": rerank.RERANKS,
    "searches": search.SEARCHES,
    "shape": palaces.SHAPE,
    "single_drawers": drawers.SINGLE_DRAWERS,
    "wake_up": wake_up.WAKING_UP,
    "walking": walking.WALKING,
}
GROUPS = tuple(CLIENTS.values())

"""All operations that are declared."""

from __future__ import annotations

from collections.abc import Mapping

from graphpalace.offers import (
    access,
    conversations,
    diaries,
    drawers,
    forgetting,
    ingest,
    knowledge,
    learning,
    palaces,
    pheromones,
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
    "listed_palaces": palaces.LISTED_PALACES,
    "names": knowledge.NAMES,
    "pheromones": pheromones.PHEROMONES,
    "places": palaces.PLACES,
    "pruning": ingest.PRUNING,
    "shape": palaces.SHAPE,
    "single_drawers": drawers.SINGLE_DRAWERS,
    "wake_up": wake_up.WAKING_UP,
    "walking": walking.WALKING,
}
GROUPS = tuple(CLIENTS.values())

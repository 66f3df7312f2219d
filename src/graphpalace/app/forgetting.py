"""Connect what forgets drawers with all parts that hold something of them in memory."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphpalace.replica.known_facts import KnownFacts
from graphpalace.replica.known_names import KnownNames
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database

if TYPE_CHECKING:  # these import NumPy, which `graphpalace up` has no need to wait for
    from graphpalace.operations.forgetting import Traces
    from graphpalace.operations.history import SearchLog
    from graphpalace.operations.runs.run_store import RunStore
    from graphpalace.operations.search.side_by_side import SearchLanes
    from graphpalace.replica.drawer_indexes import DrawerIndexes
    from graphpalace.replica.learning import Learning
    from graphpalace.replica.node_vectors import NodeVectors


def make_traces(
    settings: Settings,
    database: Database,
    indexes: DrawerIndexes,
    searches: SearchLog,
    *,
    names: KnownNames,
    facts: KnownFacts,
) -> Traces:
    """Return what deletes what is left of drawers outside of them."""
    from graphpalace.operations.forgetting import Traces
    from graphpalace.operations.learning.memories import Memories
    from graphpalace.store.learning.feedback import FeedbackStore

    store = FeedbackStore(database, cycle_seconds=settings.decay.cycle_seconds)
    memories = Memories(store, rate=settings.pheromones.rates.success)
    return Traces(database, indexes, memories, searches, names=names, facts=facts)


@dataclass(frozen=True)
class DrawerCaches:
    """What this process holds in memory of drawers, besides the indexes that follow the change feed themselves."""

    searches: SearchLog
    runs: RunStore
    learning: Learning
    vectors: NodeVectors
    lanes: SearchLanes

    def removed(self, palace: str, drawers: Set[str]) -> None:
        """Drop what is held of deleted drawers; without drawers, of questions that were deleted."""
        self.lanes.forget(palace)
        self.vectors.forget(palace)
        if not drawers:
            self.searches.forget(palace)
            self.runs.forget(palace)
        self.searches.forget_drawers(palace, drawers)
        self.runs.forget_drawers(palace, drawers)
        self.learning.forget_drawers(palace, drawers)

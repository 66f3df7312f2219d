"""All tools on runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.embedding.embedder import Embedder
from graphpalace.operations.history.run_store import RunStore
from graphpalace.operations.runs.fusion_runs import FusionRuns
from graphpalace.operations.runs.lane_runs import LaneRuns
from graphpalace.operations.runs.run_snippets import RunSnippets
from graphpalace.operations.search.lanes.lane import Lane
from graphpalace.settings.sections.runs import RunSettings
from graphpalace.store.connection.database import Database


@dataclass(frozen=True, slots=True)
class Runs:
    """Searches lanes, fuses what they found, and shows it; handles travel, lists do not."""

    store: RunStore
    lanes: LaneRuns
    fusions: FusionRuns
    snippets: RunSnippets

    @classmethod
    def of(
        cls,
        database: Database,
        lanes: Sequence[Lane],
        embedder: Embedder,
        *,
        store: RunStore,
        settings: RunSettings,
        rrf_k: int,
    ) -> Runs:
        """Return the tools on one store."""
        searched = LaneRuns(database, store, lanes, embedder, rrf_k=rrf_k, codes_top_n=settings.codes_top_n)
        return cls(
            store,
            searched,
            FusionRuns(database, store, searched, settings=settings, rrf_k=rrf_k),
            RunSnippets(database, store, settings=settings),
        )

    def forget(self, palace: str) -> None:
        """Drop what is in memory of a palace."""
        self.store.forget(palace)

"""Bundle the operations on runs: search lanes, fuse their runs, and show documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.embedding.embedder import Embedder
from graphpalace.operations.history.run_store import RunStore
from graphpalace.operations.runs.fusion_runs import FusionRuns
from graphpalace.operations.runs.lane_ranker import LaneRanker
from graphpalace.operations.runs.lane_runs import LaneRuns
from graphpalace.operations.runs.run_snippets import RunSnippets
from graphpalace.operations.search.lanes.lane import Lane
from graphpalace.settings.sections.runs import RunSettings
from graphpalace.store.connection.database import Database


@dataclass(frozen=True, slots=True)
class Runs:
    """The operations on runs. Their answers are handles and pages; the full rankings stay stored."""

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
        """Create the operations on one store of runs."""
        ranker = LaneRanker(database, lanes, embedder)
        return cls(
            store,
            LaneRuns(database, store, ranker, lanes, embedder, rrf_k=rrf_k, codes_top_n=settings.codes_top_n),
            FusionRuns(database, store, ranker, settings=settings, rrf_k=rrf_k),
            RunSnippets(database, store, settings=settings),
        )

    def forget(self, palace: str) -> None:
        """Drop the cached runs of a palace."""
        self.store.forget(palace)

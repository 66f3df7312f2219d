"""Bundle the operations on runs: search lanes, fuse their runs, and show documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.operations.runs.fusion_runs import FusionRuns
from graphpalace.operations.runs.lane_ranker import LaneRanker
from graphpalace.operations.runs.lane_runs import LaneRuns
from graphpalace.operations.runs.run_snippets import RunSnippets
from graphpalace.operations.runs.run_store import RunStore
from graphpalace.operations.search.lanes.lane import Lane
from graphpalace.replica.palace_models import PalaceModels
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
        models: PalaceModels,
        *,
        store: RunStore,
        settings: RunSettings,
        rrf_k: int,
    ) -> Runs:
        """Create the operations on one store of runs."""
        ranker = LaneRanker(database, lanes, models)
        return cls(
            store,
            LaneRuns(database, store, ranker, lanes, models, rrf_k=rrf_k, codes_top_n=settings.codes_top_n),
            FusionRuns(database, store, ranker, settings=settings, rrf_k=rrf_k),
            RunSnippets(database, store, settings=settings),
        )

    def forget(self, palace: str) -> None:
        """Drop the cached runs of a palace."""
        self.store.forget(palace)

"""All tools on runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.ingest.embed import Embedder
from graphpalace.operations.fusion_runs import FusionDefaults, FusionRuns
from graphpalace.operations.lane_runs import LaneRuns
from graphpalace.operations.lanes import Lane
from graphpalace.operations.run_shelf import RunShelf
from graphpalace.operations.run_snippets import RunSnippets, SnippetLimits
from graphpalace.store.database import Database


@dataclass(frozen=True, slots=True)
class Runs:
    """Searches lanes, fuses what they found, and shows it; handles travel, lists do not."""

    shelf: RunShelf
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
        shelf: RunShelf,
        defaults: FusionDefaults,
        limits: SnippetLimits,
    ) -> Runs:
        """Return the tools on one shelf."""
        searched = LaneRuns(database, shelf, lanes, embedder, rrf_k=defaults.rrf_k, codes_top_n=defaults.codes_top_n)
        return cls(
            shelf,
            searched,
            FusionRuns(database, shelf, searched, defaults=defaults),
            RunSnippets(database, shelf, limits=limits),
        )

    def forget(self, palace: str) -> None:
        """Drop what is in memory of a palace."""
        self.shelf.forget(palace)

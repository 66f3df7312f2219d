"""Tools of the profile `runs` that search lanes and keep the rankings. Source: seed 004."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from graphpalace.domain.runs.run_answers import LaneAnswer, MultilaneAnswer
from graphpalace.serve.mcp.arguments import Moment, Palace, Room, Until, Wing
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read
from graphpalace.serve.mcp.tools.run_arguments import CodeBytes, Filters, Lane, Rollup, TopK


class LaneTools:
    """The tools that search one lane or several. A run is kept for a day; keeping it changes nothing that is stored."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tools."""
        return (
            read(self.search_fulltext, LaneAnswer, "runs"),
            read(self.search_semantic, LaneAnswer, "runs"),
            read(self.run_multilane_search, MultilaneAnswer, "runs"),
        )

    async def search_fulltext(
        self,
        q: Annotated[str, Field(description="words")],
        filters: Filters = None,
        top_k: TopK = 1000,
        rollup: Rollup | None = None,
        budget_bytes: CodeBytes = 4096,
        wing: Wing = None,
        room: Room = None,
        since: Moment | None = None,
        until: Until | None = None,
        palace: Palace = None,
    ) -> LaneAnswer:
        """Search by words, and keep the ranking as a run. The answer is a handle, not the documents.

        Show them with peek_snippets, or fuse runs of the same question with rrf_blend_frontier.
        """
        return await self._palace_of(palace).runs.fulltext(
            q,
            wing=wing,
            room=room,
            since=since,
            until=until,
            filters=filters,
            top_k=top_k,
            rollup=rollup.given() if rollup else None,
            budget_bytes=budget_bytes,
        )

    async def search_semantic(
        self,
        q: Annotated[str, Field(description="words")] = "",
        filters: Filters = None,
        top_k: TopK = 1000,
        rollup: Rollup | None = None,
        budget_bytes: CodeBytes = 4096,
        query_embedding: Annotated[list[float] | None, Field(description="a vector instead of words")] = None,
        wing: Wing = None,
        room: Room = None,
        since: Moment | None = None,
        until: Until | None = None,
        palace: Palace = None,
    ) -> LaneAnswer:
        """Search by meaning, and keep the ranking as a run. The answer is a handle, as with search_fulltext."""
        return await self._palace_of(palace).runs.semantic(
            q,
            query_embedding=query_embedding,
            wing=wing,
            room=room,
            since=since,
            until=until,
            filters=filters,
            top_k=top_k,
            rollup=rollup.given() if rollup else None,
            budget_bytes=budget_bytes,
        )

    async def run_multilane_search(
        self,
        lanes: Annotated[list[Lane], Field(min_length=1, max_length=10)],
        trace_id: Annotated[str | None, Field(max_length=200, description="kept with each run")] = None,
        palace: Palace = None,
    ) -> MultilaneAnswer:
        """Search several lanes at the same time, and keep a run of each. The lane code takes a target_profile."""
        of = self._palace_of(palace)
        return await of.runs.multilane([lane.given() for lane in lanes], trace_id=trace_id)

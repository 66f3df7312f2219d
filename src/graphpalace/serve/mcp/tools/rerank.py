"""The tool of the profile `runs` that puts documents into order. Source of the names: seed 001."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from graphpalace.domain.rerank.rerank import GateMode, RerankAnswer
from graphpalace.serve.mcp.arguments import Palace
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read


class RerankTools:
    """The tool that reranks."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tool."""
        return (read(self.rerank, RerankAnswer, "runs"),)

    async def rerank(
        self,
        query: str = "",
        documents: Annotated[
            list[dict[str, Any]] | None, Field(description="your own, each with id and text, metadata or embedding")
        ] = None,
        drawer_ids: Annotated[list[str] | None, Field(description="or drawers of the palace")] = None,
        query_embedding: Annotated[list[float] | None, Field(description="a vector instead of words")] = None,
        namespace: Annotated[str | None, Field(description="within which your documents are known")] = None,
        top_k: Annotated[int, Field(ge=1)] = 10,
        mmr_lambda: Annotated[float | None, Field(ge=0, le=1, description="0 for variety, 1 for relevance")] = None,
        gating_mode: GateMode | None = None,
        palace: Palace = None,
    ) -> RerankAnswer:
        """Order your own documents, or drawers, by a question and by what feedback taught. Stores nothing."""
        return await self._palace_of(palace).rerank(
            query,
            documents,
            drawer_ids=drawer_ids,
            query_embedding=query_embedding,
            namespace=namespace,
            top_k=top_k,
            mmr_lambda=mmr_lambda,
            gating_mode=gating_mode,
        )

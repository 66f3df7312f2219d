"""The tool that searches the palace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field

from graphpalace.app import GraphPalace
from graphpalace.domain.identity import palace_name
from graphpalace.domain.search.request import MOST_RESULTS, SearchRequest
from graphpalace.serve.render import as_json


class SearchTool:
    """The tool that searches, with the same operation as HTTP and the command line."""

    def __init__(self, operations: Callable[[], GraphPalace]) -> None:
        self._operations = operations

    async def search(
        self,
        query: Annotated[str, Field(description="words to look for")],
        palace: Annotated[str | None, Field(description="default: the configured palace")] = None,
        wing: Annotated[str | None, Field(description="only this wing")] = None,
        top_k: Annotated[int, Field(ge=1, le=MOST_RESULTS, description="number of hits")] = 10,
    ) -> dict[str, Any]:
        """Search the palace. Each hit has its full text, score, path and source."""
        app = self._operations()
        named = palace_name(palace if palace is not None else app.settings.palace.name)
        answer = await app.recall.search(named, SearchRequest(query=query, wing=wing, top_k=top_k))
        return as_json(answer)

"""Tools of the profile `runs` that fuse runs, show their documents and tell how they were made. Source: seed 004."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from graphpalace.domain.runs.run_answers import BlendAnswer, MutateAnswer, PeekAnswer, Provenance
from graphpalace.domain.runs.run_requests import IdType
from graphpalace.serve.mcp.arguments import Palace
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read
from graphpalace.serve.mcp.tools.run_arguments import BlendRequest, Budget, Delta, Fields, PerField, Shown

RunId = Annotated[str, Field(description="a lane run or a fusion")]
Ids = Annotated[list[str], Field(min_length=1, max_length=1000)]
Texts = dict[str, dict[str, str]]


class RunTools:
    """The tools for runs."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tools."""
        return (
            read(self.rrf_blend_frontier, BlendAnswer, "runs"),
            read(self.peek_snippets, PeekAnswer, "runs"),
            read(self.get_snippets, Texts, "runs"),
            read(self.get_publication, Texts, "runs"),
            read(self.mutate_run, MutateAnswer, "runs"),
            read(self.get_provenance, Provenance, "runs"),
        )

    async def rrf_blend_frontier(self, request: BlendRequest, palace: Palace = None) -> BlendAnswer:
        """Fuse lane runs by reciprocal rank and by wanted codes into a new run. The answer is its handle.

        get_provenance shows its frontier, from which to choose how many documents to read.
        """
        given = {name: value for name, value in request.given().items() if name not in ("runs", "peek")}
        return await self._palace_of(palace).runs.blend(
            [run.given() for run in request.runs],
            **given,
            peek=request.peek.given() if request.peek is not None else None,
        )

    async def peek_snippets(
        self,
        run_id: RunId,
        offset: Annotated[int | str, Field(description="a number, or peek_cursor of the page before")] = 0,
        limit: Annotated[int | None, Field(ge=1)] = None,
        fields: Fields = None,
        per_field_chars: PerField = None,
        budget_bytes: Budget = None,
        strategy: Shown = "head",
        palace: Palace = None,
    ) -> PeekAnswer:
        """Show the documents of a run, best first, a page at a time within a budget of bytes."""
        return await self._palace_of(palace).runs.peek(
            run_id,
            offset=offset,
            limit=limit,
            fields=fields,
            per_field_chars=per_field_chars,
            budget_bytes=budget_bytes,
            strategy=strategy,
        )

    async def get_snippets(
        self,
        ids: Annotated[Ids, Field(description="drawers, or publication numbers")],
        fields: Fields = None,
        per_field_chars: PerField = None,
        strategy: Shown = "head",
        query: Annotated[str, Field(description="words for match and mix")] = "",
        palace: Palace = None,
    ) -> Texts:
        """Show some documents by their ids, in short."""
        return await self._palace_of(palace).runs.snippets(
            ids, fields=fields, per_field_chars=per_field_chars, strategy=strategy, query=query
        )

    async def get_publication(
        self,
        ids: Ids,
        id_type: IdType = "pub_id",
        fields: Fields = None,
        per_field_chars: PerField = None,
        palace: Palace = None,
    ) -> Texts:
        """Show publications by an id of their patent office, with longer texts than get_snippets. For close reading."""
        return await self._palace_of(palace).runs.publication(
            ids, id_type=id_type, fields=fields, per_field_chars=per_field_chars
        )

    async def mutate_run(
        self, run_id: Annotated[str, Field(description="a fusion")], delta: Delta, palace: Palace = None
    ) -> MutateAnswer:
        """Fuse the lanes of a fusion again with some values changed, without searching again. The old run stays."""
        return await self._palace_of(palace).runs.mutate(run_id, delta.given())

    async def get_provenance(
        self,
        run_id: RunId,
        verify: Annotated[bool, Field(description="compute it again and compare")] = False,
        palace: Palace = None,
    ) -> Provenance:
        """Show how a run was made: its recipe, ancestors, frontier, contributions of the lanes, and codes."""
        return await self._palace_of(palace).runs.provenance(run_id, verify=verify)

"""The tool of the profile `runs` that fuses runs. Source: seed 004."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphpalace.domain.runs.run_answers import BlendAnswer
from graphpalace.domain.runs.run_requests import FusionRequest
from graphpalace.serve.mcp.argument_types import argument_type, given_as
from graphpalace.serve.mcp.arguments import Palace
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read

Fusion = argument_type(FusionRequest)


class FusionTools:
    """The tool that fuses runs."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tool."""
        return (read(self.rrf_blend_frontier, BlendAnswer, "runs"),)

    async def rrf_blend_frontier(self, request: Fusion, palace: Palace = None) -> BlendAnswer:  # pyright: ignore[reportInvalidTypeForm] - it is made from the declaration
        """Fuse lane runs by reciprocal rank and by wanted codes into a new run. The answer is its handle.

        get_provenance shows its frontier, from which to choose how many documents to read.
        """
        given: dict[str, Any] = given_as(request)
        return await self._palace_of(palace).runs.blend(given.pop("runs"), **given)

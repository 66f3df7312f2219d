"""The tool of the profile `runs` that fuses runs, and its prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastmcp.prompts import Prompt
from pydantic import Field

from graphpalace.domain.runs.run import BlendAnswer
from graphpalace.domain.runs.run_requests import FusionRequest
from graphpalace.serve.mcp.arguments import Palace, argument_type, given_as
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


PROMPT_PROFILES = {"search_in_lanes": frozenset({"runs"})}


def search_in_lanes(
    question: Annotated[str, Field(description="what to find")],
    codes: Annotated[str, Field(description="wanted classification codes, such as H04L 0.7, G06F 0.3")] = "",
) -> str:
    """Search several lanes for a question, fuse them, and read the best documents."""
    wanted = f"\nWanted codes, for target_profile: {codes}" if codes else ""
    return f"""\
Find documents that answer this question: {question}{wanted}

1. Search the lanes with the same words and the same filters: run_multilane_search, or search_fulltext and
   search_semantic. The answers are handles. Never ask for whole lists of ids and scores.
2. Fuse the handles with rrf_blend_frontier. A smaller rrf_k favours the top of each lane (precision), a larger one what
   several lanes agree on (recall); weights shift the balance, and a target_profile favours wanted codes.
3. Look at the frontier in get_provenance, and choose at which k to stop reading.
4. Read with peek_snippets: small pages with title and abst first, on with peek_cursor. Use get_publication only for
   documents that you really need whole.
5. If the wrong documents come first, change one thing with mutate_run and compare, instead of searching again.
6. Say which documents helped with feedback, and answer with their ids."""


def prompts() -> list[Prompt]:
    """Return the prompts."""
    return [Prompt.from_function(search_in_lanes)]

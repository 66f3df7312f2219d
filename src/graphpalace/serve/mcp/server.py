"""The MCP server: one set of tools, on stdio and on streamable HTTP."""

from __future__ import annotations

import logging
from collections.abc import Callable

from fastmcp import FastMCP
from starlette.applications import Starlette

from graphpalace import __version__
from graphpalace.app import GraphPalace
from graphpalace.domain.search.answer import Answer
from graphpalace.serve.mcp.answers import WrongArguments, answer_schema, answered
from graphpalace.serve.mcp.search_tool import SearchTool
from graphpalace.serve.mcp.simulation_tools import SimulationTools

HTTP_PATH = "/mcp"
_INSTRUCTIONS = """GraphPalace keeps texts word for word in a graph. `search` finds texts for a question.
`simulation_run` lets a swarm of agents look for it in their embeddings, `simulation_findings` shows what they found.
A failure is an answer {"error": why}."""


def make_server(operations: Callable[[], GraphPalace]) -> FastMCP:
    """Return a server over operations that need not be there yet when this is called."""
    server = FastMCP(
        "GraphPalace",
        instructions=_INSTRUCTIONS,
        version=__version__,
        middleware=[WrongArguments()],
        strict_input_validation=True,
    )
    simulations = SimulationTools(operations)
    reads = {"readOnlyHint": True, "openWorldHint": False}
    server.tool(answered(simulations.simulation_run), annotations={"idempotentHint": True, "openWorldHint": False})
    server.tool(answered(simulations.simulation_get_results), annotations=reads)
    server.tool(answered(simulations.simulation_findings), annotations=reads)
    server.tool(answered(SearchTool(operations).search), annotations=reads, output_schema=answer_schema(Answer))
    _leave_logging_to_us()
    return server


def http_door(operations: Callable[[], GraphPalace]) -> Starlette:
    """Return the same for a service to serve at `HTTP_PATH`.

    No session is kept between requests, so that any replica can answer each. Names and pages that may not ask are
    refused by the service, as on every route.
    """
    return make_server(operations).http_app(HTTP_PATH, stateless_http=True, host_origin_protection=False)


def _leave_logging_to_us() -> None:
    """Let the library's log go where ours goes; it has lines of its own for what our tools have logged already."""
    library = logging.getLogger("fastmcp")
    library.handlers.clear()
    library.propagate = True
    library.setLevel(logging.ERROR)

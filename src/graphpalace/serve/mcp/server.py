"""Create the MCP server, which offers its tools on stdio and on streamable HTTP."""

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
    """Return a server. The operations need not be available yet when this is called."""
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
    """Return an HTTP application of the server, for the service to serve at `HTTP_PATH`.

    There are no sessions, so any replica can answer each request. The service refuses unknown host names and pages of
    other origins, as on every route.
    """
    return make_server(operations).http_app(HTTP_PATH, stateless_http=True, host_origin_protection=False)


def _leave_logging_to_us() -> None:
    """Send the library's log to the log of GraphPalace, without the lines that tools log already."""
    library = logging.getLogger("fastmcp")
    library.handlers.clear()
    library.propagate = True
    library.setLevel(logging.ERROR)

"""Create the MCP server, which offers its tools on stdio and on streamable HTTP."""

from __future__ import annotations

import logging
from collections.abc import Callable

from fastmcp import FastMCP

from graphpalace import __version__
from graphpalace.app import GraphPalace
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.client.transports.local import transport_over
from graphpalace.offers import knowledge, palaces, pheromones, rerank, runs, walking
from graphpalace.serve.mcp.calls import Calls
from graphpalace.serve.mcp.instructions import INSTRUCTIONS
from graphpalace.serve.mcp.offered import tool_of, tools_of
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf
from graphpalace.serve.mcp.quoting import QuotingTransport
from graphpalace.serve.mcp.tools.diaries import DiaryTools
from graphpalace.serve.mcp.tools.drawers import TextTools
from graphpalace.serve.mcp.tools.memory import MemoryTools
from graphpalace.serve.mcp.tools.palaces import PlaceTools
from graphpalace.serve.mcp.tools.prompts import PROMPT_PROFILES, prompts
from graphpalace.serve.mcp.tools.runs import FusionTools
from graphpalace.serve.mcp.tools.simulation import SimulationTools
from graphpalace.serve.mcp.view import asked_palace
from graphpalace.settings.load import Settings

Operations = Callable[[], GraphPalace]


def make_server(settings: Settings, operations: Operations) -> FastMCP:
    """Return a server. The operations need not be available yet when this is called."""
    tools = offered_tools(palaces_over(settings, operations), settings)
    made = [tool.tool() for tool in tools]
    schemas = {tool.name: tool.parameters for tool in made}
    server = FastMCP(
        "GraphPalace",
        instructions=INSTRUCTIONS,
        version=__version__,
        middleware=[Calls(settings.mcp, tools, schemas, PROMPT_PROFILES)],
        tools=made,
        strict_input_validation=True,
    )
    for prompt in prompts():
        server.add_prompt(prompt)
    _leave_logging_to_us()
    return server


def palaces_over(settings: Settings, operations: Operations) -> PalaceOf:
    """Return what gives the tools a palace of this process; without a name, the one that the address asks for.

    What the palace says is quoted.
    """
    transport = QuotingTransport(transport_over(settings, operations))
    return lambda name: AsyncPalace(transport, name or asked_palace())


def offered_tools(palace_of: PalaceOf, settings: Settings) -> list[OfferedTool]:
    """Return all tools, in the order in which clients see them."""
    return [
        *MemoryTools(palace_of, search_bytes=settings.mcp.search_bytes, open_bytes=settings.mcp.open_bytes).tools(),
        *tools_of(runs.LANE_SEARCHES, palace_of),
        *FusionTools(palace_of).tools(),
        *tools_of(runs.READING, palace_of),
        *tools_of(rerank.RERANKS, palace_of),
        *tools_of(knowledge.FACTS, palace_of),
        tool_of(walking.NAVIGATE, palace_of),
        tool_of(palaces.LIST_TUNNELS, palace_of),
        tool_of(walking.EXPLORE, palace_of),
        *tools_of(pheromones.PHEROMONES, palace_of),
        *PlaceTools(palace_of).tools(),
        *TextTools(palace_of).tools(),
        *DiaryTools(palace_of).tools(),
        *SimulationTools(palace_of).tools(),
        *tools_of(knowledge.NAMES, palace_of),
    ]


def _leave_logging_to_us() -> None:
    """Send the library's log to the log of GraphPalace, without the lines that tools log already."""
    library = logging.getLogger("fastmcp")
    library.handlers.clear()
    library.propagate = True
    library.setLevel(logging.ERROR)

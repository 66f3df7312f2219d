"""A week of an agent that remembers, over MCP alone and without a language model.

From Monday to Friday, the agent of a small theatre is told notes and asked questions (week.json). The same questions
come back in other words on later days. Three agents go through the same week, each with a palace of its own:

- one says after each question which notes helped (tool `feedback`),
- one never says so,
- one asks for the nearest vectors alone (tools `search_semantic` and `peek_snippets`).

For each day, the table shows recall@5, how often the first hit was right, and how many bytes of answers the agent read.

    graphpalace up
    python examples/agent_week/agent_week.py
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from graphpalace import AsyncPalace

WEEK = json.loads(Path(__file__).with_name("week.json").read_text())
WING = "theatre"
SHOWN = 5
NIGHT_S = 2.0  # a service that has just learned pauses before it learns again

Asked = tuple[list[str], int]  # ids of the drawers that were found, and bytes of the answer


class Agent:
    """An agent that files notes and asks questions over MCP."""

    def __init__(self, client: Client[Any]) -> None:
        self._client = client
        self._drawers: dict[str, str] = {}  # by note

    async def file(self, note: Mapping[str, str]) -> None:
        """Remember a note."""
        stored = await self._call("add_drawer", text=note["text"], wing=WING, room=note["room"], title=note["id"])
        self._drawers[note["id"]] = stored["id"]

    async def ask_taught(self, question: Mapping[str, Any]) -> Asked:
        """Search, and say which notes helped."""
        answer = await self._call("search", query=question["ask"], top_k=SHOWN)
        found = [hit["id"] for hit in answer["hits"]]
        helped = [drawer for drawer in self.needed(question) if drawer in found]
        if helped:
            await self._call("feedback", run=answer["run"], useful=helped)
        return found, _bytes(answer)

    async def ask_untaught(self, question: Mapping[str, Any]) -> Asked:
        """Search, and say nothing."""
        answer = await self._call("search", query=question["ask"], top_k=SHOWN)
        return [hit["id"] for hit in answer["hits"]], _bytes(answer)

    async def ask_cosine(self, question: Mapping[str, Any]) -> Asked:
        """Ask for the nearest vectors, and look at the first."""
        run = await self._call("search_semantic", q=question["ask"], top_k=SHOWN)
        page = await self._call("peek_snippets", run_id=run["run_id_lane"], limit=SHOWN)
        return [shown["id"] for shown in page["snippets"]], _bytes(run) + _bytes(page)

    def needed(self, question: Mapping[str, Any]) -> list[str]:
        """Return the drawers that answer a question."""
        return [self._drawers[note] for note in question["needs"]]

    async def wake_up(self) -> str:
        """Return what to know when the next week begins."""
        return (await self._call("wake_up", wing=WING, budget_bytes=700))["text"]

    async def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = (await self._client.call_tool(tool, arguments)).structured_content
        assert answer is not None
        return answer


@asynccontextmanager
async def agents_in_new_palaces(*names: str) -> AsyncIterator[list[Agent]]:
    """Give each agent an empty palace, and an MCP server as a host would start it; drop the palaces at the end."""
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(AsyncPalace.connect())
        agents = []
        for name in names:
            palace = f"week_{name}_{secrets.token_hex(3)}"
            await service.palaces.create(palace)
            stack.push_async_callback(service.palaces.drop, palace)
            env = {**os.environ, "GRAPHPALACE_PALACE__NAME": palace, "GRAPHPALACE_MCP__ANSWERS": "structured"}
            server = StdioTransport("graphpalace", ["mcp", "--profile", "core,runs,admin"], env=env)
            agents.append(Agent(await stack.enter_async_context(Client(server))))
        yield agents


async def day_of(agent: Agent, day: Mapping[str, Any], ask: Callable[[Mapping[str, Any]], Awaitable[Asked]]) -> str:
    """Let an agent live through a day; return its recall and the bytes that it read, as a cell of the table."""
    for note in day["notes"]:
        await agent.file(note)
    recalled, first, read = 0.0, 0, 0
    for question in day["questions"]:
        found, size = await ask(question)
        needed = agent.needed(question)
        recalled += sum(drawer in found for drawer in needed) / len(needed)
        first += found[:1] == needed[:1]
        read += size
    count = len(day["questions"])
    return f"{recalled / count:>7.2f}{first / count:>6.2f}{read:>8,}"


async def week(days: int) -> None:
    """Let the three agents live through the first days of the week, and print a row for each day."""
    print(f"recall@{SHOWN}, first hit right, bytes read")
    print(f"{'day':<10}{'questions':>11}{'taught':>21}{'untaught':>21}{'plain cosine':>21}", flush=True)
    async with agents_in_new_palaces("taught", "untaught", "cosine") as (taught, untaught, cosine):
        for day in WEEK["days"][:days]:
            cells = [
                await day_of(taught, day, taught.ask_taught),
                await day_of(untaught, day, untaught.ask_untaught),
                await day_of(cosine, day, cosine.ask_cosine),
            ]
            await asyncio.sleep(NIGHT_S)
            print(f"{day['day']:<10}{len(day['questions']):>11}", *cells, sep="", flush=True)
        print("\nWhat the agent that was taught reads before its next conversation:\n")
        print(await taught.wake_up())


def _bytes(answer: Mapping[str, Any]) -> int:
    return len(json.dumps(answer, ensure_ascii=False).encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--days", type=int, default=len(WEEK["days"]), help="how many days of the week, 1 to 5")
    asyncio.run(week(parser.parse_args().days))

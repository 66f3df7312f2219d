"""The example week: agents live through its first days, over MCP and in Python."""

from __future__ import annotations

import re
import runpy
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from graphpalace import Palace
from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed
from tests.mcp_calls import server_of
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

EXAMPLES = Path(__file__).parents[2] / "examples"


async def test_three_agents_live_through_two_days_and_one_says_what_to_know_next(
    app: GraphPalace, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    example = runpy.run_path(str(EXAMPLES / "agent_week" / "agent_week.py"))
    lessons = list[int]()

    @asynccontextmanager
    async def in_memory(*names: str) -> AsyncIterator[list[Any]]:
        async with AsyncExitStack() as stack:
            agents, palaces = [], [spare_name() for _ in names]
            for palace in palaces:
                await app.create_palace(palace)
                stack.push_async_callback(app.drop_palace, palace)
                own = changed(settings, palace={"name": palace})
                wired = await stack.enter_async_context(wiring.opened(own, embedder=WordEmbedder()))
                client = Client(server_of(wired, profile="core,runs,admin"))
                agents.append(example["Agent"](await stack.enter_async_context(client)))
            yield agents
            lessons.extend([len(await app.learning.feedback.listed(palace)) for palace in palaces])

    example["week"].__globals__.update(agents_in_new_palaces=in_memory, NIGHT_S=0.0)
    await example["week"](2)
    printed = capsys.readouterr().out
    rows = re.findall(r"^(\w+day) +(\d+)" + r" +(\d\.\d\d) +(\d\.\d\d) +([\d,]+)" * 3 + "$", printed, re.MULTILINE)
    assert [row[0] for row in rows] == ["Monday", "Tuesday"]
    for row in rows:
        assert int(row[1]) > 0
        for recall, size in zip(row[2::3], row[4::3], strict=True):
            assert 0 < float(recall) <= 1
            assert int(size.replace(",", "")) > 1000
    assert "# What to know now" in printed
    taught, untaught, cosine = lessons
    assert (taught > 2, untaught, cosine) == (True, 0, 0)


def test_the_week_in_python_tells_for_each_day_how_many_questions_were_answered(
    settings: Settings, palace: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = partial(Palace.open, palace, settings, embedder=WordEmbedder())
    monkeypatch.setattr(Palace, "open", opened)
    runpy.run_path(str(EXAMPLES / "week_in_python.py"))
    found = re.findall(r"^\w+day: (\d+) of (\d+) questions", capsys.readouterr().out, re.MULTILINE)
    assert len(found) == 5
    assert all(0 < int(some) <= int(every) for some, every in found)

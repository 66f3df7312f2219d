"""Names on the command line and over MCP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from graphpalace import app as wiring
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.settings.load import Settings
from tests.acceptance.commands import environ_of, in_process
from tests.acceptance.served import changed
from tests.mcp_calls import call, server_of
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

_RECOGNISER = "GRAPHPALACE_ENTITIES__RECOGNISER"


def test_the_commands_print_for_people_and_programs(
    tmp_path: Path,
    neo4j_settings: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    environ = environ_of(neo4j_settings, spare_name())
    command = in_process(environ | {_RECOGNISER: "rules"}, tmp_path, monkeypatch, capsys)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "people.md").write_text(
        "We met Ada Lovelace. Then Countess Augusta came, and Ada Lovelace.\n"
    )

    def run(*words: str, code: int = 0, **more: str) -> str:
        ran = command(*words, **more)
        assert ran.code == code, ran
        assert bool(ran.err) == bool(code), ran  # no bar of progress where nobody looks
        return ran.out + ran.err

    run("ingest", "notes", "--wing", "history")
    try:
        assert "Ada Lovelace" in run("names", "list")
        assert [each["name"] for each in json.loads(run("names", "list", "AUGUSTA", "--json"))["names"]] == [
            "Countess Augusta"
        ]
        shown = run("names", "show", "ada lovelace")
        assert "Ada Lovelace" in shown and "concept" not in shown
        assert "1 drawer, 0 facts" in shown
        assert "Countess Augusta" in shown
        assert "1 drawer and 0 facts moved" in run("names", "merge", "Ada Lovelace", "Countess Augusta")
        assert "merged by hand: Countess Augusta" in run("names", "show", "Countess Augusta")
        assert json.loads(run("names", "split", "Ada Lovelace", "Countess Augusta", "--json"))["drawers"] == 1
        drawer = json.loads(run("names", "show", "Ada Lovelace", "--json"))["drawers"][0]["drawer"]
        split = run("names", "split", "Ada Lovelace", "Ada King", "--drawer", drawer)
        assert "'Ada King' is meant there now; 1 drawer and 0 facts moved" in split
        run("names", "merge", "Ada Lovelace", "Ada King")
        assert "the names of 0 drawers were read (rules)" in run("names", "build")
        assert "has no name 'Nobody'" in run("names", "show", "Nobody", code=3)
        assert "has no alias 'Nobody'" in run("names", "split", "Ada Lovelace", "Nobody", code=3)
        assert 'recogniser is "off"' in run("names", "build", code=4, **{_RECOGNISER: "off"})
    finally:
        run("palace", "drop", environ["GRAPHPALACE_PALACE__NAME"], "--yes")


@pytest.fixture(scope="module")
async def reading(settings: Settings) -> AsyncIterator[wiring.GraphPalace]:
    by_rules = changed(settings, entities={"recogniser": "rules", "read_after_s": 3600})
    async with wiring.opened(by_rules, embedder=WordEmbedder()) as opened:
        yield opened


@pytest.fixture
async def client(reading: wiring.GraphPalace, palace: str) -> AsyncIterator[Client[Any]]:
    for text in ("We met Ada Lovelace.", "Here is Countess Augusta."):
        await reading.drawers.add(palace, NewDrawer(text=text, wing="history", room="people"))
    await reading.knowledge.names.build(palace)
    async with Client(server_of(reading, profile="knowledge")) as connected:
        yield connected


async def test_the_tools_list_show_merge_and_split(client: Client[Any], palace: str) -> None:
    listed = await call(client, "list_names", query="a", palace=palace)
    assert [each["name"] for each in listed["names"]] == ["Ada Lovelace", "Countess Augusta"]
    merged = await call(client, "merge_names", name="Ada Lovelace", other="Countess Augusta", palace=palace)
    assert (merged["drawers"], merged["entity"]["drawer_count"]) == (1, 2)
    page = await call(client, "show_name", name="countess augusta", limit=1, palace=palace)
    assert (page["entity"]["name"], page["merged"], len(page["drawers"])) == ("Ada Lovelace", ["Countess Augusta"], 1)
    split = await call(client, "split_name", name="Ada Lovelace", alias="Countess Augusta", palace=palace)
    assert split["other"]["name"] == "Countess Augusta"
    page = await call(client, "show_name", name="Ada Lovelace", palace=palace)
    drawer = page["drawers"][0]["drawer"]
    given = await call(client, "split_name", name="Ada Lovelace", alias="Ada King", drawers=[drawer], palace=palace)
    assert (given["other"]["name"], given["drawers"], page["may_be_two"]) == ("Ada King", 1, [])


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("list_names", {"limit": 0}, "limit"),
        ("list_names", {"entity_type": "animal"}, "entity_type"),
        ("show_name", {"name": "Nobody"}, "has no name 'Nobody'"),
        ("show_name", {}, "name"),
        ("merge_names", {"name": "Ada Lovelace", "other": "ada lovelace"}, "already"),
        ("split_name", {"name": "Ada Lovelace", "alias": "Nobody"}, "has no alias 'Nobody'"),
    ],
)
async def test_bad_arguments_get_a_clear_error(
    client: Client[Any], palace: str, tool: str, arguments: dict[str, Any], message: str
) -> None:
    answer = await call(client, tool, palace=palace, **arguments)
    assert message in str(answer["error"])

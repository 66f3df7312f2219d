"""The tools of the profile runs, by the names and signatures of seed 004: each with good and with bad arguments."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastmcp import Client

from graphpalace.app import GraphPalace
from tests.mcp_calls import call, server_of
from tests.publications import write_publications
from tests.spare_palaces import spare_name

PROFILE = {"ipc": {"H04L": 0.7}}


@pytest.fixture(scope="module")
async def patents(app: GraphPalace, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """A palace of a few publications."""
    name = spare_name()
    await app.create_palace(name)
    path = write_publications(tmp_path_factory.mktemp("patents"))
    await app.ingesting.files([path], palace=name, wing="patents")
    yield name
    await app.drop_palace(name)


@pytest.fixture
async def client(app: GraphPalace) -> AsyncIterator[Client[Any]]:
    async with Client(server_of(app, profile="runs")) as connected:
        yield connected


async def lanes_of(client: Client[Any], palace: str, q: str) -> list[dict[str, str]]:
    words = await call(client, "search_fulltext", q=q, palace=palace)
    meaning = await call(client, "search_semantic", q=q, palace=palace)
    return [{"lane": one["lane"], "run_id_lane": one["run_id_lane"]} for one in (words, meaning)]


async def test_search_search_blend_peek_mutate_provenance(client: Client[Any], patents: str) -> None:
    runs = await lanes_of(client, patents, "cipher key")
    assert [run["lane"] for run in runs] == ["fulltext", "semantic"]
    request = {
        "runs": runs,
        "weights": {"fulltext": 1.0, "semantic": 1.0, "code": 0.5},
        "rrf_k": 60,
        "beta_fuse": 1.0,
        "target_profile": PROFILE,
        "top_m_per_lane": {"fulltext": 10000, "semantic": 10000},
        "k_grid": [1, 2, 3],
        "peek": {"count": 2, "fields": ["title", "abst"], "per_field_chars": {"title": 120}, "budget_bytes": 4096},
    }
    fused = await call(client, "rrf_blend_frontier", request=request, palace=patents)
    assert fused["meta"]["count_returned"] >= 2
    assert len(fused["peek"]["snippets"]) == 2
    seen, cursor = [], "0"
    while cursor is not None:
        page = await call(
            client, "peek_snippets", run_id=fused["run_id"], offset=cursor, limit=1, budget_bytes=600, palace=patents
        )
        sent = json.dumps(page["snippets"], ensure_ascii=False, separators=(",", ":")).encode()
        assert len(sent) == page["meta"]["used_bytes"] <= 600
        seen += [one["id"] for one in page["snippets"]]
        cursor = page["meta"]["peek_cursor"]
    assert len(seen) == len(set(seen)) == fused["meta"]["count_returned"]
    shown = await call(client, "get_snippets", ids=seen[:1], fields=["title"], palace=patents)
    assert set(shown) == {seen[0]}
    child = await call(
        client, "mutate_run", run_id=fused["run_id"], delta={"weights": {"fulltext": 2.0}}, palace=patents
    )
    assert child["recipe"]["weights"]["fulltext"] == 2.0
    made = await call(client, "get_provenance", run_id=child["new_run_id"], verify=True, palace=patents)
    assert (made["parent"], made["verified"]["same"]) == (fused["run_id"], True)
    assert [point["k"] for point in made["frontier"]]


async def test_an_unwrapped_lane_question_and_several_lanes_at_once(client: Client[Any], patents: str) -> None:
    lanes = [
        {"lane": "fulltext", "q": "lock", "filters": {"country": "US"}, "rollup": {"ipc_level": "subclass"}},
        {"lane": "semantic", "q": "lock", "since": "2020-01-01"},
        {"lane": "code", "target_profile": PROFILE},
    ]
    answer = await call(client, "run_multilane_search", lanes=lanes, trace_id="trace", palace=patents)
    assert answer["trace_id"] == "trace"
    assert [one["lane"] for one in answer["results"]] == ["fulltext", "semantic", "code"]
    assert answer["results"][0]["code_freqs"]["ipc"] == {"E05B": 1}
    assert answer["results"][2]["count_returned"] == 2


async def test_publications_are_shown_by_the_ids_of_their_office(client: Client[Any], patents: str) -> None:
    shown = await call(client, "get_publication", ids=["JPA1"], id_type="app_id", palace=patents)
    assert shown["JPA1"]["pub_id"] == "JP1"
    cut = {"ids": ["US1"], "fields": ["title"], "per_field_chars": {"title": 8}}
    assert (await call(client, "get_publication", **cut, palace=patents))["US1"]["title"] == "Ciphe..."


async def test_documents_are_put_into_order(client: Client[Any], patents: str) -> None:
    documents = [{"id": "a", "text": "a garden hose"}, {"id": "b", "text": "a cipher key"}]
    answer = await call(client, "rerank", query="cipher key", documents=documents, palace=patents)
    assert [one["id"] for one in answer["results"]] == ["b", "a"]


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("search_fulltext", {}, "q is missing"),
        ("search_fulltext", {"q": " "}, "q is empty"),
        ("search_fulltext", {"q": "a", "top_k": 0}, "top_k is 0"),
        ("search_fulltext", {"q": "a", "rollup": {"ipc": "class"}}, "rollup.ipc is no argument"),
        ("search_fulltext", {"q": "a", "filters": {"colour": "red"}}, "colour"),
        ("search_fulltext", {"q": "a", "budget_bytes": 1}, "budget_bytes is 1"),
        ("search_semantic", {}, "q is empty"),
        ("search_semantic", {"query_embedding": [1.0]}, "vectors of this palace"),
        ("run_multilane_search", {"lanes": []}, "lanes is []"),
        ("run_multilane_search", {"lanes": [{"lane": "entity", "q": "a"}]}, "lanes.0.lane is 'entity'"),
        ("rrf_blend_frontier", {}, "request is missing"),
        ("rrf_blend_frontier", {"request": {"runs": []}}, "request.runs is []"),
        ("rrf_blend_frontier", {"request": {"runs": [{"run_id_lane": "fulltext-none"}]}}, "fulltext-none"),
        ("rrf_blend_frontier", {"request": {"runs": [{"run_id_lane": "x"}], "rrf_k": 0}}, "request.rrf_k is 0"),
        ("peek_snippets", {"run_id": "fusion-none"}, "fusion-none"),
        ("peek_snippets", {"run_id": "fusion-none", "strategy": "tail"}, "strategy is 'tail'"),
        ("peek_snippets", {"run_id": "fusion-none", "offset": "next"}, "offset"),
        ("get_snippets", {"ids": []}, "ids is []"),
        ("get_snippets", {"ids": ["drawer-none"]}, "drawer-none"),
        ("get_publication", {"ids": ["none"]}, "none"),
        ("get_publication", {"ids": ["US1"], "id_type": "isbn"}, "id_type is 'isbn'"),
        ("mutate_run", {"run_id": "fusion-none", "delta": {}}, "value"),
        ("mutate_run", {"run_id": "fusion-none", "delta": {"rrf_k": 30}}, "fusion-none"),
        ("mutate_run", {"run_id": "fusion-none", "delta": {"rrf": 30}}, "delta.rrf is no argument"),
        ("get_provenance", {"run_id": "fusion-none"}, "fusion-none"),
        ("rerank", {"query": "a"}, "drawer_ids"),
        ("rerank", {"query": "a", "documents": [{"text": "no id"}]}, "id"),
    ],
)
async def test_what_is_wrong_is_said_with_what_would_be_right(
    client: Client[Any], patents: str, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    assert reason in (await call(client, tool, palace=patents, **arguments))["error"]


async def test_the_prompt_says_how_to_search_in_lanes(app: GraphPalace, client: Client[Any]) -> None:
    (prompt,) = await client.list_prompts()
    assert prompt.name == "search_in_lanes"
    said = await client.get_prompt(prompt.name, {"question": "bicycle locks", "codes": "E05B 1.0"})
    text = said.messages[0].content.text
    tools = {tool.name for tool in await client.list_tools()} | {"feedback"}
    assert all(word in tools for word in ("rrf_blend_frontier", "peek_snippets", "mutate_run") if word in text)
    assert "bicycle locks" in text and "E05B 1.0" in text
    async with Client(server_of(app, profile="core")) as other:
        assert await other.list_prompts() == []

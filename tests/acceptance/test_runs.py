"""The tools on runs over HTTP: the smoke test of seed 004, bytes on the wire, and ten thousand members."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from graphpalace.app import GraphPalace
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, failure, served
from tests.publications import write_publications
from tests.spare_palaces import spare_name

MANY = 10_000


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings whose palace is used by these tests alone."""
    return changed(settings, palace={"name": spare_name()}, decay={"enabled": False})


@pytest.fixture(scope="module")
async def patents(app: GraphPalace, own: Settings, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A palace of a few publications."""
    name = own.palace.name
    await app.create_palace(name)
    path = write_publications(tmp_path_factory.mktemp("patents"))
    await app.ingesting.files([path], palace=name, wing="patents")
    return name


@pytest.fixture(scope="module")
def http(own: Settings, patents: str) -> Iterator[httpx.Client]:
    with served(own) as client:
        yield client
        client.delete(f"/v1/palaces/{patents}?confirm={patents}").raise_for_status()


def tool(http: httpx.Client, name: str, **body: Any) -> dict[str, Any]:
    response = http.post(f"/v1/runs/{name}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def provenance(http: httpx.Client, run_id: str, **params: Any) -> dict[str, Any]:
    response = http.get(f"/v1/runs/{run_id}/provenance", params=params)
    assert response.status_code == 200, response.text
    return response.json()


def lanes_of(http: httpx.Client, q: str, **more: Any) -> list[dict[str, str]]:
    lanes = []
    for lane in ("fulltext", "semantic"):
        answer = tool(http, f"search_{lane}", q=q, **more)
        lanes.append({"lane": lane, "run_id_lane": answer["run_id_lane"]})
    return lanes


def test_search_search_blend_peek(http: httpx.Client) -> None:
    fulltext = tool(http, "search_fulltext", q="cipher key", top_k=50, rollup={"ipc_level": "subclass"})
    assert fulltext.keys() == {
        "lane", "run_id_lane", "count_returned", "truncated", "code_freqs", "codes_left_out", "cursor", "took_ms",
    }  # fmt: skip
    assert fulltext["code_freqs"]["ipc"]["H04L"] > 0
    semantic = tool(http, "search_semantic", q="cipher key", top_k=50)
    runs = [{"lane": one["lane"], "run_id_lane": one["run_id_lane"]} for one in (fulltext, semantic)]
    request = {
        "runs": runs,
        "weights": {"fulltext": 1.0, "semantic": 1.0, "code": 0.5},
        "rrf_k": 60,
        "beta_fuse": 1.0,
        "target_profile": {"ipc": {"H04L": 0.7}, "fi": {"H04L1/00": 1.0}, "ft": {"432": 0.5}},
        "top_m_per_lane": {"fulltext": 10000, "semantic": 10000},
        "k_grid": [10, 20, 30, 40, 50, 80, 100, 150, 200],
        "peek": {
            "count": 10,
            "fields": ["title", "abst"],
            "per_field_chars": {"title": 120, "abst": 360},
            "budget_bytes": 4096,
        },
    }
    blended = tool(http, "rrf_blend_frontier", request=request)
    assert blended.keys() == {"run_id", "meta", "peek"}
    assert blended["meta"]["top_k"] == 200
    assert blended["meta"]["count_returned"] == 3
    assert blended["peek"]["meta"]["used_bytes"] <= 4096
    bare = tool(http, "rrf_blend_frontier", **request)
    shown = [provenance(http, one["run_id"]) for one in (blended, bare)]
    assert shown[0]["frontier"] == shown[1]["frontier"]
    assert [point["k"] for point in shown[0]["frontier"]] == request["k_grid"]
    peek = tool(http, "peek_snippets", run_id=blended["run_id"])
    assert peek["meta"] | {"used_bytes": 0} == {
        "used_bytes": 0,
        "truncated": False,
        "shortened": 0,
        "peek_cursor": None,
        "total_docs": 3,
        "retrieved": 3,
        "returned": 3,
    }
    assert list(peek["snippets"][0]["fields"])[:3] == ["title", "abst", "claim"]


def test_the_bytes_that_are_counted_are_the_bytes_that_are_sent(http: httpx.Client) -> None:
    (run, _) = lanes_of(http, "暗号鍵 cipher")
    fields = ["title", "abst", "claim", "desc", "app_doc_id", "pub_id", "exam_id"]
    for budget in (256, 600, 12288):
        body = {"run_id": run["run_id_lane"], "fields": fields, "budget_bytes": budget, "strategy": "mix"}
        sent = http.post("/v1/runs/peek_snippets", json=body).content
        snippets = sent[sent.index(b'"snippets":') + len(b'"snippets":') : sent.index(b',"meta":')]
        meta = json.loads(sent)["meta"]
        assert meta["used_bytes"] == len(snippets) <= budget
        assert "暗号".encode() in snippets or budget < 600


def test_multilane_asks_several_lanes_at_once(http: httpx.Client) -> None:
    lanes = [{"lane": "fulltext", "q": "hose"}, {"lane": "semantic", "q": "hose"}, {"lane": "fulltext", "q": "lock"}]
    answer = tool(http, "multilane", lanes=lanes, trace_id="trace-7")
    assert answer["trace_id"] == "trace-7"
    assert [one["lane"] for one in answer["results"]] == ["fulltext", "semantic", "fulltext"]
    recipe = provenance(http, answer["results"][2]["run_id_lane"])["recipe"]
    assert (recipe["q"], recipe["trace_id"]) == ("lock", "trace-7")


def test_a_walk_a_swarm_among_what_it_reached_and_their_fusion(http: httpx.Client) -> None:
    lanes = [{"lane": lane, "q": "cipher lock"} for lane in ("path", "mcmp")]
    walked, flown = tool(http, "multilane", lanes=lanes)["results"]
    assert (walked["lane"], flown["lane"]) == ("path", "mcmp")
    assert flown["count_returned"] == walked["count_returned"] > 0
    runs = [{"lane": one["lane"], "run_id_lane": one["run_id_lane"]} for one in (walked, flown)]
    blended = tool(http, "rrf_blend_frontier", runs=runs)
    shown = provenance(http, blended["run_id"], verify=True)
    assert shown["verified"]["same"] is True
    assert {name for parts in shown["contributions"].values() for name in parts} == {"path", "mcmp"}


def test_a_mutation_has_a_lineage_and_can_be_verified(http: httpx.Client) -> None:
    first = tool(http, "rrf_blend_frontier", runs=lanes_of(http, "cipher lock"))["run_id"]
    child = tool(http, "mutate_run", run_id=first, delta={"weights": {"fulltext": 1.2}, "rrf_k": 30})
    assert child.keys() == {"new_run_id", "frontier", "recipe"}
    assert child["recipe"]["weights"]["fulltext"] == 1.2
    shown = provenance(http, child["new_run_id"], verify=True)
    assert (shown["parent"], shown["history"]) == (first, [first, child["new_run_id"]])
    assert shown["verified"]["same"] is True
    assert all(abs(sum(parts.values()) - 100) < 1e-6 for parts in shown["contributions"].values())


def test_a_fusion_is_taught_and_taken_back(http: httpx.Client) -> None:
    run = tool(http, "rrf_blend_frontier", runs=lanes_of(http, "cipher lock"))["run_id"]
    given = http.post("/v1/feedback", json={"run": run, "useful": ["US2"]})
    assert given.status_code == 200, given.text
    (row,) = http.get("/v1/feedback").json()
    assert (row["id"], row["search"], len(row["useful"])) == (given.json()["id"], run, 1)
    assert http.delete(f"/v1/feedback/{row['id']}").status_code == 204


def test_documents_are_shown_by_id(http: httpx.Client) -> None:
    run = lanes_of(http, "cipher")[0]["run_id_lane"]
    one = tool(http, "peek_snippets", run_id=run, limit=1)["snippets"][0]["id"]
    found = tool(http, "get_snippets", ids=[one], fields=["title", "abst"], per_field_chars={"title": 120})
    assert found[one].keys() >= {"title", "abst", "pub_id"}
    assert tool(http, "get_snippets", ids=["US2"], fields=["title"])["US2"]["title"] == "Bicycle lock with a cipher"
    published = tool(http, "get_publication", ids=["USA2"], id_type="app_id")
    assert published["USA2"]["title"] == "Bicycle lock with a cipher"
    assert published["USA2"]["desc"] == "The wheel of the lock has ten digits."


@pytest.mark.parametrize(
    ("name", "body", "status", "said"),
    [
        ("search_fulltext", {"q": ""}, 422, "q is empty"),
        ("search_fulltext", {"q": "x", "top_k": 10001}, 422, "top_k is 10001"),
        ("search_fulltext", {"q": "x", "query_embedding": [1]}, 422, "query_embedding"),
        ("search_semantic", {"q": "x", "palace": "nosuch"}, 404, "there is no palace 'nosuch'"),
        ("multilane", {"lanes": [{"lane": "walk", "q": "x"}]}, 422, "lanes.0.lane is 'walk'"),
        ("rrf_blend_frontier", {"runs": [{"run_id_lane": "fulltext-1"}]}, 404, "no run 'fulltext-1'"),
        ("peek_snippets", {"run_id": "fusion-1"}, 404, "no run 'fusion-1'"),
        ("peek_snippets", {"run_id": "x", "fields": ["titel"]}, 422, "fields.0 is 'titel'"),
        ("mutate_run", {"run_id": "x", "delta": {}}, 422, "give at least one value"),
        ("get_publication", {"ids": ["X9"]}, 404, "no document with the pub_id 'X9'"),
    ],
)
def test_what_cannot_be_done_is_said(
    http: httpx.Client, name: str, body: dict[str, Any], status: int, said: str
) -> None:
    code = {404: "NOT_FOUND", 422: "VALIDATION_ERROR"}[status]
    response = http.post(f"/v1/runs/{name}", json=body)
    if response.json()["error"]["code"] == "EMPTY_QUERY":
        code = "EMPTY_QUERY"
    assert said in failure(response, status, code)["message"]


async def test_a_run_holds_ten_thousand_members(
    http: httpx.Client, app: GraphPalace, own: Settings, tmp_path: Path
) -> None:
    """Two lanes of ten thousand drawers each are fused, folded, changed, read back and paged to the end."""
    path = tmp_path / "many.jsonl"
    rows = [
        {
            "pub_id": f"P{at}",
            "family_id": f"F{at // 2}",
            "title": f"Lamp {at}",
            "abst": f"lamp number {at}",
            "ipc_codes": [f"H04L{1 + at % 60}/{10 + at % 80}"],
        }
        for at in range(MANY)
    ]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    quick = replace(app, settings=changed(own, ingest={"similar_k": 0, "rooms": "folders"}))
    await quick.ingesting.files([path], palace=own.palace.name, wing="many")
    lanes = lanes_of(http, "lamp number", wing="many", top_k=MANY)
    blended = tool(http, "rrf_blend_frontier", runs=lanes, target_profile={"ipc": {"H04L9": 1.0}}, fold="none")
    assert blended["meta"]["count_returned"] == MANY
    child = tool(http, "mutate_run", run_id=blended["run_id"], delta={"fold": "family", "k_grid": [5000]})
    assert child["frontier"][0]["R_star"] == pytest.approx(1)
    shown = provenance(http, child["new_run_id"], verify=True)
    assert (shown["count"], shown["verified"]["same"]) == (MANY // 2, True)
    last = tool(http, "peek_snippets", run_id=blended["run_id"], offset=MANY - 5, fields=["title"])
    assert (last["meta"]["returned"], last["meta"]["peek_cursor"]) == (5, None)

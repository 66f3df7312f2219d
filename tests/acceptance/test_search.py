"""Search over HTTP and on the command line: plans, weights, codes, filters, and what is said of a lane left out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from graphpalace.app import GraphPalace
from graphpalace.embedding.endpoint import EndpointEmbedder
from graphpalace.error_codes import EXIT
from graphpalace.settings.load import Settings
from tests.acceptance.commands import Ran, apart, environ_of, printed
from tests.acceptance.served import changed, failure, served, until
from tests.publications import write_publications
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

NOWHERE = "http://127.0.0.1:9/v1"  # no endpoint listens there


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    return changed(settings, palace={"name": spare_name()}, decay={"enabled": False})


@pytest.fixture(scope="module")
async def patents(app: GraphPalace, own: Settings, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A palace of a few publications."""
    name = own.palace.name
    await app.create_palace(name)
    await app.ingesting.files([write_publications(tmp_path_factory.mktemp("patents"))], palace=name, wing="patents")
    return name


@pytest.fixture(scope="module")
def http(own: Settings, patents: str) -> Iterator[httpx.Client]:
    with served(own) as client:
        yield client
        client.delete(f"/v1/palaces/{patents}?confirm={patents}").raise_for_status()


def asked(http: httpx.Client, query: str = "", **more: Any) -> dict[str, Any]:
    response = http.post("/v1/search", json={"query": query, "top_k": 50, **more})
    assert response.status_code == 200, response.text
    return response.json()


def lanes_of(answer: dict[str, Any]) -> set[str]:
    return {lane for hit in answer["hits"] for lane in hit["lanes"]}


def publications(http: httpx.Client, answer: dict[str, Any]) -> list[str]:
    """Return the publication of each hit."""
    return [http.get(f"/v1/drawers/{hit['id']}").json()["pub_id"] for hit in answer["hits"]]


def test_an_answer_tells_the_plan_and_each_lanes_evidence(http: httpx.Client) -> None:
    answer = asked(http, "cipher key")
    assert answer["plan"] == {
        "lanes": ["fulltext", "semantic", "entity"],
        "weights": {"code": 0.5, "entity": 0.25, "expanded": 0.02, "mcmp": 0.02, "path": 0.01},
        "fusion": "evidence",
        "time": None,
    }
    assert answer["left_out"] == {}
    for hit in answer["hits"]:
        assert sum(lane["share"] for lane in hit["lanes"].values()) == pytest.approx(1)
        assert all(0 <= lane["evidence"] <= 1 for lane in hit["lanes"].values())
    scores = [hit["score"] for hit in answer["hits"]]
    assert scores == sorted(scores, reverse=True)


def test_a_preset_is_a_plan_and_single_choices_go_before_it(http: httpx.Client) -> None:
    plain = asked(http, "cipher key", preset="rrf")
    assert (plain["plan"]["fusion"], lanes_of(plain)) == ("rrf", {"fulltext", "semantic"})
    assert all(lane["evidence"] is None for lane in plain["hits"][0]["lanes"].values())
    walked = asked(http, "cipher key", preset="walk")
    assert walked["plan"]["lanes"] == ["fulltext", "semantic", "entity", "path"]
    assert "path" in lanes_of(walked)
    mixed = asked(http, "cipher key", preset="walk", fusion="rrf", lanes=["fulltext"], weights={"fulltext": 3})
    assert mixed["plan"] == {
        "lanes": ["fulltext"],
        "weights": {"code": 0.5, "entity": 0.25, "expanded": 0.02, "mcmp": 0.02, "path": 0.01, "fulltext": 3.0},
        "fusion": "rrf",
        "time": None,
    }
    assert mixed["hits"][0]["score"] == pytest.approx(3 / 61)


def test_weights_move_the_answer(http: httpx.Client) -> None:
    hose = http.post("/v1/search", json={"query": "garden hose nozzle", "top_k": 1, "lanes": ["fulltext"]}).json()
    lock = http.post("/v1/search", json={"query": "lock wheel", "top_k": 1, "lanes": ["semantic"]}).json()
    vector = WordEmbedder().embed(["lock wheel"])[0].tolist()
    for weights, best in (({"fulltext": 1000}, hose), ({"semantic": 1000}, lock)):
        answer = asked(http, "garden hose nozzle", query_embedding=vector, weights=weights)
        assert answer["hits"][0]["id"] == best["hits"][0]["id"]


def test_filters_on_publications_hold_in_every_lane(http: httpx.Client) -> None:
    for filters, expected in (
        ({"country": ["US"]}, {"US1", "US2", "US3"}),
        ({"ipc": "H04L", "date_from": "2023-02-01"}, {"US1"}),
        ([{"field": "assignee", "op": "eq", "value": "Fox Lab"}], {"US2", "US3"}),
        ({"country": ["FR"]}, set[str]()),
    ):
        answer = asked(http, "cipher key", preset="walk", filters=filters)
        assert set(publications(http, answer)) == expected
    wrong = http.post("/v1/search", json={"query": "x", "filters": {"county": ["US"]}})
    assert "county" in failure(wrong, 422, "VALIDATION_ERROR")["message"]


def test_wanted_codes_join_the_lanes_or_are_the_question(http: httpx.Client) -> None:
    profile = {"cpc": {"H04L9/0861": 0.7}, "ipc": {"E05B": 0.3}}
    joined = asked(http, "water hose", target_profile=profile)
    assert joined["plan"]["lanes"] == ["fulltext", "semantic", "entity", "code"]
    alone = asked(http, target_profile=profile)
    assert alone["plan"]["lanes"] == ["code"]
    found = publications(http, alone)
    assert sorted(set(found), key=found.index) == ["US1", "US2"]
    shares = {number: hit["lanes"]["code"]["score"] for number, hit in zip(found, alone["hits"], strict=True)}
    assert shares == pytest.approx({"US1": 0.7, "US2": 0.3})
    filtered = asked(http, target_profile=profile, filters={"ipc": ["E05B"]})
    assert set(publications(http, filtered)) == {"US2"}


def test_a_lane_that_fails_is_named_with_its_reason(own: Settings, http: httpx.Client) -> None:
    gone = EndpointEmbedder("words", base_url=NOWHERE, dimension=384, retries=0)
    with served(own, embedder=gone, ready=False) as client:
        until(lambda: client.get("/health/ready", params={"lenient": True}).status_code == 200, seconds=60)
        answer = asked(client, "cipher key")
        assert answer["left_out"].keys() == {"semantic"}
        assert f"the embedding endpoint {NOWHERE}/ failed" in answer["left_out"]["semantic"]
        assert lanes_of(answer) == {"fulltext"}
        assert answer["hits"][0]["id"] == asked(http, "cipher key", lanes=["fulltext"])["hits"][0]["id"]
        alone = client.post("/v1/search", json={"query": "cipher key", "lanes": ["semantic"]})
        assert NOWHERE in failure(alone, 502, "EMBEDDING_FAILED")["message"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"preset": "wlak"}, "preset is 'wlak'; it must be some of rrf, walk"),
        ({"lanes": ["smell"]}, "lanes.0 is 'smell'"),
        ({"lanes": ["code"]}, "lanes has 'code', which needs a target_profile"),
        ({"weights": {"fulltext": 0, "semantic": 0}}, "weights are 0 for all of fulltext, semantic"),
        ({"weights": {"fulltext": -1}}, "weights.fulltext is -1"),
        ({"weights": {"smell": 1}}, "smell"),
        ({"fusion": "cold"}, "fusion is 'cold'"),
        ({"target_profile": {"cpc": {"H04L": 0}}}, "target_profile.cpc.H04L is 0"),
        ({"target_profile": {"cpc": {}}}, "target_profile.cpc is empty"),
        ({"without": ["titles"]}, "without"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(http: httpx.Client, body: dict[str, Any], said: str) -> None:
    response = http.post("/v1/search", json={"query": "x"} | body)
    assert said in failure(response, 422, "VALIDATION_ERROR")["message"]


def test_a_drawer_of_a_publication_shows_its_facts(http: httpx.Client) -> None:
    (best, *_) = asked(http, target_profile={"ft": {"5J104": 1.0}})["hits"]
    shown = http.get(f"/v1/drawers/{best['id']}").json()
    facts = ("codes", "pub_id", "app_id", "exam_id", "family_id", "assignee", "country", "published")
    assert {name: shown[name] for name in facts} == {
        "codes": ["ipc:H04L9/32", "fi:H04L9/00", "ft:5J104AA01"], "pub_id": "JP1", "app_id": "JPA1", "exam_id": "EX1",
        "family_id": "F1", "assignee": "Owl Works", "country": "JP", "published": "2023-01-10",
    }  # fmt: skip
    listed = http.get("/v1/drawers", params={"limit": 200}).json()["drawers"]
    assert {drawer["pub_id"] for drawer in listed} == {"JP1", "US1", "US2", "US3"}
    name = spare_name()
    http.post("/v1/palaces", json={"name": name}).raise_for_status()
    note = http.post("/v1/drawers", json={"text": "a note", "wing": "notes", "palace": name}).json()
    assert {name: note[name] for name in facts} == dict.fromkeys(facts) | {"codes": []}
    http.delete(f"/v1/palaces/{name}?confirm={name}").raise_for_status()


@pytest.fixture(scope="module")
def environ(
    neo4j_settings: dict[str, object], commands_palace: str, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """The tests' server, and a palace of its own with the publications in it, embedded by the bundled model."""
    environ = environ_of(neo4j_settings, commands_palace)
    folder = tmp_path_factory.mktemp("patents")
    ran = apart(environ, folder, "ingest", write_publications(folder), "--wing", "patents")
    assert ran.code == 0, ran
    return environ


def test_explain_shows_what_each_lane_gave(here: Callable[..., Ran]) -> None:
    plain = here("search", "cipher key", "--top-k", "2")
    assert "evidence" not in plain.out
    ran = here("search", "cipher key", "--top-k", "2", "--explain")
    assert ran.code == 0, ran.err
    lines = [line.split() for line in ran.out.splitlines()]
    assert lines.count(["lane", "rank", "score", "evidence", "share"]) == 2
    rows = [line for line in lines if line[:1] in (["fulltext"], ["semantic"])]
    assert all(len(row) == 5 and row[4].endswith("%") and 0 <= float(row[3]) <= 1 for row in rows)
    assert "combines the evidence of its lanes; weights: fulltext 1, semantic 1" in ran.out
    assert "fulltext" in ran.out.splitlines()[-2]  # the time of each stage
    answer = json.loads(here("search", "cipher key", "--top-k", "2", "--json").out)
    best = answer["hits"][0]["lanes"]["fulltext"]
    assert [
        "fulltext",
        str(best["rank"]),
        f"{best['score']:.3f}",
        f"{best['evidence']:.3f}",
        f"{best['share']:.0%}",
    ] in rows


def test_weights_presets_and_fusion_are_chosen_by_options(here: Callable[..., Ran]) -> None:
    ran = here("search", "cipher key", "--preset", "rrf", "--weights", "fulltext=2,semantic=0.5", "--explain")
    assert "computed from its ranks in the lanes; weights: fulltext 2, semantic 0.5" in ran.out
    walked = here("search", "cipher key", "--preset", "walk", "--explain")
    assert "combines the evidence of its lanes; weights: fulltext 1, semantic 1, entity 0.25, path 0.01" in walked.out
    assert "path" in {line.split()[0] for line in walked.out.splitlines() if line.split()}
    chosen = json.loads(here("search", "cipher", "--lanes", "fulltext", "--fusion", "rrf", "--json").out)
    assert (chosen["plan"]["lanes"], chosen["plan"]["fusion"]) == (["fulltext"], "rrf")
    assert chosen["hits"][0]["score"] == pytest.approx(1 / 61)


def test_equal_texts_are_one_hit_unless_it_is_turned_off(here: Callable[..., Ran]) -> None:
    for room in ("shed", "attic"):
        assert here("add", "The ladder is red.", "--wing", "house", "--room", room).code == 0
    ran = here("search", "red ladder", "--wing", "house")
    lines = ran.out.splitlines()
    assert [line.split()[0] for line in lines if line[:1].isdigit()] == ["1.", "1"]  # one hit; "1 hit in ..."
    (also,) = [line for line in lines if "also at house > " in line]
    assert "drawer-" in also
    ran = here("search", "red ladder", "--wing", "house", "--no-fold-duplicates")
    assert "2. " in ran.out and "also at" not in ran.out
    answer = printed(here("search", "red ladder", "--wing", "house", "--fold-duplicates", "--json"))
    assert {answer["hits"][0]["room"], answer["hits"][0]["also_at"][0]["room"]} == {"shed", "attic"}


def test_codes_are_wanted_by_an_option(here: Callable[..., Ran]) -> None:
    answer = printed(here("search", "", "--codes", "cpc:H04L9/0861=0.7", "--codes", "ipc:E05B=0.3", "--json"))
    assert answer["plan"]["lanes"] == ["code"]
    assert [hit["closet"] for hit in answer["hits"]][:1] == ["Cipher key update"]
    assert {hit["lanes"]["code"]["score"] for hit in answer["hits"]} == {0.7, 0.3}
    joined = here("search", "hose", "--codes", "ipc:H04L", "--explain")
    assert "weights: fulltext 1, semantic 1, entity 0.25, code 0.5" in joined.out


def test_a_lane_left_out_is_said_before_the_hits(here: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHPALACE_EMBEDDINGS__BASE_URL", NOWHERE)
    ran = here("search", "cipher key")
    assert ran.code == 0, ran.err
    assert ran.out.startswith(f"without semantic the embedding endpoint {NOWHERE}/ failed")
    assert "Cipher key update" in ran.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--preset", "wlak"), "preset is 'wlak'; it must be some of rrf, walk"),
        (("--lanes", "fulltext,smell"), "it must be some of fulltext, semantic, entity, path, code"),
        (("--lanes", "code"), "lanes has 'code', which needs a target_profile"),
        (("--fusion", "cold"), "fusion is 'cold'; it must be some of evidence, rrf"),
        (("--weights", "fulltext"), "--weights is 'fulltext'; write them like fulltext=2,semantic=0.5"),
        (("--weights", "fulltext=much"), "--weights is 'fulltext=much'"),
        (("--weights", "smell=1"), "weights is 'smell'"),
        (("--weights", "fulltext=-1"), "weights.fulltext is -1.0; it must be 0 to 1000"),
        (("--weights", "fulltext=nan"), "weights.fulltext is nan"),
        (("--weights", "fulltext=0,semantic=0"), "weights are 0 for all of fulltext, semantic"),
        (("--codes", "H04L9/32"), "--codes is 'H04L9/32'; write it like cpc:H04L9/32 or ipc:H04L=0.7"),
        (("--codes", "cpc:H04L=much"), "--codes is 'cpc:H04L=much'"),
        (("--codes", "isbn:1"), "target_profile names 'isbn'"),
        (("--codes", "cpc:"), "target_profile.cpc has the code ''"),
        (("--codes", "cpc:H04L=0"), "target_profile.cpc.H04L is 0.0"),
    ],
)
def test_a_wrong_option_is_one_message_and_an_exit_code(
    here: Callable[..., Ran], words: tuple[str, ...], said: str
) -> None:
    ran = here("search", "cipher", *words)
    assert (ran.code, ran.out) == (EXIT["VALIDATION_ERROR"], "")
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_the_last_order_is_asked_for_and_tells_what_it_counted(http: httpx.Client) -> None:
    plain = asked(http, "cipher key")
    assert all(hit["reranked"] is None for hit in plain["hits"])
    answer = asked(http, "cipher key", top_k=3, rerank=True, mmr_lambda=1)
    assert [hit["id"] for hit in answer["hits"]] == [hit["id"] for hit in plain["hits"][:3]]
    assert answer["hits"][0]["reranked"]["dense"] == pytest.approx(1)
    assert all(set(hit["reranked"]) == {"dense", "narrative", "pheromone"} for hit in answer["hits"])
    refused = http.post("/v1/search", json={"query": "cipher", "mmr_lambda": 0.5})
    assert (refused.status_code, "rerank" in refused.text) == (422, True)

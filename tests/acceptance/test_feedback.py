"""Feedback at the doors: what helped is said, seen in the next answers, looked at, taken back and forgotten."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from graphpalace.app import GraphPalace
from graphpalace.error_codes import EXIT
from graphpalace.settings.load import Settings
from tests.acceptance.commands import Ran, environ_of
from tests.acceptance.served import changed, failure, served, until
from tests.spare_palaces import spare_name

TEXTS = {
    "bread": "Sourdough bread needs a starter that is fed every day with flour and water.",
    "soup": "Lentil soup simmers for an hour with bay leaf and onion.",
    "oven": "Preheat the oven with a stone, and steam the first ten minutes.",
    "roses": "Prune roses in winter, above an outward facing bud.",
    "compost": "Compost turns kitchen scraps into soil for the garden.",
}
GARDEN = {"roses", "compost"}
QUERY = "how do I keep my kitchen going with flour"


@pytest.fixture
def own(settings: Settings) -> Settings:
    return changed(settings, palace={"name": spare_name()}, decay={"enabled": False})


@pytest.fixture
def http(own: Settings) -> Iterator[httpx.Client]:
    with served(own) as client:
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


@pytest.fixture
def drawers(http: httpx.Client) -> dict[str, str]:
    """Ids by what the drawers are about."""
    return {
        name: http.post("/v1/drawers", json={"text": text, "wing": "garden" if name in GARDEN else "kitchen"}).json()[
            "id"
        ]
        for name, text in TEXTS.items()
    }


def asked(http: httpx.Client, query: str = QUERY, **more: Any) -> dict[str, Any]:
    response = http.post("/v1/search", json={"query": query} | more)
    assert response.status_code == 200, response.text
    return response.json()


def order(answer: dict[str, Any]) -> list[str]:
    return [hit["id"] for hit in answer["hits"]]


def told(http: httpx.Client, **body: Any) -> dict[str, Any]:
    response = http.post("/v1/feedback", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def test_what_helped_comes_up_is_explained_listed_and_can_be_taken_back(
    http: httpx.Client, drawers: dict[str, str]
) -> None:
    first = asked(http)
    assert all(hit["taught"] is None for hit in first["hits"])
    last, best = order(first)[-1], order(first)[0]
    given = told(http, run=first["run"], useful=[last], useless=[{"id": best, "reward": 0.5}])
    assert (given["fresh"], given["useful"], given["useless"]) == (True, 1, 1)

    again = asked(http)
    hit = next(hit for hit in again["hits"] if hit["id"] == last)
    taught = hit["taught"]
    assert taught["rank"] == len(first["hits"])
    assert 0.15 < taught["memory"] < 0.3  # .2, and what follows of it: the question is moved towards other drawers
    parts = sum(taught[part] for part in ("question", "lanes", "memory", "others", "bound"))
    assert hit["score"] == pytest.approx(taught["score"] + parts)
    lowered = next(hit["taught"] for hit in again["hits"] if hit["id"] == best)
    assert -0.2 < lowered["memory"] < 0
    assert order(again) != order(first)
    unlearned = asked(http, unlearned=True)
    assert order(unlearned) == order(first)
    assert [hit["score"] for hit in unlearned["hits"]] == [hit["score"] for hit in first["hits"]]

    row = http.get("/v1/feedback").json()[0]
    assert (row["id"], row["query"], row["search"], row["source"]) == (given["id"], QUERY, first["run"], "given")
    assert (row["useful"], row["useless"]) == ([{"drawer": last, "reward": 1}], [{"drawer": best, "reward": 0.5}])
    assert http.delete(f"/v1/feedback/{given['id']}").status_code == 204
    assert order(asked(http)) == order(first)
    assert http.get("/v1/feedback").json() == []
    failure(http.delete(f"/v1/feedback/{given['id']}"), 404, "NOT_FOUND")
    assert told(http, run=first["run"], useful=[last], useless=[{"id": best, "reward": 0.5}])["fresh"]  # and given anew


def test_a_search_that_is_not_kept_answers_alike_and_takes_no_feedback(
    http: httpx.Client, drawers: dict[str, str]
) -> None:
    typed, kept = asked(http, kept=False), asked(http)
    assert [hit["id"] for hit in typed["hits"]] == [hit["id"] for hit in kept["hits"]]
    useful = {"useful": [drawers["bread"]]}
    failure(http.post("/v1/feedback", json=useful | {"run": typed["run"]}), 404, "NOT_FOUND")
    assert http.post("/v1/feedback", json=useful | {"run": kept["run"]}).status_code == 200


def test_the_same_feedback_is_counted_once(http: httpx.Client, drawers: dict[str, str]) -> None:
    run = asked(http)["run"]
    first = told(http, run=run, useful=[drawers["soup"]])
    assert told(http, run=run, useful=[{"id": drawers["soup"], "reward": 1}]) == first | {"fresh": False}
    mine = told(http, run=run, useful=[drawers["oven"]], id="ticket 7")
    assert told(http, query="another", useful=[drawers["soup"]], id="ticket 7")["id"] == mine["id"]
    assert len(http.get("/v1/feedback").json()) == 2


def test_any_service_takes_it_and_every_service_knows_it_also_after_a_restart(own: Settings) -> None:
    with served(own) as first:
        for name, text in TEXTS.items():
            first.post("/v1/drawers", json={"text": text, "wing": name}).raise_for_status()
        answer = asked(first)
        with served(own) as second:
            body = {"run": answer["run"], "useful": [order(answer)[-1]]}
            until(lambda: second.post("/v1/feedback", json=body).status_code == 200, seconds=10)  # it is written soon
            learned = order(asked(second))
            assert learned != order(answer)
            assert order(asked(first)) == learned
    with served(own) as restarted:
        assert order(asked(restarted)) == learned
        assert told(restarted, **body)["fresh"] is False
        restarted.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


async def test_after_the_run_has_expired_the_question_will_do(
    app: GraphPalace, http: httpx.Client, own: Settings, drawers: dict[str, str]
) -> None:
    run = asked(http)["run"]
    with served(own) as other:
        until(lambda: other.get(f"/v1/drawers/{drawers['soup']}", params={"run": run}).status_code == 200, seconds=10)
    await app.database.write(own.palace.name, "tests/expire_searches")
    asked(http, "the next search sweeps")
    with served(own) as other:

        def gone() -> bool:
            return other.post("/v1/feedback", json={"run": run, "useful": [drawers["soup"]]}).status_code == 404

        until(gone, seconds=10)
        refused = other.post("/v1/feedback", json={"run": run, "useful": [drawers["soup"]]})
        assert "give the question instead" in failure(refused, 404, "NOT_FOUND")["message"]
        assert told(other, query=QUERY, wing="kitchen", useful=[drawers["oven"]])["fresh"]

    def remembered() -> bool:  # what is learned may be a moment old where a fit takes long
        taught = {hit["id"]: hit["taught"] for hit in asked(http)["hits"]}
        return taught[drawers["oven"]]["memory"] > 0.15

    until(remembered, seconds=20)


def test_opening_a_drawer_that_was_found_is_a_weak_sign_counted_once(
    http: httpx.Client, drawers: dict[str, str]
) -> None:
    answer = asked(http, top_k=2)
    shown, other = order(answer)[0], next(iter(set(drawers.values()) - set(order(answer))))
    assert http.get(f"/v1/drawers/{shown}").json()["counted"] is None
    for _ in range(3):
        opened = http.get(f"/v1/drawers/{shown}", params={"run": answer["run"]}).json()
        assert (opened["id"], opened["counted"]) == (shown, True)
    assert http.get(f"/v1/drawers/{other}", params={"run": answer["run"]}).json()["counted"] is False
    rows = http.get("/v1/feedback").json()
    assert [(row["source"], row["useful"]) for row in rows] == [("opened", [{"drawer": shown, "reward": 0.2}])]
    gone = http.get(f"/v1/drawers/{shown}", params={"run": "search-000000000000"})
    assert "give the question" in failure(gone, 404, "NOT_FOUND")["message"]


def test_a_wing_can_be_looked_at_and_forgotten_by_its_name(http: httpx.Client, drawers: dict[str, str]) -> None:
    nothing = http.get("/v1/learned").json()
    assert (nothing["lessons"], nothing["learns_from"], nothing["question_cosine"]) == (0, None, None)
    for query, helped in (("a starter", "bread"), ("an onion", "soup"), ("a bud", "roses")):
        told(http, run=asked(http, query)["run"], useful=[drawers[helped]])
    kitchen = http.get("/v1/learned", params={"wing": "kitchen"}).json()
    assert (kitchen["wing"], kitchen["lessons"], kitchen["questions"], kitchen["needed"]) == ("kitchen", 2, 2, 10)
    assert (kitchen["learns_from"], kitchen["lessons_used"]) == ("palace", 3)
    assert 0 < kitchen["question_cosine"] < 1
    assert {row["wing"] for row in kitchen["lanes"]} == {"kitchen"}
    assert {row["wing"] for row in http.get("/v1/learned").json()["lanes"]} == {"kitchen", "garden"}
    assert len(http.get("/v1/feedback", params={"wing": "garden"}).json()) == 1
    assert len(http.get("/v1/feedback", params={"limit": 2}).json()) == 2
    assert http.delete("/v1/learned", params={"wing": "kitchen"}).json() == {"forgotten": 2}
    assert http.get("/v1/learned", params={"wing": "kitchen"}).json()["lanes"] == []
    assert [row["query"] for row in http.get("/v1/feedback").json()] == ["a bud"]
    assert http.delete("/v1/learned").json() == {"forgotten": 1}
    assert all(hit["taught"] is None for hit in asked(http, "a bud")["hits"])


def test_wrong_feedback_is_refused_and_nothing_is_kept(http: httpx.Client, drawers: dict[str, str]) -> None:
    run, soup = asked(http)["run"], drawers["soup"]
    for body, status, code, said in (
        ({"run": run, "useful": [{"id": soup, "reward": -50}]}, 422, "VALIDATION_ERROR", "a reward of -50"),
        ({"run": run, "useful": [{"id": soup, "reward": 0}]}, 422, "VALIDATION_ERROR", "above 0, and at most 1"),
        ({"run": run, "useless": [{"id": soup, "reward": 1.1}]}, 422, "VALIDATION_ERROR", "useless gives"),
        ({"run": run, "useful": [soup, soup]}, 422, "VALIDATION_ERROR", "twice"),
        ({"run": run, "useful": [soup], "useless": [soup]}, 422, "VALIDATION_ERROR", "both useful and useless"),
        ({"run": run}, 422, "VALIDATION_ERROR", "at least one drawer"),
        ({"useful": [soup]}, 422, "VALIDATION_ERROR", "either the run of a search or its question"),
        ({"run": run, "query": "both", "useful": [soup]}, 422, "VALIDATION_ERROR", "leave out query, wing, room"),
        ({"run": run, "wing": "kitchen", "useful": [soup]}, 422, "VALIDATION_ERROR", "leave out query, wing, room"),
        ({"query": QUERY, "wing": "attic", "useful": [soup]}, 404, "NOT_FOUND", "wing 'attic'"),
        ({"run": run, "useful": [soup, "drawer-none"]}, 404, "NOT_FOUND", "drawer-none: not in palace"),
        ({"run": "search-none", "useful": [soup]}, 404, "NOT_FOUND", "give the question instead"),
        ({"run": run, "useful": [soup], "palace": "nosuch"}, 404, "NOT_FOUND", "nosuch"),
        ({"run": run, "useful": [soup], "success": 1}, 422, "VALIDATION_ERROR", "success"),
    ):
        assert said in failure(http.post("/v1/feedback", json=body), status, code)["message"]
    nan = http.post(
        "/v1/feedback",
        content=f'{{"run": "{run}", "useful": [{{"id": "{soup}", "reward": NaN}}]}}',
        headers={"Content-Type": "application/json"},
    )
    failure(nan, 422, "VALIDATION_ERROR")
    for path in ("feedback", "learned"):
        failure(http.get(f"/v1/{path}", params={"wing": "attic"}), 404, "NOT_FOUND")
    failure(http.get("/v1/feedback", params={"limit": 201}), 422, "VALIDATION_ERROR")
    failure(http.delete("/v1/learned", params={"palace": "nosuch"}), 404, "NOT_FOUND")
    assert http.get("/v1/feedback").json() == []
    assert all(hit["taught"] is None for hit in asked(http)["hits"])


@pytest.fixture
def environ(neo4j_settings: dict[str, object]) -> dict[str, str]:
    return environ_of(neo4j_settings, spare_name())


@pytest.fixture
def cli(here: Callable[..., Ran], environ: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Ran]]:
    """Run `graphpalace` in this process, on a palace with the texts in it."""
    notes = tmp_path / "notes"
    notes.mkdir()
    for name, text in TEXTS.items():
        (notes / f"{name}.md").write_text(text)
    assert here("ingest", notes, "--wing", "home").code == 0
    yield here
    assert here("palace", "drop", environ["GRAPHPALACE_PALACE__NAME"], "--yes").code == 0


def test_commands_teach_explain_list_take_back_and_forget(cli: Callable[..., Ran]) -> None:
    plain = cli("search", QUERY)
    assert "; run search-" in plain.out
    answer = json.loads(cli("search", QUERY, "--json").out)
    last = len(answer["hits"])
    kept = cli("feedback", answer["run"], "--useful", str(last), "--useless", answer["hits"][0]["id"])
    assert kept.code == 0, kept.err
    assert kept.out.endswith("stored: 1 useful, 1 useless\n")
    assert "was given before" in cli("feedback", answer["run"], "--useful", str(last), "--useless", "1").out

    explained = cli("search", QUERY, "--explain")
    learned = [line for line in explained.out.splitlines() if "learned: question map" in line]
    assert len(learned) == last
    before = rf"similar questions \+0\.\d+, other questions \S+, limit \S+; without learning: rank {last}, score "
    assert any(re.search(before, line) for line in learned)
    again = json.loads(cli("search", QUERY, "--json").out)
    unlearned = json.loads(cli("search", QUERY, "--unlearned", "--json").out)
    assert order(unlearned) == order(answer) != order(again)
    assert "learned:" not in cli("search", QUERY, "--unlearned", "--explain").out

    weak = cli(
        "feedback", "--question", "where do scraps go", "--useful", order(answer)[0], "--reward", "0.5", "--json"
    )
    assert json.loads(weak.out)["fresh"]
    keyed = (
        "feedback",
        "--question",
        "where do scraps go",
        "--useful",
        order(answer)[0],
        "--reward",
        "0.5",
        "--key",
        "7",
    )
    assert [json.loads(cli(*keyed, "--json").out)["fresh"] for _ in range(2)] == [True, False]
    cli("feedback", "--take-back", json.loads(cli(*keyed, "--json").out)["id"])
    listed = cli("feedback", "--list", "--wing", "home").out
    ids = {row["id"] for row in json.loads(cli("feedback", "--list", "--wing", "home", "--json").out)}
    assert {line.split()[0] for line in listed.splitlines()[1:]} == ids  # whole, to be pasted into --take-back
    assert QUERY in listed
    assert "where do scraps go" in listed
    rows = json.loads(cli("feedback", "--list", "--limit", "1", "--json").out)
    assert [row["useful"][0]["reward"] for row in rows] == [0.5]
    assert "taken back" in cli("feedback", "--take-back", rows[0]["id"]).out

    shown = cli("learned", "--wing", "home").out
    assert "wing home: 1 lesson on 1 question" in shown
    assert "until the wing itself has lessons on 10 questions" in shown
    assert "lane balance       is tried as soon as there are 10 questions" in shown
    state = json.loads(cli("learned", "--json").out)
    assert (state["lessons"], state["learns_from"], state["lane_trial"]) == (1, "palace", None)
    assert "1 feedback forgotten" in cli("learned", "--wing", "home", "--reset", "--yes").out
    assert "nothing was learned yet" in cli("learned").out
    assert cli("feedback", "--list").out == "there is no feedback\n"


def test_a_number_without_a_run_is_a_hit_of_the_last_answer(cli: Callable[..., Ran]) -> None:
    cli("search", "something else")
    answer = json.loads(cli("search", QUERY, "--json").out)
    given = json.loads(cli("feedback", "--useful", "2", "--useless", "1", "--json").out)
    (listed,) = json.loads(cli("feedback", "--list", "--json").out)
    assert (listed["id"], listed["query"]) == (given["id"], QUERY)
    assert listed["useful"][0]["drawer"] == answer["hits"][1]["id"]
    assert listed["useless"][0]["drawer"] == answer["hits"][0]["id"]
    assert "was given before" in cli("feedback", answer["run"], "--useful", "2", "--useless", "1").out
    cli("feedback", "--take-back", given["id"])
    refused = cli("feedback", "--useful", "99")
    assert (refused.code, refused.out) == (EXIT["VALIDATION_ERROR"], "")
    assert "hit is 99; the last answer has the hits 1 to" in refused.err


def test_a_wrong_command_is_one_message_and_an_exit_code(cli: Callable[..., Ran]) -> None:
    answer = json.loads(cli("search", QUERY, "--json").out)
    run, best = answer["run"], answer["hits"][0]["id"]
    for words, code, said in (
        ((), "VALIDATION_ERROR", "give RUN or --question"),
        ((run, "--list"), "VALIDATION_ERROR", "give RUN or --question"),
        (
            (run, "--question", "both", "--useful", best),
            "VALIDATION_ERROR",
            "either the run of a search or its question",
        ),
        ((run,), "VALIDATION_ERROR", "at least one drawer"),
        (("--useful", best), "VALIDATION_ERROR", "either the run of a search or its question"),
        ((run, "--useful", "99"), "VALIDATION_ERROR", f"--useful is 99; the answer of {run} has"),
        ((run, "--useless", "0"), "VALIDATION_ERROR", "--useless is 0"),
        (("--question", "x", "--useful", "1"), "VALIDATION_ERROR", "a number of a hit needs the RUN"),
        ((run, "--useful", best, "--reward", "-50"), "VALIDATION_ERROR", "a reward of -50"),
        ((run, "--useful", best, "--reward", "nan"), "VALIDATION_ERROR", "a reward of nan"),
        ((run, "--useful", best, "--wing", "home"), "VALIDATION_ERROR", "--wing can only be used with"),
        ((run, "--useful", best, "--useless", "1"), "VALIDATION_ERROR", "both useful and useless"),
        (("search-none", "--useful", best), "NOT_FOUND", "give the question instead"),
        (("--take-back", "feedback-none"), "NOT_FOUND", "there is no feedback 'feedback-none'"),
        (("--list", "--wing", "attic"), "NOT_FOUND", "wing 'attic'"),
        (("--list", "--limit", "0"), "VALIDATION_ERROR", "limit is 0"),
    ):
        ran = cli("feedback", *words)
        assert (ran.code, ran.out) == (EXIT[code], ""), words
        assert said in ran.err, words
    assert cli("learned", "--wing", "attic").code == EXIT["NOT_FOUND"]
    assert cli("feedback", "--list").out == "there is no feedback\n"

"""Two services of one database behind one address that sends each connection to the next of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from graphpalace.app import GraphPalace
from graphpalace.serve.cli.server.service import decay_beside
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, eventually, served, until
from tests.jobs import SHORT
from tests.slow_wire import slow_wire
from tests.spare_palaces import spare_name

pytestmark = pytest.mark.chaos
_SEEN_S = 2.0
_KEY = "the key of both"
_TEXTS = [f"owls of wood {number} hunt {('mice', 'moles', 'moths')[number % 3]} at night" for number in range(12)]


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    return changed(
        settings,
        palace={"name": spare_name()},
        service={"api_key": SecretStr(_KEY)},
        decay={"cycle_seconds": 0.5},
        pheromones={"decay_interval_cycles": 2},
    )


@pytest.fixture(scope="module")
def both(own: Settings) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    """The two services, each with its scheduler; the palace has some texts."""
    with ExitStack() as stack:
        companions = (partial(decay_beside, own),)
        one, other = (stack.enter_context(served(own, companions=companions)) for _ in range(2))
        for text in _TEXTS:
            one.post("/v1/drawers", json={"text": text, "wing": "w"}).raise_for_status()
        yield one, other
        one.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


@pytest.fixture(scope="module")
def address(both: tuple[httpx.Client, httpx.Client]) -> Iterator[httpx.Client]:
    """A client that opens a connection for each request, so that one service answers after the other."""
    with slow_wire(*(client.base_url.port or 0 for client in both)) as wire:
        each_anew = httpx.Limits(max_keepalive_connections=0)
        headers = {"Authorization": f"Bearer {_KEY}"}
        with httpx.Client(
            base_url=f"http://127.0.0.1:{wire.port}", headers=headers, limits=each_anew, timeout=60
        ) as client:
            yield client


def _found(client: httpx.Client, query: str = "which owls hunt moles") -> list[tuple[str, float]]:
    answer = client.post("/v1/search", json={"query": query, "wing": "w"}).raise_for_status().json()
    return [(hit["id"], round(hit["score"], 6)) for hit in answer["hits"]]


def _ids(client: httpx.Client, query: str) -> list[str]:
    """Return what is found without scores, in which trails fade meanwhile."""
    return [found for found, _ in _found(client, query)]


def test_both_give_the_same_answers_and_know_at_once_what_the_other_has_stored(
    address: httpx.Client, both: tuple[httpx.Client, httpx.Client]
) -> None:
    first = _found(address)
    assert first
    assert [_found(address) for _ in range(4)] == [first] * 4
    assert _found(both[0]) == _found(both[1]) == first
    for number in range(6):
        text = f"a heron number {number} stands in the pond"
        added = address.post("/v1/drawers", json={"text": text, "wing": "w"}).raise_for_status().json()["id"]
        for _ in both:  # one after the other
            assert _ids(address, text)[0] == added


def test_feedback_and_forgetting_at_one_are_seen_at_the_other_within_two_seconds(
    address: httpx.Client, both: tuple[httpx.Client, httpx.Client]
) -> None:
    one, other = both
    answer = one.post("/v1/search", json={"query": "moths at night", "wing": "w"}).raise_for_status().json()
    judged = answer["hits"][3]["id"]
    given = one.post("/v1/feedback", json={"run": answer["run"], "useful": [judged]})
    given.raise_for_status()
    until(lambda: given.json()["id"] in other.get("/v1/feedback").text, seconds=_SEEN_S)
    until(lambda: _ids(one, "moths at night") == _ids(other, "moths at night"), seconds=_SEEN_S)

    assert address.post("/v1/forget", json={"drawers": [judged]}).json()["drawers"] == [judged]
    gone = time.monotonic()
    for client in both:
        until(lambda client=client: judged not in _ids(client, "moths at night"), seconds=_SEEN_S)
        assert client.get(f"/v1/drawers/{judged}").status_code == 404
    print(f"forgotten on both after {time.monotonic() - gone:.2f} s")


def test_an_answer_of_one_can_be_judged_at_the_other_at_once(both: tuple[httpx.Client, httpx.Client]) -> None:
    for turn in range(6):
        asked, judge = both if turn % 2 else both[::-1]
        answer = asked.post("/v1/search", json={"query": "owls of the wood", "wing": "w"}).raise_for_status().json()
        given = judge.post("/v1/feedback", json={"run": answer["run"], "useful": [answer["hits"][0]["id"]]})
        assert given.status_code == 200, given.text


def test_a_new_key_is_good_at_the_other_at_once_and_a_revoked_one_bad_within_two_seconds(
    own: Settings, both: tuple[httpx.Client, httpx.Client]
) -> None:
    one, other = both
    made = one.post("/v1/keys", json={"name": "Ann", "grants": [f"read:{own.palace.name}"]}).raise_for_status().json()
    key = {"Authorization": f"Bearer {made['key']}"}
    until(lambda: other.get("/v1/wings", headers=key).status_code == 200, seconds=_SEEN_S)
    assert other.delete(f"/v1/keys/{made['id']}").status_code == 204
    until(lambda: one.get("/v1/wings", headers=key).status_code == 401, seconds=_SEEN_S)


@pytest.fixture
def explored(address: httpx.Client) -> str:
    """The id of a drawer that has a pheromone."""
    drawer = address.get("/v1/drawers", params={"wing": "w"}).raise_for_status().json()["drawers"][0]["id"]
    address.post("/v1/pheromones/deposit", json={"nodes": [drawer], "kind": "exploration"}).raise_for_status()
    return drawer


async def test_two_schedulers_apply_each_cycle_once(app: GraphPalace, own: Settings, explored: str) -> None:

    async def node() -> dict[str, Any]:
        return (await app.database.read(None, "tests/node", id=explored))[0]["n"]

    before = await node()

    async def faded_often() -> bool:
        return (await node())["pheromone_cycle"] >= before["pheromone_cycle"] + 8

    await eventually(faded_often, seconds=30)
    after = await node()
    left = before["exploration_pheromone"] * 0.95 ** (after["pheromone_cycle"] - before["pheromone_cycle"])
    assert after["exploration_pheromone"] == pytest.approx(left, rel=1e-9)
    assert (await app.pheromones.decay.status(own.palace.name)).last_run is not None


def test_a_simulation_and_a_job_that_are_started_at_the_address_have_one_owner(
    address: httpx.Client, both: tuple[httpx.Client, httpx.Client]
) -> None:
    long = {"query": "owls at night", "num_agents": 10, "max_iterations": 5000, "max_steps_per_s": 50.0, "seed": 1}
    address.post(
        "/v1/mcmp/start", params={"simulation": "two"}, json=long | {"stop_on_convergence": False}
    ).raise_for_status()

    def status(client: httpx.Client) -> dict[str, Any]:
        return client.get("/v1/mcmp/status", params={"simulation": "two"}).raise_for_status().json()

    until(lambda: all(status(client)["state"] == "running" for client in both), seconds=30)
    told = [status(client) for client in both]
    assert told[0]["owner"] == told[1]["owner"]
    assert sorted(one["here"] for one in told) == [False, True]
    stopped = [address.post("/v1/mcmp/stop", params={"simulation": "two"}) for _ in range(2)]
    assert stopped[0].status_code == 200
    assert [status(client)["state"] for client in both] == ["stopped"] * 2

    job = address.post("/v1/mcmp/jobs/start", json=SHORT)
    number = job.raise_for_status().json()["job_id"]

    def done(client: httpx.Client) -> bool:
        return client.get("/v1/mcmp/jobs/status", params={"job_id": number}).json()["status"] == "done"

    for client in both:
        until(lambda client=client: done(client), seconds=120)
    results = [client.get("/v1/mcmp/jobs/status", params={"job_id": number}).json()["results"] for client in both]
    assert results[0] == results[1] != []
    listed = address.get("/v1/mcmp/jobs").raise_for_status().json()["jobs"]
    assert [one["job_id"] for one in listed].count(number) == 1

"""Background jobs at the doors: HTTP and the WebSocket."""

from __future__ import annotations

import json

import httpx
import pytest
from websockets.sync.client import connect

from graphpalace.app import GraphPalace
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, failure, until
from tests.jobs import LONG, QUERY, SHORT, furnish_twenty
from tests.spare_palaces import spare_name


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings whose palace is used by these tests alone."""
    return changed(
        settings,
        palace={"name": spare_name()},
        simulation={"job_workers": 2},
        decay={"enabled": False},
    )


@pytest.fixture(scope="module")
async def filled(app: GraphPalace, own: Settings) -> str:
    """The name of a palace with twenty drawers."""
    await app.create_palace(own.palace.name)
    await furnish_twenty(app, own.palace.name)
    return own.palace.name


def started(http: httpx.Client, **body: object) -> str:
    answer = http.post("/v1/mcmp/jobs/start", json=SHORT | body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["status"] == "queued"
    return answer.json()["job_id"]


def status(http: httpx.Client, job: str) -> dict:
    return http.get("/v1/mcmp/jobs/status", params={"job_id": job}).raise_for_status().json()


def test_a_job_is_started_followed_to_its_end_and_listed(http: httpx.Client, filled: str) -> None:
    job = started(http)
    until(lambda: status(http, job)["status"] == "done", seconds=120)
    ended = status(http, job)
    assert ended["seed"] == SHORT["seed"]
    assert (ended["progress"], ended["error"], ended["query"], ended["palace"]) == (1, None, QUERY, filled)
    assert [set(shard) for shard in ended["shards"]] == [{"documents", "step", "over"}] * 3
    assert set(ended["results"][0]) == {"id", "score", "similarity", "visits", "keywords", "path", "snippet"}
    listed = http.get("/v1/mcmp/jobs").raise_for_status().json()["jobs"]
    assert {one["job_id"]: (one["status"], one["progress"]) for one in listed}[job] == ("done", 1)
    assert [one["created_at"] for one in listed] == sorted((one["created_at"] for one in listed), reverse=True)


def test_the_watchers_of_a_simulation_are_told_of_each_slice_of_its_jobs(http: httpx.Client) -> None:
    url = str(http.base_url).replace("http://", "ws://")
    told: list[dict] = []
    with connect(f"{url}/v1/mcmp/ws?simulation=watched") as socket:
        job = http.post("/v1/mcmp/jobs/start?simulation=watched", json=LONG).json()["job_id"]
        while not told or told[-1]["status"] in ("queued", "running"):
            message = json.loads(socket.recv(timeout=120))
            if message["type"] == "job_progress":
                told.append(message["data"])
    assert {one["job_id"] for one in told} == {job}
    assert (told[-1]["status"], told[-1]["progress"]) == ("done", 1)
    progress = [one["progress"] for one in told]
    assert progress == sorted(progress)
    assert any(0 < share < 1 for share in progress)
    assert told[-1]["results"] == status(http, job)["results"]


def test_a_job_is_cancelled(http: httpx.Client) -> None:
    job = started(http, max_iterations=5000)
    answer = http.post("/v1/mcmp/jobs/cancel", json={"job_id": job})
    assert (answer.status_code, answer.json()) == (200, {"job_id": job, "status": "cancelled"})
    assert status(http, job)["status"] == "cancelled"


def test_what_is_wrong_is_refused_by_name(http: httpx.Client) -> None:
    error = failure(http.post("/v1/mcmp/jobs/start", json={"num_agents": 0}), 422, "VALIDATION_ERROR")
    assert "num_agents" in json.dumps(error)
    failure(http.post("/v1/mcmp/jobs/start", json={"query": "x", "deposit": True}), 422, "VALIDATION_ERROR")
    failure(http.get("/v1/mcmp/jobs/status", params={"job_id": "job-0"}), 404, "NOT_FOUND")
    failure(http.post("/v1/mcmp/jobs/cancel", json={"job_id": "job-0"}), 404, "NOT_FOUND")
    failure(http.get("/v1/mcmp/jobs/status"), 422, "VALIDATION_ERROR")
    assert "nope" in failure(http.get("/v1/mcmp/jobs?palace=nope"), 404, "NOT_FOUND")["message"]


def test_a_job_without_a_seed_says_which_one_gives_it_again(http: httpx.Client, filled: str) -> None:
    job = started(http, seed=None)
    until(lambda: status(http, job)["status"] == "done", seconds=120)
    seed = status(http, job)["seed"]
    again = started(http, seed=seed)
    until(lambda: status(http, again)["status"] == "done", seconds=120)
    assert status(http, again)["results"] == status(http, job)["results"]

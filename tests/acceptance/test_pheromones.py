"""Warm and cold places at the doors: HTTP and the command line show the same."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import httpx
import pytest

from graphpalace.app import GraphPalace
from graphpalace.error_codes import EXIT
from graphpalace.settings.load import Settings
from tests.acceptance.commands import Ran, environ_of
from tests.acceptance.served import changed, failure, served
from tests.spare_palaces import spare_name
from tests.walks import furnish, way_to

BREAD = "knead the dough for ten minutes"


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings whose palace is used by these tests alone."""
    return changed(settings, palace={"name": spare_name()}, decay={"enabled": False})


@pytest.fixture(scope="module")
async def warm(app: GraphPalace, own: Settings) -> str:
    """A palace in which one way was rewarded twice."""
    name = own.palace.name
    await app.create_palace(name)
    drawers = await furnish(app, name)
    trail = way_to(await app.replica.snapshots.get(name), drawers[BREAD])
    for number in range(2):
        await app.pheromones.deposits.path_success(name, trail, deposit_id=str(number))
    return name


@pytest.fixture(scope="module")
def http(own: Settings, warm: str) -> Iterator[httpx.Client]:
    with served(own) as client:
        yield client
        client.delete(f"/v1/palaces/{warm}?confirm={warm}").raise_for_status()


@pytest.fixture
def environ(neo4j_settings: dict[str, object], warm: str) -> dict[str, str]:
    return environ_of(neo4j_settings, warm)


@pytest.fixture
def cli(here: Callable[..., Ran]) -> Callable[..., Ran]:
    """Run `graphpalace pheromones` in this process."""
    return partial(here, "pheromones")


def seen(http: httpx.Client, what: str, **params: Any) -> dict[str, Any]:
    response = http.get(f"/v1/pheromones/{what}", params=params)
    assert response.status_code == 200, response.text
    return response.json()


@pytest.mark.parametrize("what", ["status", "hot", "cold"])
def test_both_doors_show_the_same(http: httpx.Client, cli: Callable[..., Ran], what: str) -> None:
    code, out, err = cli(what, "--json")
    assert code == 0, err
    assert json.loads(out) | {"next_cycle_at": 0} == seen(http, what) | {"next_cycle_at": 0}


def test_hot_and_cold_places_are_shown_with_names_and_figures(http: httpx.Client) -> None:
    status = seen(http, "status")
    assert {each["name"]: each["carriers"] for each in status["pheromones"]} == {
        "exploitation": 4,
        "exploration": 0,
        "success": 3,
        "traversal": 3,
        "recency": 3,
    }
    hot = seen(http, "hot", limit=2)
    assert [edge["type"] for edge in hot["edges"]] == ["HAS_ROOM", "HAS_CLOSET"]
    assert hot["edges"][0]["target"]["place"] == ["kitchen", "bread"]
    assert hot["edges"][0]["current_cost"] < hot["edges"][0]["base_cost"]
    assert len(hot["nodes"]) == 2
    assert seen(http, "hot", kind="node")["edges"] == []
    assert seen(http, "hot", wing="garden") | {"cycle": 0} == {
        "palace": hot["palace"],
        "cycle": 0,
        "edges": [],
        "nodes": [],
    }
    assert [row["node"]["place"][-1] for row in seen(http, "cold", wing="kitchen")["places"]] == ["tools", "bread"]
    assert len(seen(http, "cold", kind="drawer", limit=200)["places"]) == 8


def test_tables_are_for_people(cli: Callable[..., Ran], warm: str) -> None:
    _, status, _ = cli("status")
    assert f"palace {warm}, cycle 0 of 3600 s" in status
    assert "69.0 cycles" in status
    _, hot, _ = cli("hot")
    assert "kitchen > bread" in hot
    assert BREAD in hot
    _, cold, _ = cli("cold", "--kind", "drawer", "--limit", "3")
    assert "roses need pruning in spring" in cold
    assert cold.count("\n") == 4


def test_what_cannot_be_shown_is_refused_at_both_doors(http: httpx.Client, cli: Callable[..., Ran]) -> None:
    for words, params, status, code, said in (
        (("hot", "--wing", "attic"), {"wing": "attic"}, 404, "NOT_FOUND", "wing 'attic' is not in palace"),
        (("hot", "--palace", "nosuch"), {"palace": "nosuch"}, 404, "NOT_FOUND", "there is no palace 'nosuch'"),
        (("hot", "--palace", "No"), {"palace": "No"}, 422, "VALIDATION_ERROR", "palace is 'No'"),
        (("hot", "--kind", "wall"), {"kind": "wall"}, 422, "VALIDATION_ERROR", "kind is 'wall'"),
        (("cold", "--kind", "node"), {"kind": "node"}, 422, "VALIDATION_ERROR", "kind is 'node'"),
        (("cold", "--limit", "201"), {"limit": 201}, 422, "VALIDATION_ERROR", "limit is "),
        (("status", "--palace", "nosuch"), {"palace": "nosuch"}, 404, "NOT_FOUND", "there is no palace 'nosuch'"),
    ):
        exit_code, out, err = cli(*words)
        assert exit_code == EXIT[code], out + err
        assert said in err
        error = failure(http.get(f"/v1/pheromones/{words[0]}", params=params), status, code)
        assert said in error["message"]


def test_looking_at_pheromones_does_not_wait_for_torch(environ: dict[str, str], warm: str) -> None:
    code = (
        "import sys; from graphpalace.serve.cli.application import app\n"
        f"app(['pheromones', 'hot', '--palace', '{warm}'], standalone_mode=False)\n"
        "assert 'torch' not in sys.modules"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False, timeout=100
    )
    assert ran.returncode == 0, ran.stderr
    assert "kitchen > bread" in ran.stdout


def test_what_to_know_now_is_the_same_at_both_doors(http: httpx.Client, here: Callable[..., Ran]) -> None:
    told = http.get("/v1/wake-up", params={"wing": "kitchen", "budget_bytes": 600, "agent": "ann"}).json()
    assert (told["wing"], told["agent"], told["budget_bytes"]) == ("kitchen", "ann", 600)
    assert told["text"].startswith(f'# What to know now: wing "kitchen"\n## Helped lately\n- "{BREAD}" [')
    assert told["lines"][0]["part"] == "helped"
    shown = here("wake-up", "--wing", "kitchen", "--budget-bytes", "600", "--agent", "ann")
    assert (shown.code, shown.out) == (0, told["text"])
    assert json.loads(here("wake-up", "--wing", "kitchen", "--budget-bytes", "600", "--json").out)["agent"] is None

    assert "nowhere" in failure(http.get("/v1/wake-up", params={"wing": "nowhere"}), 404, "NOT_FOUND")["message"]
    for wrong in ({"budget_bytes": 255}, {"budget_bytes": 65_537}, {"budget_bytes": "many"}, {"agent": " "}):
        message = failure(http.get("/v1/wake-up", params=wrong), 422, "VALIDATION_ERROR")["message"]
        assert next(iter(wrong)) in message
    refused = here("wake-up", "--wing", "nowhere")
    assert (refused.code, "'nowhere'" in refused.err) == (EXIT["NOT_FOUND"], True)
    refused = here("wake-up", "--budget-bytes", "255")
    assert refused.code == EXIT["VALIDATION_ERROR"]
    assert "budget_bytes is 255; it must be 256 to 65536" in refused.err

"""What the service gives a browser: the page's files, Plotly, and the routes behind the map."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from graphpalace.app import GraphPalace
from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, failure
from tests.spare_palaces import spare_name
from tests.walks import furnish

WEB = Path(__file__).resolve().parents[2] / "src" / "graphpalace" / "serve" / "web"
FILES = sorted(str(path.relative_to(WEB)) for path in WEB.rglob("*.*"))


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings whose palace is used by these tests alone, with a key."""
    name = spare_name()
    return changed(settings, palace={"name": name}, decay={"enabled": False}, service={"api_key": SecretStr("sesame")})


@pytest.fixture(scope="module")
async def filled(app: GraphPalace, own: Settings) -> str:
    await app.create_palace(own.palace.name)
    await furnish(app, own.palace.name)
    return own.palace.name


@pytest.fixture(scope="module")
def stranger(http: httpx.Client) -> Iterator[httpx.Client]:
    """A client without the key."""
    with httpx.Client(base_url=http.base_url, timeout=60) as client:
        yield client


def test_the_page_is_open_without_a_key_and_what_it_asks_for_is_not(stranger: httpx.Client) -> None:
    assert "<title>GraphPalace</title>" in stranger.get("/").text
    for name in FILES:
        assert stranger.get(f"/web/{name}").content == (WEB / name).read_bytes()
    for path in ("/v1/palaces", "/v1/map", "/v1/pheromones/history", "/docs", "/web"):
        failure(stranger.get(path), 401, "UNAUTHORIZED")


def test_every_file_of_the_page_names_only_files_that_are_there(stranger: httpx.Client) -> None:
    for name in FILES:
        text = (WEB / name).read_text("utf-8")
        asked = re.findall(r'"(/web/[^"]+)"', text)
        asked += [f"/web/js/{other}" for other in re.findall(r'from "\./([^"]+)"', text)]
        for path in asked:
            assert stranger.head(path).status_code == 200, f"{name} asks for {path}"


def test_the_page_lets_nothing_in_from_another_host_and_takes_no_text_for_markup(stranger: httpx.Client) -> None:
    policy = stranger.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert not re.search(r"https?:|\*", policy)
    assert re.search(r"script-src 'self';", policy)  # no script from text, and none in the page itself
    for name in FILES:
        if name.startswith("vendor/"):  # libraries, which name hosts in comments; what they may do is in the policy
            continue
        text = (WEB / name).read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|innerHTML|outerHTML|insertAdjacentHTML|document\.write", text), name


def test_a_file_that_is_known_is_not_sent_again(stranger: httpx.Client) -> None:
    for path in ("/", "/web/js/app.js", "/web/plotly.min.js"):
        first = stranger.get(path)
        assert first.status_code == 200
        again = stranger.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    types = [
        stranger.head(path).headers["content-type"].partition(";")[0] for path in ("/web/js/app.js", "/web/icon.svg")
    ]
    assert types == ["text/javascript", "image/svg+xml"]


@pytest.mark.parametrize(
    "path", ["nothing.js", "js", "..%2Fhttp%2Fapp.py", "%2e%2e/http/app.py", "js/..%2F..%2Fhttp/app.py"]
)
def test_nothing_but_the_page_is_there(stranger: httpx.Client, path: str) -> None:
    assert stranger.get(f"/web/{path}").status_code in (401, 404)  # 401: it is not below /web


def test_the_map_and_the_history_are_given_as_the_operations_draw_them(http: httpx.Client, filled: str) -> None:
    drawn = http.get("/v1/map").json()
    assert (drawn["palace"], [wing["name"] for wing in drawn["wings"]]) == (filled, ["garden", "kitchen"])
    assert {name for wing in drawn["wings"] for name in wing["strength"]} == {
        "exploitation", "exploration", "success", "traversal", "recency",
    }  # fmt: skip
    assert http.get("/v1/pheromones/history").json() == {"palace": filled, "samples": []}
    http.post("/v1/decay").raise_for_status()
    (sample,) = http.get("/v1/pheromones/history", params={"limit": 1}).json()["samples"]
    assert (sample["cycle"], sample["success"]) == (0, 0)
    for path in ("/v1/map", "/v1/pheromones/history"):
        failure(http.get(path, params={"palace": "nosuch"}), 404, "NOT_FOUND")
        failure(http.get(path, params={"palace": "No"}), 422, "VALIDATION_ERROR")
    assert (
        "limit" in failure(http.get("/v1/pheromones/history", params={"limit": 0}), 422, "VALIDATION_ERROR")["message"]
    )

"""`graphpalace page`: a link works once and opens the page, which then works by a cookie of no use to other pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr
from selenium.webdriver.remote.webdriver import WebDriver
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from graphpalace.settings.load import Settings
from tests.acceptance.served import changed, failure, served
from tests.acceptance.web_page import Page
from tests.spare_palaces import spare_name


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings with a key, whose palace is used by these tests alone."""
    name = spare_name()
    return changed(settings, palace={"name": name}, decay={"enabled": False}, service={"api_key": SecretStr("sesame")})


@pytest.fixture(scope="module")
def http(own: Settings) -> Iterator[httpx.Client]:
    """A client with the key."""
    with served(own) as client:
        client.post("/v1/drawers", json={"text": "a sharp knife", "wing": "kitchen"}).raise_for_status()
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


@pytest.fixture
def link(http: httpx.Client) -> str:
    """A new link."""
    made = http.post("/page/links").json()
    assert made["valid_s"] == 600
    return str(http.base_url) + made["path"]


@pytest.fixture
def visitor(http: httpx.Client, link: str) -> Iterator[httpx.Client]:
    """A client without the key that followed a link."""
    with httpx.Client(base_url=http.base_url, timeout=60) as client:
        came = client.get(link)
        assert (came.status_code, came.headers["location"]) == (303, "/")
        assert came.headers["cache-control"] == "no-store"
        (cookie,) = came.headers.get_list("set-cookie")
        assert {"HttpOnly", "Path=/", "SameSite=strict"} <= {part.strip() for part in cookie.split(";")}
        yield client


def socket_of(client: httpx.Client) -> str:
    """Return the address of the WebSocket."""
    return str(client.base_url.copy_with(scheme="ws")).rstrip("/") + "/v1/mcmp/ws"


def test_who_followed_a_link_may_do_what_the_page_does(visitor: httpx.Client) -> None:
    for path in ("/", "/v1/palaces", "/docs", "/openapi.json", "/metrics"):
        assert visitor.get(path).status_code == 200, path
    assert visitor.post("/v1/search", json={"query": "sharp"}).json()["hits"]
    cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    with connect(socket_of(visitor), additional_headers={"Cookie": cookie}) as socket:
        assert '"hello"' in str(socket.recv(timeout=30))


def test_the_cookie_is_not_for_programs(visitor: httpx.Client) -> None:
    failure(visitor.post("/mcp", json={}), 401, "UNAUTHORIZED")
    failure(visitor.post("/page/links"), 401, "UNAUTHORIZED")


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "http://127.0.0.1:1"}]
)
def test_a_page_of_another_origin_gets_nothing_by_the_cookie(visitor: httpx.Client, headers: dict[str, str]) -> None:
    failure(visitor.get("/v1/palaces", headers=headers), 403, "FORBIDDEN")
    failure(visitor.delete("/v1/wings/kitchen", headers=headers), 403, "FORBIDDEN")
    failure(visitor.get("/v1/palaces", headers={"Host": "evil.example"}), 421, "MISDIRECTED")


def test_a_link_that_is_followed_again_ends_what_the_first_one_got(visitor: httpx.Client, link: str) -> None:
    assert visitor.get(link).status_code == 303  # the same browser
    again = httpx.get(link)
    assert (again.status_code, "set-cookie" in again.headers) == (403, False)
    assert "graphpalace page" in again.text
    failure(visitor.get("/v1/palaces"), 401, "UNAUTHORIZED")


def test_without_a_session_a_cookie_and_a_socket_are_refused(http: httpx.Client, visitor: httpx.Client) -> None:
    (name,) = visitor.cookies.keys()
    with httpx.Client(base_url=http.base_url, cookies={name: "guessed"}) as stranger:
        failure(stranger.get("/v1/palaces"), 401, "UNAUTHORIZED")
        assert stranger.get("/page/enter", params={"token": "guessed"}).status_code == 403
        assert stranger.get("/page/enter").status_code == 403
    with pytest.raises(InvalidStatus):
        connect(socket_of(http))


@pytest.mark.browser
def test_a_browser_that_follows_the_link_sees_the_page_without_typing_the_key(
    own: Settings, link: str, http: httpx.Client, tab: WebDriver, tmp_path: Path
) -> None:
    redirect = tmp_path / "page.html"
    redirect.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={link}">')
    tab.get(redirect.as_uri())
    page = Page(tab, str(http.base_url))
    page.wait(lambda: page.text("#connection") == "connected")
    assert "token" not in tab.current_url
    page.remember(own.palace.name)
    page.open("search?q=sharp")
    page.one(".hit")
    assert not page.all("dialog")
    page.open("swarm")
    page.one(".settings .field")  # they come by the WebSocket
    assert page.js("return document.cookie") == ""

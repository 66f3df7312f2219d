"""What a page of somebody else can make a browser do to a service of this machine: nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from selenium import webdriver
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from graphpalace.settings.load import Settings
from tests.acceptance import neo4j_browser as browser
from tests.acceptance.served import changed, failure, served
from tests.spare_palaces import spare_name

FOREIGN = "http://evil.example"
READS = ["/", "/docs", "/openapi.json", "/metrics", "/health/live", "/health/ready", "/v1/palaces", "/web/js/app.js"]
WRITES = ["/v1/decay", *(f"/v1/mcmp/{verb}" for verb in ("reset", "stop", "pause", "resume"))]

# Runs in a page. Each try is of a kind that a browser sends without asking the service first, but the last two.
ATTACK = """
const [target, drawer, done] = arguments;
const kind = "application/json";
const json = JSON.stringify({text: "planted", wing: "evil"});
const tries = {
  decay: () => fetch(`${target}/v1/decay`, {method: "POST", mode: "no-cors"}),
  reset: () => fetch(`${target}/v1/mcmp/reset`, {method: "POST", mode: "no-cors"}),
  planted: () => fetch(`${target}/v1/drawers`, {method: "POST", mode: "no-cors", body: json}),
  opened: () => fetch(`${target}/v1/drawers/${drawer}?run=search-0`, {mode: "no-cors"}),
  read: async () => (await fetch(`${target}/v1/palaces`)).text(),
  socket: () => new Promise((heard, refused) => {
    const socket = new WebSocket(`${target.replace("http", "ws")}/v1/mcmp/ws`);
    socket.onmessage = () => heard("heard");
    socket.onerror = refused;
  }),
  json: () => fetch(`${target}/v1/drawers`, {method: "POST", headers: {"Content-Type": kind}, body: json}),
  removed: () => fetch(`${target}/v1/drawers/${drawer}`, {method: "DELETE"}),
};
(async () => {
  const came = {};
  for (const [name, attempt] of Object.entries(tries)) {
    try { const got = await attempt(); came[name] = got.status ?? got; } catch { came[name] = "refused"; }
  }
  done(came);
})();
"""
FORM = """
document.body.innerHTML = `<form method="post" enctype="text/plain" action="${arguments[0]}/v1/mcmp/reset">
  <input name='{"a' value='":1}'></form>`;
document.forms[0].submit();
"""


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """Settings whose palace is used by these tests alone."""
    return changed(settings, palace={"name": spare_name()}, decay={"enabled": False})


@pytest.fixture(scope="module")
def http(own: Settings) -> Iterator[httpx.Client]:
    with served(own) as client:
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


@pytest.fixture
def drawer(http: httpx.Client) -> str:
    """The id of the only drawer."""
    return http.post("/v1/drawers", json={"text": "mine", "wing": "own"}).json()["id"]


def state(http: httpx.Client) -> tuple[Any, ...]:
    """Return what the attacks try to change."""
    return http.get("/v1/drawers").json(), http.get("/v1/feedback").json(), http.get("/v1/decay").json()["last_run"]


@pytest.fixture
def untouched(http: httpx.Client, drawer: str) -> Iterator[None]:
    """Whatever the test does, the service's palace is afterwards as it was before."""

    before = state(http)
    yield
    assert state(http) == before


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8600", "127.0.0.1.evil.example", "localhost.evil", "10.0.0.1"]
)
def test_no_name_but_those_of_loopback_is_answered(http: httpx.Client, untouched: None, host: str) -> None:
    headers = {"Host": host, "Origin": f"http://{host}"}  # what a browser sends once such a name leads to this machine
    for path in READS:
        assert "allowed_hosts" in failure(http.get(path, headers=headers), 421, "MISDIRECTED")["message"]
    for path in WRITES:
        failure(http.post(path, headers={"Host": host}), 421, "MISDIRECTED")
    failure(http.post("/v1/search", headers=headers, json={"query": "mine"}), 421, "MISDIRECTED")
    failure(http.delete("/v1/wings/own", headers=headers), 421, "MISDIRECTED")


def test_every_answer_is_taken_for_what_it_is_and_runs_nothing(http: httpx.Client) -> None:
    refused = [http.get("/v1/palaces", headers={"Host": "evil.example"}), http.get("/nowhere"), http.post("/v1/search")]
    for response in [*map(http.get, READS), *refused]:
        assert response.headers["x-content-type-options"] == "nosniff"
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.9.9.9:80", "[::1]", "[::1]:8600"])
def test_the_names_of_loopback_are_answered(http: httpx.Client, host: str) -> None:
    assert http.get("/v1/palaces", headers={"Host": host, "Origin": f"http://{host}"}).status_code == 200


@pytest.mark.parametrize("origin", [FOREIGN, "null", "http://localhost:1", "https://127.0.0.1"])
def test_a_page_of_another_origin_does_nothing(http: httpx.Client, untouched: None, origin: str) -> None:
    for path in WRITES:
        failure(http.post(path, headers={"Origin": origin}), 403, "FORBIDDEN")
    failure(http.delete("/v1/wings/own", headers={"Origin": origin}), 403, "FORBIDDEN")
    failure(http.options("/v1/drawers", headers={"Origin": origin}), 403, "FORBIDDEN")
    with pytest.raises(InvalidStatus) as refused:
        connect(f"{http.base_url}/v1/mcmp/ws".replace("http", "ws"), origin=Origin(origin))
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_a_browser_says_of_the_page_counts_where_it_names_no_origin(
    http: httpx.Client, untouched: None, drawer: str, site: str
) -> None:
    image = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    link = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    frame = link | {"Sec-Fetch-Dest": "iframe"}
    opening = f"/v1/drawers/{drawer}?run=search-0"
    for headers, path in ((image, opening), (link, opening), (frame, "/"), (image, "/health/live"), (link, "/mcp")):
        failure(http.get(path, headers=headers), 403, "FORBIDDEN")
    for path in ("/", "/docs"):  # a link that somebody clicks
        assert http.get(path, headers=link).status_code == 200
    for own in ("same-origin", "none"):
        assert http.get("/v1/palaces", headers={"Sec-Fetch-Site": own}).status_code == 200


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
@pytest.mark.parametrize("path", ["/v1/drawers", "/v1/decay", "/v1/mcmp/reset", "/mcp"])
def test_a_body_is_json_or_refused(http: httpx.Client, untouched: None, path: str, kind: str | None) -> None:
    headers = {"Content-Type": kind} if kind else {}
    refused = http.post(path, content=b'{"text": "planted", "wing": "evil"}', headers=headers)
    assert "application/json" in failure(refused, 415, "UNSUPPORTED_MEDIA_TYPE")["message"]


def test_a_name_that_is_configured_is_answered_and_its_page_may_ask(own: Settings) -> None:
    with served(changed(own, service={"allowed_hosts": ["palace.example"]}), ready=False) as client:
        page = {"Origin": "https://palace.example"}
        for host in ("palace.example", "Palace.Example:443", "127.0.0.1"):  # the last one: a proxy that changes Host
            assert client.get("/openapi.json", headers=page | {"Host": host}).status_code == 200
        failure(client.get("/openapi.json", headers={"Host": "evil.example"}), 421, "MISDIRECTED")
        failure(client.get("/openapi.json", headers={"Origin": FOREIGN}), 403, "FORBIDDEN")


class _EmptyPage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>evil</title><body>")

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def evil() -> Iterator[int]:
    """The port of a web server with a page that knows no good."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _EmptyPage)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[webdriver.Chrome]:
    """A browser for which evil.example is a name of this machine."""
    with browser.started(tmp_path / "profile", "--host-resolver-rules=MAP evil.example 127.0.0.1") as driver:
        driver.set_script_timeout(30)
        yield driver


@pytest.mark.browser
@pytest.mark.skipif(not (browser.CHROMIUM and browser.DRIVER), reason="no Chromium with its chromedriver is installed")
def test_in_a_browser_no_page_but_the_services_own_reads_or_does_anything(
    http: httpx.Client,
    own: Settings,
    drawer: str,
    evil: int,
    chromium: webdriver.Chrome,
    request: pytest.FixtureRequest,
) -> None:
    target, port = str(http.base_url).rstrip("/"), http.base_url.port

    def attack(page: str, target: str) -> dict[str, Any]:
        chromium.get(page)
        return chromium.execute_async_script(ATTACK, target, drawer)

    before = state(http)
    opaque = 0  # the status of an answer that the page may not see
    for page in (f"{FOREIGN}:{evil}/", f"http://localhost:{evil}/", f"http://127.0.0.1:{evil}/"):
        came = attack(page, target)
        assert {came[name] for name in ("read", "socket", "json", "removed")} == {"refused"}
        assert {came[name] for name in ("decay", "reset", "planted", "opened")} == {opaque}
        chromium.execute_script(FORM, target)
        browser.WebDriverWait(chromium, 10).until(lambda _: "FORBIDDEN" in chromium.page_source)
        assert state(http) == before
    # Rebinding: the page was loaded from the service's port under a name that leads to this machine by now.
    chromium.get(f"{FOREIGN}:{port}/v1/palaces")
    assert own.palace.name not in chromium.page_source
    chromium.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})  # as a page that did not come from the service
    came = attack(f"{FOREIGN}:{port}/", f"{FOREIGN}:{port}")
    assert came.pop("socket") == "refused"
    assert own.palace.name not in came.pop("read")
    assert set(came.values()) == {421}
    assert state(http) == before
    chromium.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})
    chromium.get(f"{target}/docs")
    browser.when_there(chromium, "#operations-search-search_v1_search_post")  # its policy lets its own scripts run
    complaints = [one["message"] for one in chromium.get_log("browser") if target in one["message"]]
    assert [one for one in complaints if "Content Security Policy" in one] == []
    # The service's own page may do all of it but plant with a body that is not JSON, so the tries are real ones.
    came = attack(f"{target}/docs", target)
    assert own.palace.name in came.pop("read")
    assert came == {
        "decay": 200,
        "reset": 404,
        "planted": 415,
        "opened": 404,
        "socket": "heard",
        "json": 201,
        "removed": 204,
    }
    assert state(http) != before

"""Neo4j Browser, as the managed server brings it, shows a palace and talks to nobody else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlparse

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.managed_neo4j.state import Running
from graphpalace.settings.load import Settings
from tests.acceptance import neo4j_browser as browser

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not (browser.CHROMIUM and browser.DRIVER), reason="no Chromium with its chromedriver is installed"
    ),
]

QUERY = (
    "MATCH p=(:Palace {{name: '{palace}'}})-[:CONTAINS]->(:Wing)-[:HAS_ROOM]->(:Room)-[:HAS_CLOSET]->(:Closet)"
    "-[:HAS_DRAWER]->(:Drawer) RETURN p LIMIT 25"
)


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[webdriver.Chrome]:
    with browser.started(tmp_path / "profile") as driver:
        yield driver


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    texts = {
        "garden/roses.md": "# Roses\n\nPrune roses in winter.\n\n# Hedges\n\nCut hedges after the birds have left.\n",
        "garden/apples.md": "# Apples\n\nThin the apples in June.\n",
        "kitchen/bread.md": "# Bread\n\nSourdough needs a starter.\n",
        "kitchen/soup.md": "# Soup\n\nLentils simmer for half an hour.\n",
        "cellar/cider.md": "# Cider\n\nLeave the cider until spring.\n",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


async def test_browser_draws_a_palace_and_reaches_no_other_host(
    app: GraphPalace, palace: str, settings: Settings, home: Path, chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    if settings.neo4j.uri:
        pytest.skip("the tests use a Neo4j that is not managed; its Browser is not ours")
    server = wiring.managed_server(settings)
    running = server.status()
    assert isinstance(running, Running)
    await app.ingesting.files([home], palace=palace, wing="home")

    chromium.get(running.browser_url)
    filled = {name: browser.field(chromium, name).get_attribute("value") for name in ("boltaddress", "username")}
    assert filled == {"boltaddress": running.bolt_uri.removeprefix("bolt://"), "username": server.user}
    browser.log_in(chromium, server.password)
    editor = browser.when_there(chromium, ".monaco-editor textarea")
    editor.send_keys(QUERY.format(palace=palace))
    editor.send_keys(Keys.CONTROL, Keys.ENTER)
    names = {"home", "garden", "kitchen", "cellar"}
    WebDriverWait(chromium, browser.PATIENCE_S).until(lambda _: names <= browser.captions(chromium))
    picture = Path(os.environ.get("GRAPHPALACE_TEST_SCREENSHOT", tmp_path / "browser.png"))
    assert chromium.save_screenshot(str(picture))
    circles = chromium.find_elements(By.CSS_SELECTOR, "svg g.node circle")
    assert len(circles) >= 1 + 1 + 3 + 5 + 5  # palace, wing, rooms, closets, drawers

    reached, blocked = _hosts(chromium)
    assert reached == {"127.0.0.1"}, f"Neo4j Browser also reached {reached - {'127.0.0.1'}}"
    assert blocked, "nothing was blocked: does the server still send its Content-Security-Policy?"


def _hosts(chromium: webdriver.Chrome) -> tuple[set[str], set[str]]:
    """Return the hosts that pages asked for something, and those where the page's policy let nothing out."""
    asked: dict[str, str] = {}
    stopped: set[str] = set()
    for entry in chromium.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        params = message["params"]
        if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
            url = urlparse(params.get("url") or params["request"]["url"])
            if url.scheme in ("http", "https", "ws", "wss"):
                asked[params["requestId"]] = url.hostname or ""
        elif message["method"] == "Network.loadingFailed" and params.get("blockedReason") == "csp":
            stopped.add(params["requestId"])
    return {host for request, host in asked.items() if request not in stopped}, {
        asked[request] for request in stopped if request in asked
    }

"""Neo4j Browser, as the managed server brings it, shows a palace and talks to nobody else."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlparse

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import element_to_be_clickable
from selenium.webdriver.support.ui import Select, WebDriverWait

from graphpalace import bootstrap
from graphpalace.settings import Settings
from graphpalace.store.managed.state import Running

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no Chromium with its chromedriver is installed"),
]

OPTIONS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync --disable-dev-shm-usage --window-size=1400,780"
)
QUERY = (
    "MATCH p=(:Palace {{name: '{palace}'}})-[:CONTAINS]->(:Wing)-[:HAS_ROOM]->(:Room)-[:HAS_CLOSET]->(:Closet)"
    "-[:HAS_DRAWER]->(:Drawer) RETURN p LIMIT 25"
)
PATIENCE_S = 60


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for option in OPTIONS.split():
        options.add_argument(option)
    options.add_argument(f"--user-data-dir={tmp_path / 'profile'}")
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


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
    app: bootstrap.GraphPalace, palace: str, settings: Settings, home: Path, chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    if settings.neo4j.uri:
        pytest.skip("the tests use a Neo4j that is not managed; its Browser is not ours")
    server = bootstrap.managed_server(settings)
    running = server.status()
    assert isinstance(running, Running)
    await app.ingest([home], palace=palace, wing="home")

    chromium.get(f"{running.http_url}/browser/")
    _connect(chromium, running.bolt_uri, server.user, server.password)
    editor = _when_there(chromium, ".monaco-editor textarea")
    editor.send_keys(QUERY.format(palace=palace))
    editor.send_keys(Keys.CONTROL, Keys.ENTER)
    names = {"home", "garden", "kitchen", "cellar"}
    WebDriverWait(chromium, PATIENCE_S).until(lambda _: names <= _captions(chromium))
    picture = Path(os.environ.get("GRAPHPALACE_TEST_SCREENSHOT", tmp_path / "browser.png"))
    assert chromium.save_screenshot(str(picture))
    circles = chromium.find_elements(By.CSS_SELECTOR, "svg g.node circle")
    assert len(circles) >= 1 + 1 + 3 + 5 + 5  # palace, wing, rooms, closets, drawers

    reached, blocked = _hosts(chromium)
    assert reached == {"127.0.0.1"}, f"Neo4j Browser also reached {reached - {'127.0.0.1'}}"
    assert blocked, "nothing was blocked: does the server still send its Content-Security-Policy?"


def _connect(chromium: webdriver.Chrome, bolt_uri: str, user: str, password: str) -> None:
    scheme, _, address = bolt_uri.partition("//")
    Select(_field(chromium, "bolt-scheme-select")).select_by_value(f"{scheme}//")
    field = _field(chromium, "boltaddress")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(address)
    _field(chromium, "username").send_keys(user)
    _field(chromium, "password").send_keys(password)
    _field(chromium, "connect").click()
    WebDriverWait(chromium, PATIENCE_S).until(
        lambda _: not chromium.find_elements(By.CSS_SELECTOR, '[data-testid="password"]')
    )


def _field(chromium: webdriver.Chrome, name: str) -> WebElement:
    return _when_there(chromium, f'[data-testid="{name}"]')


def _when_there(chromium: webdriver.Chrome, selector: str) -> WebElement:
    return WebDriverWait(chromium, PATIENCE_S).until(element_to_be_clickable((By.CSS_SELECTOR, selector)))


def _captions(chromium: webdriver.Chrome) -> set[str]:
    script = "return Array.from(document.querySelectorAll('svg g.node'), node => node.textContent.trim())"
    return set(chromium.execute_script(script))


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

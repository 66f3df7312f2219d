"""Drives the service's page in a headless Chromium."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any
from urllib.parse import urlparse

import uvicorn
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from graphpalace.serve.http.app import create_app
from graphpalace.settings.load import Settings
from tests.acceptance.served import until
from tests.words import WordEmbedder

PATIENCE_S = 30
_AXE = (files("axe_core_python") / "axe.min.js").read_text("utf-8")

# The least contrast of any text on what is behind it, with the text.
_CONTRAST = """
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const rgb = colour => {
  canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
  return canvas.getImageData(0, 0, 1, 1).data;
};
const light = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * x + .7152 * y + .0722 * z;
};
const behind = node => {
  for (let at = node; at; at = at.parentElement) {
    const colour = rgb(getComputedStyle(at).backgroundColor);
    if (colour[3] === 255) return colour;
  }
  return rgb('white');
};
let least = [99, ''];
for (const node of document.querySelectorAll('body *')) {
  const own = [...node.childNodes].filter(child => child.nodeType === 3 && child.data.trim());
  if (!own.length || !node.checkVisibility() || node.closest('svg, :disabled, .plot, .scene, .metrics-plot')) continue;
  const [a, b] = [light(rgb(getComputedStyle(node).color)), light(behind(node))];
  const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (contrast < least[0]) least = [contrast, own[0].data];
}
return least;
"""


class Page:
    """The page of one service in one browser."""

    def __init__(self, driver: webdriver.Chrome, base_url: str) -> None:
        self.driver = driver
        self._base = base_url.rstrip("/")

    def open(self, view: str) -> None:
        """Load the page afresh with a view, as `search?q=bread`."""
        self.driver.get("about:blank")
        self.driver.get(f"{self._base}/#/{view}")
        self.wait(lambda: self.text("#connection").startswith("connected"))

    def wait(self, holds: Callable[[], Any], *, seconds: float = PATIENCE_S) -> Any:
        """Wait until something holds, and return it; if it does not in time, tell what the page says."""
        ignored = [StaleElementReferenceException, IndexError]
        try:
            return WebDriverWait(self.driver, seconds, 0.1, ignored_exceptions=ignored).until(lambda _: holds())
        except TimeoutException:
            said = self.js("return document.body.innerText.slice(0, 1500)")
            raise AssertionError(f"not so after {seconds} s; the page says: {said}") from None

    def choose(self, selector: str, label: str) -> None:
        """Choose from a list, once it has what is wanted."""
        self.wait(lambda: label in [option.text for option in Select(self.one(selector)).options])
        Select(self.one(selector)).select_by_visible_text(label)

    def remember(self, palace: str) -> None:
        """Let the page find that this palace was chosen the last time."""
        script = f"if (location.protocol === 'http:') localStorage['graphpalace.palace'] ??= {json.dumps(palace)}"
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def all(self, selector: str) -> list[WebElement]:
        """Return the elements of a selector."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        """Wait for an element and return it."""
        return self.wait(lambda: self.all(selector)[0])

    def text(self, selector: str) -> str:
        """Return the text of the first element, empty if there is none."""
        return self.js("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def says(self, selector: str, words: str, *, seconds: float = PATIENCE_S) -> None:
        """Wait until an element says something."""
        self.wait(
            lambda: any(words in str(one.get_property("textContent")) for one in self.all(selector)), seconds=seconds
        )

    def click(self, selector: str, label: str | None = None) -> None:
        """Click on the first element of a selector, or on the one with a label."""

        def chosen() -> WebElement | None:
            found = [one for one in self.all(selector) if label is None or one.text.strip() == label]
            return found[0] if found and found[0].is_enabled() else None

        element = self.wait(chosen)
        self.js("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def fill(self, selector: str, value: str) -> None:
        """Put a value into a field, as by typing."""
        field = self.one(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(value or Keys.DELETE)

    def press(self, *keys: str) -> None:
        """Press keys where the focus is."""
        for key in keys:
            webdriver.ActionChains(self.driver).send_keys(key).perform()

    def js(self, script: str, *given: Any) -> Any:
        """Run a script in the page."""
        return self.driver.execute_script(script, *given)

    def focused(self) -> str:
        """Return what has the focus: its label or its text."""
        return self.js(
            "const at = document.activeElement; return at.getAttribute('aria-label') ?? at.textContent.trim()"
        )

    def narrow(self, width: int) -> None:
        """Let the window be as wide as a telephone's."""
        metrics = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def scheme(self, name: str) -> None:
        """Let the system prefer dark or light."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def least_contrast(self) -> tuple[float, str]:
        """Return the least contrast of a text that is shown, with the text."""
        contrast, text = self.js(_CONTRAST)
        return contrast, text

    def barriers(self) -> list[Any]:
        """Return what keeps people from using what is shown, by axe-core: the rule and the elements."""
        self.js(_AXE)
        return self.driver.execute_async_script(
            "const done = arguments[0]; axe.run().then("
            "({violations}) => done(violations.map(({id, nodes}) => [id, nodes.map(node => node.html)])))"
        )

    def errors(self) -> list[str]:
        """Return what the console complained of since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def hosts(self) -> set[str]:
        """Return the hosts that were asked for something since the last call."""
        asked = set()
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
                url = urlparse(message["params"].get("url") or message["params"]["request"]["url"])
                if url.scheme in ("http", "https", "ws", "wss"):
                    asked.add(url.hostname)
        return asked


@contextmanager
def served_at(settings: Settings, port: int) -> Iterator[None]:
    """Run the service on a port, so that one can come back where another went."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    app = create_app(settings, embedder=WordEmbedder())
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=3))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        until(lambda: server.started, seconds=30)
        yield
    finally:
        server.should_exit = True
        thread.join(30)

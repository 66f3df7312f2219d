"""Drives Neo4j Browser in a headless Chromium."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import element_to_be_clickable
from selenium.webdriver.support.ui import Select, WebDriverWait

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
OPTIONS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync --disable-dev-shm-usage"
)
PATIENCE_S = 60

# Browser takes a file that is dropped anywhere onto its window.
_DROP = """
const [name, content] = arguments;
const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
const dataTransfer = new DataTransfer();
dataTransfer.items.add(new File([bytes], name));
const window_ = document.querySelector('.filedrop');
for (const kind of ['dragenter', 'dragover', 'drop'])
  window_.dispatchEvent(new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer}));
"""


@contextmanager
def started(profile: Path, *more: str, size: str = "1400,780") -> Iterator[webdriver.Chrome]:
    """Give a Chromium with a profile of its own, and with more options than it needs in any case."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for option in (*OPTIONS.split(), f"--window-size={size}", f"--user-data-dir={profile}", *more):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


@contextmanager
def fresh_tab(driver: webdriver.Chrome) -> Iterator[None]:
    """Show a new tab, and leave neither it nor what its pages kept.

    What a test sets for its tab (another width, a script for each page) ends with the tab.
    """
    before = driver.current_window_handle
    driver.switch_to.new_window("tab")
    for log in ("browser", "performance"):
        driver.get_log(log)  # which empties it
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        origin = driver.execute_script("return origin")
        if origin.startswith("http"):
            driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        driver.close()
        driver.switch_to.window(before)


def connect(chromium: webdriver.Chrome, bolt_uri: str, user: str, password: str) -> None:
    """Fill in the form of a fresh Browser."""
    scheme, _, address = bolt_uri.partition("//")
    Select(field(chromium, "bolt-scheme-select")).select_by_value(f"{scheme}//")
    where = field(chromium, "boltaddress")
    where.send_keys(Keys.CONTROL, "a")
    where.send_keys(address)
    field(chromium, "username").send_keys(user)
    log_in(chromium, password)


def log_in(chromium: webdriver.Chrome, password: str) -> None:
    """Add the password to a form in which the rest is filled in."""
    field(chromium, "password").send_keys(password)
    field(chromium, "connect").click()
    WebDriverWait(chromium, PATIENCE_S).until(
        lambda _: not chromium.find_elements(By.CSS_SELECTOR, '[data-testid="password"]')
    )


def run(chromium: webdriver.Chrome, text: str) -> None:
    """Put a text into the editor at once, as by pasting, and run it."""
    editor = when_there(chromium, ".monaco-editor textarea")
    editor.send_keys(Keys.CONTROL, "a")
    editor.send_keys(Keys.DELETE)
    chromium.execute_cdp_cmd("Input.insertText", {"text": text})
    editor.send_keys(Keys.CONTROL, Keys.ENTER)


def drop(chromium: webdriver.Chrome, name: str, content: bytes) -> None:
    """Drop a file onto the window."""
    chromium.execute_script(_DROP, name, base64.b64encode(content).decode())


def field(chromium: webdriver.Chrome, name: str) -> WebElement:
    """Return an element by what Browser calls it."""
    return when_there(chromium, f'[data-testid="{name}"]')


def when_there(chromium: webdriver.Chrome, selector: str) -> WebElement:
    """Wait for an element."""
    return WebDriverWait(chromium, PATIENCE_S).until(element_to_be_clickable((By.CSS_SELECTOR, selector)))


def captions(chromium: webdriver.Chrome) -> set[str]:
    """Return what is written on the nodes."""
    script = "return Array.from(document.querySelectorAll('svg g.node'), node => node.textContent.trim())"
    return set(chromium.execute_script(script))

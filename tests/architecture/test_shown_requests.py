"""The requests and the lines of Python that the documentation shows are right for this version."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from jsonschema import Draft202012Validator
from tests.words import WordEmbedder

from graphpalace.serve.http.app import create_app
from graphpalace.settings.load import Settings

_ROOT = Path(__file__).parents[2]
_PAGES = [_ROOT / "README.md", *sorted((_ROOT / "docs").rglob("*.md")), *sorted((_ROOT / "examples").rglob("*.md"))]
_SERVICE = re.compile(r"^(?:https?://)?(?:localhost|127\.0\.0\.1):8600(/.*)$")
# What the lines of a page have from its words, or from lines before them.
_GIVEN = """from typing import Any
from neo4j import Driver
from graphpalace import Palace
palace: Palace = Palace.open()
drawer: str = ""
client: Any = None
driver: Driver = client
embedder: Any = None
"""
_FROM_PAGE = "from given import client, drawer, driver, embedder, palace\n"


def _blocks(page: Path, *languages: str) -> Iterator[str]:
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        if language in languages:
            yield block


def _commands(block: str) -> Iterator[list[str]]:
    """Yield the words of each command of a shell, which may have several lines."""
    text = ""
    for line in block.splitlines():
        text += line
        if text.endswith("\\"):
            text = text[:-1]
            continue
        try:
            words = shlex.split(text, comments=True)
        except ValueError:  # a quotation goes on in the next line
            text += "\n"
            continue
        text = ""
        if words:
            yield words
    assert not text, f"a quotation is not closed: {text}"


@cache
def _described() -> dict[str, Any]:
    return create_app(Settings(), embedder=WordEmbedder()).openapi()


def _request(words: list[str]) -> tuple[str, str, str | None] | None:
    """Return the method, the address and the body of a curl to the service."""
    address = next((found[1] for word in words if (found := _SERVICE.match(word))), None)
    if words[0] != "curl" or address is None:
        return None
    given = {one: words[words.index(one) + 1] for one in ("--json", "-d", "-X") if one in words}
    body = given.get("--json", given.get("-d"))
    return given.get("-X", "GET" if body is None else "POST"), address, body


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.relative_to(_ROOT).as_posix())
def test_every_request_that_a_page_shows_is_one_that_the_service_takes(page: Path) -> None:
    asked = [one for block in _blocks(page, "sh", "bash") for words in _commands(block) if (one := _request(words))]
    for method, address, body in asked:
        parts = urlsplit(address)
        if not parts.path.startswith("/v1/"):
            continue
        routes = [
            route[method.lower()]
            for path, route in _described()["paths"].items()
            if method.lower() in route and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), parts.path)
        ]
        assert routes, f"{method} {parts.path} is no route"
        known = {one["name"] for one in routes[0].get("parameters", ()) if one["in"] == "query"}
        assert {name for name, _ in parse_qsl(parts.query)} <= known, address
        if body is None:
            assert not routes[0].get("requestBody", {}).get("required"), f"{method} {parts.path} needs a body"
            continue
        schema = routes[0]["requestBody"]["content"]["application/json"]["schema"]
        Draft202012Validator(schema | {"components": _described()["components"]}).validate(json.loads(body))


def test_every_line_of_python_that_a_page_shows_fits_the_library(tmp_path: Path) -> None:
    written = 0
    for page in _PAGES:
        for number, block in enumerate(_blocks(page, "python", "py")):
            name = re.sub(r"\W", "_", page.relative_to(_ROOT).as_posix())
            (tmp_path / f"{name}_{number}.py").write_text(_FROM_PAGE + block, "utf-8")
            written += 1
    assert written > 10
    (tmp_path / "given.py").write_text(_GIVEN, "utf-8")
    rules = {"typeCheckingMode": "basic", "reportOptionalMemberAccess": False}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(rules), "utf-8")
    checked = subprocess.run(
        [Path(sys.executable).with_name("pyright"), "--pythonpath", sys.executable, "-p", tmp_path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout

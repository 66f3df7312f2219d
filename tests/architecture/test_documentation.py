"""The links of the documentation lead somewhere, and its reference pages list all that there is."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest
from tests.command_line import every_command
from typer.main import get_command

from graphpalace.error_codes import EXIT, STATUS
from graphpalace.serve.http.app import create_app
from graphpalace.serve.mcp.reference import page_text as mcp_page
from graphpalace.serve.mcp.server import make_server
from graphpalace.settings.load import Settings

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def _files(*patterns: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return sorted(name for name in listed.stdout.splitlines() if (ROOT / name).exists())


@cache
def _anchors(page: Path) -> set[str]:
    """Return the names that GitHub gives to a page's headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", _files("*.md"))
def test_every_relative_link_leads_to_a_file_and_a_heading_in_it(name: str) -> None:
    page = ROOT / name
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in _LINK.findall(text):
        if re.match(r"https?:|mailto:", link):
            continue
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not heading or heading in _anchors(target), link


def test_every_page_that_code_and_settings_name_is_there() -> None:
    for name in _files("src/*.py", "tests/*.py", "scripts/*.py", "benchmarks/*.py", "*.toml", "Makefile"):
        for page in re.findall(r"\bdocs/(?:[a-z-]+/[\w-]+|[A-Z]+)\.md\b", (ROOT / name).read_text("utf-8")):
            assert (ROOT / page).exists(), f"{name}: {page}"


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in _LINK.findall(index.read_text("utf-8"))}
    pages = {(ROOT / name).resolve() for name in _files("docs/*.md") if not name.startswith("docs/adr/")}
    assert pages - {index.resolve()} <= linked


def test_every_command_is_listed_with_its_options() -> None:
    rows = [row for row in (REFERENCE / "commands.md").read_text("utf-8").splitlines() if row.startswith("| `graphp")]
    listed = {match[1]: row for row in rows if (match := re.match(r"\| `(graphpalace(?: [a-z-]+)+)", row))}
    commands = dict(_commands(get_command(every_command()), "graphpalace"))
    assert listed.keys() == commands.keys()
    for command, options in commands.items():
        assert set(re.findall(r"`(--[\w-]+)`", listed[command])) == options, command


def _commands(command: object, path: str) -> list[tuple[str, set[str]]]:
    children = getattr(command, "commands", None)
    if children:
        return [found for name, child in children.items() for found in _commands(child, f"{path} {name}")]
    parameters = getattr(command, "params", [])
    # Of a switch the name is shown that changes something: --no-mark, --prune.
    names = [one.secondary_opts if one.secondary_opts and one.default else one.opts for one in parameters]
    options = {name for some in names for name in some if name.startswith("--")}
    return [(path, options - {"--palace", "--json"})]  # which the page explains for all commands


def test_every_http_route_is_listed() -> None:
    page = (REFERENCE / "http.md").read_text("utf-8")
    listed = set(re.findall(r"`((?:GET|POST|PATCH|DELETE) /(?:v1|health|metrics)[^`?]*)", page))
    paths = create_app(Settings()).openapi()["paths"]
    assert listed == {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}


def test_the_page_of_mcp_tools_is_what_the_tools_say() -> None:
    assert (REFERENCE / "mcp.md").read_text("utf-8") == mcp_page(), "a tool has changed: run `make mcp-docs`"


def test_every_error_code_is_listed_with_its_status_and_exit_code() -> None:
    page = (REFERENCE / "errors.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|", page, re.MULTILINE)
    assert {code: (int(status), int(exit_code)) for code, status, exit_code in listed} == {
        code: (STATUS[code], EXIT[code]) for code in STATUS
    }


def test_no_text_for_users_names_a_source_that_they_do_not_have() -> None:
    commands = get_command(every_command())
    texts = {name: (ROOT / name).read_text("utf-8") for name in _files("*.md")}
    texts |= {"the description of HTTP": json.dumps(create_app(Settings()).openapi()), "the MCP tools": _tool_list()}
    texts |= {"the helps of commands": "\n".join(_helps(commands))}
    for name, text in texts.items():
        assert not re.search(r"\bseeds? 0\d\d\b", text, re.IGNORECASE), name


def _tool_list() -> str:
    def no_operations() -> NoReturn:
        raise AssertionError

    tools = asyncio.run(make_server(Settings(), no_operations).list_tools(run_middleware=False))
    return json.dumps([[tool.description, tool.parameters, tool.output_schema] for tool in tools])


def _helps(command: object) -> Iterator[str]:
    yield getattr(command, "help", None) or ""
    yield from (getattr(option, "help", None) or "" for option in getattr(command, "params", []))
    for child in getattr(command, "commands", {}).values():
        yield from _helps(child)

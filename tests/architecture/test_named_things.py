"""What pages and docstrings name is there: paths, modules, settings, commands, options, routes, metrics and queries."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from types import UnionType
from typing import get_args

import pytest
from pydantic import BaseModel
from scripts.make_metrics_page import every_metric
from tests.command_line import every_command
from typer.main import get_command

from graphpalace.serve.http.app import create_app
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.section import SettingsSection

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "graphpalace"
PAGES = sorted(page for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")) if page.name != "CHANGELOG.md")
MODULES = sorted(PACKAGE.rglob("*.py"))
# Where a name of a path may begin. A page of the house says `serve/http` and not `src/graphpalace/serve/http`.
BEGINNINGS = (ROOT, PACKAGE, PACKAGE / "operations", ROOT / "docs", ROOT / "cypher", ROOT / "benchmarks")
FOLDERS = {path.name for beginning in BEGINNINGS for path in beginning.iterdir() if path.is_dir()}


@cache
def _text(file: Path) -> str:
    """Return a page without its blocks of code and comments, or the docstrings of a module."""
    text = file.read_text("utf-8")
    if file.suffix != ".py":
        return re.sub(r"^```.*?^```|<!--.*?-->", "", text, flags=re.MULTILINE | re.DOTALL)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, documented))
    return "\n".join(ast.get_docstring(node) or "" for node in nodes)


def _quoted(file: Path) -> Iterator[str]:
    return (name for name in re.findall(r"`([^`\n]+)`", _text(file)))


def _shell_lines(page: Path) -> Iterator[list[str]]:
    """Return the words of each `graphpalace ...` of a page, from its blocks and its text, without comments."""
    blocks = re.findall(r"^```(?:sh|console|bash)?\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    for line in (*lines, *_quoted(page)):
        if found := re.match(r"(?:\$ )?graphpalace ((?:[a-z-]+|--[a-z-]+)\b.*)", line.partition(" #")[0].strip()):
            yield re.split(r"\s+", re.split(r"[|;>]|&&", found[1])[0].strip())


def _is_there(name: str, file: Path) -> bool:
    return any((beginning / name).exists() for beginning in (*BEGINNINGS, *file.parents[:4]))


@pytest.mark.parametrize("file", [*PAGES, *MODULES], ids=lambda file: str(file.relative_to(ROOT)))
def test_every_path_module_and_query_that_is_named_is_there(file: Path) -> None:
    for name in _quoted(file):
        path = re.match(r"^([a-z_][\w.-]*(?:/[\w.-]+)+)/?$", name)
        if (
            path
            and not path[1].endswith(".log")
            and (path[1].partition("/")[0] in FOLDERS or re.search(r"\.(py|cypher|toml|md|yml)$", path[1]))
        ):
            example = re.search(r"TOPIC|NAME|V00\d\d__name|verb_object", name)
            assert example or any(_is_there(path[1] + suffix, file) for suffix in ("", ".py", ".cypher")), name
        if module := re.match(r"^graphpalace((?:\.[a-z_]+)+)((?:\.[A-Z]\w+)?)(?:\.\w+)?(?:\(\))?$", name):
            steps = module[1].strip(".").split(".")
            found = [PACKAGE.joinpath(*steps[:end]) for end in (len(steps), len(steps) - 1)]
            assert any(one.is_dir() or one.with_suffix(".py").exists() for one in found), f"`{name}` is not there"


def _sections() -> dict[str, type[SettingsSection]]:
    return {name: type(value) for name, value in Settings() if isinstance(value, SettingsSection)}


def _has(model: type[BaseModel], keys: list[str]) -> bool:
    if not keys:
        return True
    field = model.model_fields.get(keys[0])
    if field is None:
        return False
    kinds = get_args(field.annotation) if isinstance(field.annotation, UnionType) else (field.annotation,)
    inner = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
    return _has(inner[0], keys[1:]) if inner else True  # a table of the user's own names


@pytest.mark.parametrize("file", [*PAGES, *MODULES], ids=lambda file: str(file.relative_to(ROOT)))
def test_every_setting_that_is_named_is_there(file: Path) -> None:
    sections = _sections()
    for name in _quoted(file):
        if table := re.match(r"^\[([a-z_]+)((?:\.[a-z_]+)*)\](?: ([a-z_]+))?(?: = .*)?$", name):
            keys = [*table[2].split(".")[1:], *([table[3]] if table[3] else [])]
            assert table[1] in sections and _has(sections[table[1]], keys), f"`{name}` is no setting"
    for name in set(re.findall(r"\bGRAPHPALACE_([A-Z0-9]+__[A-Z0-9_]+)", file.read_text("utf-8"))):
        section, *keys = name.lower().split("__")
        if section != "section":
            assert section in sections and _has(sections[section], keys), f"GRAPHPALACE_{name} is no setting"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.parent.name != "adr"], ids=lambda page: str(page.relative_to(ROOT))
)
def test_every_command_and_option_that_a_page_shows_is_there(page: Path) -> None:
    app = get_command(every_command())
    for words in _shell_lines(page):
        command, options = app, {"--help", "--config", "--version"}
        for word in words:
            inside = getattr(command, "commands", None)
            if inside and re.fullmatch(r"[a-z][a-z-]*", word):
                assert word in inside, f"graphpalace {' '.join(words)}: no command {word}"
                command = inside[word]
                options |= {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
            elif option := re.match(r"--[a-z][a-z-]*", word):
                assert option[0] in options, f"graphpalace {' '.join(words)}: no option {option[0]}"


def _shape(path: str) -> str:
    return re.sub(r"\{[^}]+\}|\b[A-Z][A-Z_]+\b", "*", path.partition("?")[0].rstrip("/"))


@pytest.mark.parametrize("file", [*PAGES, *MODULES], ids=lambda file: str(file.relative_to(ROOT)))
def test_every_route_that_is_named_is_there(file: Path) -> None:
    routes = {(method.upper(), _shape(path)) for path, methods in _routes().items() for method in methods}
    for name in _quoted(file):
        if route := re.match(r"^(GET|POST|PUT|PATCH|DELETE) (/(?:v1|health|metrics)[^ ]*)", name):
            shape = _shape(route[2])
            assert any(method == route[1] and fnmatch(path, shape) for method, path in routes), f"`{name}` is no route"


@cache
def _routes() -> dict[str, dict[str, object]]:
    return create_app(Settings()).openapi()["paths"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_metric_that_is_named_is_there(page: Path) -> None:
    made = {name for metric in every_metric() for name in (metric.name, *metric.samples)}
    for name in _quoted(page):
        if re.fullmatch(r"graphpalace_[a-z0-9_]+", name):
            assert name in made, f"`{name}` is no metric"

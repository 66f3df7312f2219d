"""Only the store names queries and runs them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STORE = ROOT / "src" / "graphpalace" / "store"
QUERIES = {str(path.relative_to(ROOT / "cypher").with_suffix("")) for path in (ROOT / "cypher").rglob("*.cypher")}
RUNS_A_QUERY = {
    "read", "write", "auto_commit", "change_schema", "run_statement", "explain", "commit_mark", "run", "send",
}  # fmt: skip


@cache
def _above_the_store() -> list[tuple[str, ast.Constant | ast.Call | ast.ImportFrom]]:
    return [
        (str(path.relative_to(ROOT)), node)
        for path in sorted((ROOT / "src").rglob("*.py"))
        if not path.is_relative_to(STORE)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant | ast.Call | ast.ImportFrom)
    ]


def test_no_query_is_named_above_the_store() -> None:
    named = [
        f"{file}:{node.lineno} {node.value}"
        for file, node in _above_the_store()
        if isinstance(node, ast.Constant) and node.value in QUERIES
    ]
    assert named == []


def test_nothing_above_the_store_runs_a_query_on_a_database_or_in_a_transaction() -> None:
    run = [
        f"{file}:{node.lineno} {ast.unparse(node.func)}"
        for file, node in _above_the_store()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in RUNS_A_QUERY
        and ast.unparse(node.func.value).rpartition(".")[2].lstrip("_") in {"database", "db", "tx", "transaction"}
    ]
    assert run == []


def test_nothing_above_the_store_knows_rows() -> None:
    rows = [
        f"{file}:{node.lineno}"
        for file, node in _above_the_store()
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("graphpalace.store")
        and any(alias.name == "Row" for alias in node.names)
    ]
    assert rows == []

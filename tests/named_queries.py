"""Lets `tests/NAME` mean a query file beside the tests: the database runs named queries only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from graphpalace.store.connection import database, queries

_FOLDER = Path(__file__).parent / "cypher"


@contextmanager
def queries_of_tests() -> Iterator[None]:
    """Let the database of this process run them too."""
    shipped = queries.query

    def query(name: str) -> queries.Query:
        if not name.startswith("tests/"):
            return shipped(name)
        return queries.Query(name, (_FOLDER / f"{name}.cypher").read_text("utf-8"), {})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "query", query)
        yield

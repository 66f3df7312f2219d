"""Runs Cypher that people paste, such as that of the documentation, as if it were a query file."""

from __future__ import annotations

from typing import Any

import pytest

from graphpalace.app import GraphPalace
from graphpalace.store.connection import database
from graphpalace.store.connection.database import Row
from graphpalace.store.connection.queries import Query

_PASTED = "pasted"


async def run_pasted(
    app: GraphPalace, monkeypatch: pytest.MonkeyPatch, palace: str, text: str, **values: Any
) -> tuple[list[Row], str]:
    """Run a text that is about the palace `main` on another one; return the rows and the plan.

    Args:
        values: The values of its parameters.
    """
    text = text.replace("'main'", f"'{palace}'").replace("Drawer_main", f"Drawer_{palace}")
    others = database.query
    with monkeypatch.context() as patch:
        patch.setattr(database, "query", lambda name: Query(name, text, {}) if name == _PASTED else others(name))
        return await app.database.write(palace, _PASTED, **values), await app.database.explain(palace, _PASTED)

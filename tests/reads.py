"""Which queries a service reads with."""

from __future__ import annotations

from typing import Any

import pytest

from graphpalace.store.connection.database import Database


def noted_reads(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the name of every query that reads is added from now on."""
    names: list[str] = []
    read = database.read

    async def noted(palace: str | None, name: str, /, **params: Any) -> list[dict[str, Any]]:
        names.append(name)
        return await read(palace, name, **params)

    monkeypatch.setattr(database, "read", noted)
    return names

"""Which queries a service reads with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from graphpalace.store.connection.database import Database


def noted_reads(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the name of every query that reads or streams is added from now on."""
    names: list[str] = []
    read, stream = database.read, database.stream

    async def noted(palace: str | None, name: str, /, **params: Any) -> list[dict[str, Any]]:
        names.append(name)
        return await read(palace, name, **params)

    def noted_stream(palace: str | None, name: str, /, **params: Any) -> AsyncIterator[dict[str, Any]]:
        names.append(name)
        return stream(palace, name, **params)

    monkeypatch.setattr(database, "read", noted)
    monkeypatch.setattr(database, "stream", noted_stream)
    return names

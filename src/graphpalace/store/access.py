"""Store API keys, and find the wings that drawers stand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from graphpalace.domain.access.api_key import ApiKey, StoredApiKey
from graphpalace.domain.access.caller import Grant
from graphpalace.errors import InvalidInput
from graphpalace.store.connection.database import Database, Row


class AccessStore:
    """Stores, lists and deletes keys. They belong to no palace."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, properties: Mapping[str, Any]) -> None:
        """Store a new key."""
        await self._database.write(None, "access/create_key", **properties)

    async def every(self) -> list[StoredApiKey]:
        """Return all keys, the oldest first."""
        return [_key(row) for row in await self._database.read(None, "access/list_keys")]

    async def delete(self, key: str) -> bool:
        """Delete a key; return whether there was one."""
        (row,) = await self._database.write(None, "access/delete_key", id=key)
        return bool(row["deleted"])

    async def note_use(self, key: str, at: datetime) -> None:
        """Note that a key was used."""
        await self._database.write(None, "access/note_use", id=key, at=at)

    async def wings_of(self, palace: str, drawers: Sequence[str]) -> dict[str, str]:
        """Return the names of the wings of drawers; drawers that are not in the palace are left out."""
        rows = await self._database.read(palace, "access/wings_of_drawers", ids=list(drawers))
        return {row["id"]: row["wing"] for row in rows}


def _key(row: Row) -> StoredApiKey:
    grants: list[Grant] = []
    for text in row["grants"]:
        with suppress(InvalidInput):  # what a later version wrote and this one does not know allows nothing
            grants.append(Grant.of(text))
    listed = ApiKey(row["id"], row["name"], row["grants"], row["created_at"], row["expires_at"], row["last_used_at"])
    return StoredApiKey(listed, row["hash"], tuple(grants), row["expires_ms"])

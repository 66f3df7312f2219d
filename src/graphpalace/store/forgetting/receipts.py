"""Select what is to be forgotten by its words, and keep receipts of what was."""

from __future__ import annotations

import json
from dataclasses import asdict
from uuid import uuid4

from graphpalace.domain.forgetting import MOST_IDS, ForgetChoice, ForgetReceipt, KeptReceipt
from graphpalace.store.connection.database import Database

_PAGE = 500


class ForgettingStore:
    """Reads the texts of palaces, and stores and lists receipts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def drawers_of_name(self, palace: str, entity: str) -> list[str]:
        """Return the drawers that mention an entity."""
        rows = await self._database.read(palace, "forgetting/drawers_of_name", id=entity)
        return [row["drawer"] for row in rows]

    async def page_of_texts(self, palace: str, after: str) -> list[tuple[str, list[str]]]:
        """Return the next drawers in the order of their ids, each with its texts; an empty list at the end."""
        rows = await self._database.read(palace, "forgetting/list_texts", after=after, limit=_PAGE)
        return [(row["id"], row["texts"]) for row in rows]

    async def keep(self, palace: str, choice: ForgetChoice, receipt: ForgetReceipt, *, by: str | None) -> str | None:
        """Keep a receipt, and return its id; None if the palace was dropped."""
        rows = await self._database.write(
            palace,
            "forgetting/keep_receipt",
            id=f"forgotten-{uuid4().hex[:16]}",
            by=by,
            kinds=choice.kinds,
            deleted=receipt.deleted,
            drawers=list(receipt.drawers[:MOST_IDS]),
            closets=list(receipt.closets[:MOST_IDS]),
            facts=receipt.facts,
            traces=json.dumps(asdict(receipt.traces)),
        )
        return rows[0]["id"] if rows else None

    async def receipts(self, palace: str, *, after: str | None, limit: int) -> list[KeptReceipt]:
        """Return the receipts of a palace, newest first, from the one after a given one on."""
        rows = await self._database.read(palace, "forgetting/list_receipts", after=after, limit=limit)
        return [KeptReceipt(**row["receipt"] | {"traces": json.loads(row["receipt"]["traces"])}) for row in rows]

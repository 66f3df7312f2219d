"""The keys under which clients sent writes, with the answers that they got."""

from __future__ import annotations

from dataclasses import dataclass, field

from graphpalace.domain.write_key import KeptAnswer, WriteKey
from graphpalace.errors import KeyReused
from graphpalace.store.connection.database import Database

_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class KnownKey:
    """What is known of a key.

    Attributes:
        results: What the transactions of its request did, by step.
        answer: None if it is not kept.
    """

    request: str
    results: dict[str, str] = field(default_factory=dict)
    answer: KeptAnswer | None = None


class WriteKeyStore:
    """Finds, stores and deletes keys."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, key: str) -> KnownKey | None:
        """Return what is known of a key, by its id; None if it is new."""
        rows = await self._database.read(None, "writes/find_key", key=key)
        if not rows:
            return None
        answers = [KeptAnswer(row["status"], row["answer"]) for row in rows if row["answer"] is not None]
        results = {row["step"]: row["result"] for row in rows if row["result"] is not None}
        return KnownKey(rows[0]["request"], results, answers[0] if answers else None)

    async def keep(self, key: WriteKey, answer: KeptAnswer, *, words: bool) -> None:
        """Keep an answer, unless one is kept already.

        Args:
            words: Whether the answer has words that somebody may want to forget.

        Raises:
            KeyReused: If the key belongs to another request.
        """
        rows = await self._database.write(
            None,
            "writes/keep_answer",
            id=key.step("answer"),
            key=key.id,
            palace=key.palace,
            request=key.request,
            status=answer.status,
            answer=answer.body,
            says=key.palace if words else None,
        )
        if rows[0]["request"] != key.request:
            raise KeyReused(field="Idempotency-Key")

    async def forget(self, *, keep_s: int) -> int:
        """Delete the keys that are older than some seconds, and return their number."""
        total, pruned = 0, _AT_ONCE
        while pruned == _AT_ONCE:
            (row,) = await self._database.write(None, "writes/prune_keys", keep_s=keep_s, most=_AT_ONCE)
            pruned = row["pruned"]
            total += pruned
        return total

"""The keys under which clients sent writes: each is done once, and its answer is kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

from graphpalace.domain.write_key import KeptAnswer, WriteKey, current_key
from graphpalace.errors import KeyReused
from graphpalace.store.connection.database import Database, Transaction

_AT_ONCE = 10_000
T = TypeVar("T")


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


def once(
    palace: str, step: str, kind: type[T], work: Callable[[Transaction], Awaitable[T]]
) -> Callable[[Transaction], Awaitable[T]]:
    """Return the work of a transaction of `palace`, which is done once for each key of a client.

    The key and the result are stored in the same transaction. If the key is there already, the work is left out, and
    the first result is returned. Without a key the work is returned as it is.

    Args:
        step: Name of the transaction among those of its request.
        kind: Type of the result, which JSON can hold. It is kept for days, so it has no text of a drawer.
    """
    key = current_key()
    if key is None or key.palace != palace:
        return work
    identity = key.step(step)

    async def recorded(tx: Transaction) -> T:
        begun = await tx.run("writes/begin_write", id=identity, key=key.id, request=key.request)
        if begun and begun[0]["request"] != key.request:
            raise KeyReused(field="Idempotency-Key")
        if begun and begun[0]["result"] is not None:
            key.recorded = True
            return _adapter(kind).validate_json(begun[0]["result"])
        result = await work(tx)
        await tx.run("writes/keep_result", id=identity, result=_adapter(kind).dump_json(result).decode())
        key.recorded = True
        return result

    return recorded


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)

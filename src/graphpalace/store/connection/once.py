"""Do a transaction once, however often the request that it belongs to is sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

from graphpalace.domain.write_key import current_key
from graphpalace.errors import KeyReused
from graphpalace.store.connection.database import Transaction

T = TypeVar("T")


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

"""Requests with a key of the client: each is done once, and answered as often as it is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graphpalace.domain.write_key import KeptAnswer, WriteKey
from graphpalace.errors import KeyReused, StillInProgress
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.write_keys import WriteKeyStore

_MOST_CHARS = 65_536  # of an answer that is kept


class KeyedRequests:
    """Recognises requests that were sent before.

    What a request did is recorded in its own transaction, as far as it has one (`store.palaces.write_keys`). Of other
    requests, the answer is kept when they have ended. After a crash those may be done again, which changes nothing.
    """

    def __init__(self, database: Database) -> None:
        self._stored = WriteKeyStore(database)
        self._under_way: set[str] = set()

    @asynccontextmanager
    async def doing(self, key: WriteKey) -> AsyncIterator[KeptAnswer | None]:
        """Yield the answer that the request got before, or None if it is to be done now, under its key.

        Raises:
            KeyReused: If the key was sent with another request before.
            StillInProgress: If this process is still doing the same request.
        """
        if key.id in self._under_way:
            raise StillInProgress
        self._under_way.add(key.id)
        try:
            known = await self._stored.find(key.id)
            if known is not None and known.request != key.request:
                raise KeyReused(field="Idempotency-Key")
            key.results = {} if known is None else known.results
            yield None if known is None else known.answer
        finally:
            self._under_way.discard(key.id)

    async def keep(self, key: WriteKey, answer: KeptAnswer, *, words: bool) -> None:
        """Keep the answer to a request, unless its transactions have recorded what they did, or it is very long.

        Args:
            words: Whether the answer has words that somebody may want to forget.
        """
        if not key.recorded and len(answer.body) <= _MOST_CHARS:
            await self._stored.keep(key, answer, words=words)

    async def forget(self, *, keep_s: int) -> int:
        """Delete the keys that are older than some seconds, and return their number."""
        return await self._stored.forget(keep_s=keep_s)

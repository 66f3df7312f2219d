"""Keep for some hours what was answered to requests with a key, and to searches."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Set
from contextlib import asynccontextmanager

import structlog

from graphpalace.domain.learning.feedback import LoggedSearch
from graphpalace.domain.write_key import KeptAnswer, WriteKey
from graphpalace.errors import GraphPalaceError, KeyReused, NotFound, StillInProgress
from graphpalace.store.connection.database import Database
from graphpalace.store.learning.searches import SearchStore
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.palaces.write_keys import WriteKeyStore
from graphpalace.telemetry.work_ids import background_task

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


MOST_CANDIDATES = 40
RERANK = "rerank-"  # prefix of the ids of reranks
_IN_MEMORY = 1000
_PAUSE_S = 0.1  # searches that end within this time are written in one transaction
_ELSEWHERE_S = 0.5  # by then, another service that has just answered a search has written it

_log = structlog.get_logger(__name__)


def new_search_id(kind: str = "search-") -> str:
    """Return a new random id with a prefix."""
    return f"{kind}{secrets.token_hex(6)}"


class SearchLog:
    """Logs searches in memory at once and in Neo4j a moment later, so that no answer waits for a write."""

    def __init__(self, database: Database, *, ttl_h: float) -> None:
        """Create a log.

        Args:
            ttl_h: Hours for which a search is kept.
        """
        self._palaces = PalaceStore(database)
        self._store = SearchStore(database)
        self._ttl_ms = int(ttl_h * 3_600_000)
        self._known: OrderedDict[tuple[str, str], LoggedSearch] = OrderedDict()
        self._waiting: list[tuple[LoggedSearch, int]] = []  # with its expiry in milliseconds since 1970
        self._writer: asyncio.Task[None] | None = None

    def keep(self, search: LoggedSearch) -> None:
        """Log a search: in memory now, in Neo4j soon."""
        self._known[search.palace, search.id] = search
        while len(self._known) > _IN_MEMORY:
            self._known.popitem(last=False)
        self._waiting.append((search, int(time.time() * 1000) + self._ttl_ms))
        if self._writer is None or self._writer.done():
            self._writer = background_task("search-log", self._write())

    async def find(self, palace: str, search_id: str) -> LoggedSearch:
        """Return a search.

        Raises:
            NotFound: If it is not in the palace, or has expired.
        """
        if (known := self._known.get((palace, search_id))) is not None:
            return known
        search = await self._store.find(palace, search_id)
        if search is None:
            await asyncio.sleep(_ELSEWHERE_S)
            search = await self._store.find(palace, search_id)
        if search is None:
            await self._palaces.get(palace)
            raise NotFound(
                f"there is no search {search_id!r} in palace {palace!r}; searches are kept for"
                f" {self._ttl_ms / 3_600_000:g} h: give the question instead",
                run=search_id,
                palace=palace,
            )
        return search

    def forget(self, palace: str) -> None:
        """Drop the searches of a palace from memory."""
        self._known = OrderedDict((key, search) for key, search in self._known.items() if key[0] != palace)

    def forget_drawers(self, palace: str, drawers: Set[str]) -> None:
        """Drop the searches from memory that found one of some drawers; the database has them without these."""

        def names(search: LoggedSearch) -> bool:
            found = (*search.candidates.ids, *search.shares, *search.names.values())
            return search.palace == palace and not drawers.isdisjoint(found)

        self._known = OrderedDict((key, search) for key, search in self._known.items() if not names(search))
        self._waiting = [kept for kept in self._waiting if not names(kept[0])]

    async def flush(self) -> None:
        """Write all searches that are not in Neo4j yet."""
        if self._writer is not None:
            await self._writer
        await self._write_waiting()

    async def _write(self) -> None:
        while self._waiting:
            await asyncio.sleep(_PAUSE_S)
            await self._write_waiting()

    async def _write_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        try:
            await self._store.keep(waiting, now_ms=int(time.time() * 1000))
        except GraphPalaceError as error:  # not fatal: feedback can give the question instead
            _log.warning("searches_not_kept", count=len(waiting), reason=error.message)

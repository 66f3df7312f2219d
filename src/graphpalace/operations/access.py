"""Make, list and revoke API keys, tell whose key a request carries, and find the wings that a key is for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import structlog

from graphpalace.domain.access.api_key import (
    ApiKey,
    CreatedApiKey,
    NewApiKey,
    StoredApiKey,
    key_id,
    new_key,
    parts_of,
    stored,
)
from graphpalace.domain.access.caller import Caller
from graphpalace.domain.deadline import without_deadline
from graphpalace.errors import GraphPalaceError, NotFound, Unauthorized
from graphpalace.store.access import AccessStore
from graphpalace.store.connection.database import Database

_LOG = structlog.get_logger("graphpalace.access")
_KNOWN_FOR_S = 1.5  # so a key that is revoked elsewhere works for less than two seconds, with the time of reading
_UNKNOWN_FOR_S = 0.2  # so a key that is made elsewhere works after at most this long
_USED_EVERY_S = 60.0


class ApiKeys:
    """The keys of a database. They are few, so all of them are kept in memory, and read again when that copy is old.

    A key that is not in the copy waits until the keys were read again, at most five times a second, however many
    requests come with such keys.
    """

    def __init__(
        self,
        database: Database,
        *,
        clock_s: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._stored = AccessStore(database)
        self._clock_s, self._now = clock_s, now
        self._keys: Mapping[str, StoredApiKey] = {}
        self._read_at: float | None = None
        self._reading: asyncio.Task[None] | None = None
        self._noted: dict[str, float] = {}
        self._notes: set[asyncio.Task[None]] = set()

    async def create(self, new: NewApiKey) -> CreatedApiKey:
        """Make a key and return it with its secret, which is stored nowhere.

        Raises:
            InvalidInput: If the name or a grant is not valid, or the key would have expired already.
        """
        now = self._now()
        grants = new.check(now)
        own, secret, key = new_key()
        await self._stored.create(stored(new, own, secret, grants, now=now))
        await self._read_since(self._clock_s())
        return CreatedApiKey.of(self._keys[own].listed, key)

    async def listed(self) -> list[ApiKey]:
        """Return all keys without their secrets, the oldest first."""
        return [key.listed for key in await self._stored.every()]

    async def revoke(self, key: str) -> None:
        """Delete a key. It stops to work at once here, and within two seconds in other services.

        Args:
            key: Its id, or the whole key.
        Raises:
            InvalidInput: If this is no id of a key.
            NotFound: If there is no such key.
        """
        own = key_id(key)
        deleted = await self._stored.delete(own)
        await self._read_since(self._clock_s())
        if not deleted:
            raise NotFound(f"there is no key {own!r}; `graphpalace key list` shows them", key=own)

    async def caller(self, sent: str) -> Caller:
        """Return who sent a request with a key, and note that the key was used.

        Raises:
            Unauthorized: If there is no such key, or it has expired.
            DatabaseUnavailable: If the keys cannot be read.
        """
        parts = parts_of(sent)
        known = None if parts is None else await self._find(parts[0])
        if parts is None or known is None or not known.fits(parts[1]):
            raise Unauthorized("this API key is not known here: it is wrong, or it was revoked")
        own = known.listed.id
        if known.expired(self._now()):
            raise Unauthorized(f"the API key {own} expired at {known.listed.expires_at}; ask for a new one", key=own)
        self._note(own)
        return Caller(own, known.grants)

    async def valid(self, own: str) -> bool:
        """Return whether a key, by its id, is still valid.

        Raises:
            DatabaseUnavailable: If the keys cannot be read.
        """
        known = await self._find(own)
        return known is not None and not known.expired(self._now())

    async def close(self) -> None:
        """Wait until the uses are noted."""
        await asyncio.gather(*self._notes, return_exceptions=True)

    async def _find(self, own: str) -> StoredApiKey | None:
        asked = self._clock_s()
        if self._read_at is None or self._read_at < asked - _KNOWN_FOR_S:
            await self._read()
        if own not in self._keys:
            await self._read_since(asked, every_s=_UNKNOWN_FOR_S)
        return self._keys.get(own)

    async def _read_since(self, moment_s: float, *, every_s: float = 0.0) -> None:
        """Read the keys anew, unless somebody has begun to do so since a moment.

        Args:
            every_s: Wait until the last time is so long ago.
        """
        while self._read_at is None or self._read_at < moment_s:
            wait_s = 0.0 if self._read_at is None else self._read_at + every_s - self._clock_s()
            await (asyncio.sleep(wait_s) if wait_s > 0 else self._read())

    async def _read(self) -> None:
        """Read the keys; whoever asks meanwhile shares what comes, or the error."""
        if self._reading is None or self._reading.done():
            self._reading = without_deadline(self._read_all())
        await asyncio.shield(self._reading)

    async def _read_all(self) -> None:
        began = self._clock_s()
        self._keys = {key.listed.id: key for key in await self._stored.every()}
        self._read_at = began

    def _note(self, own: str) -> None:
        """Note a use in the background, at most once a minute for each key."""
        now = self._clock_s()
        if now - self._noted.get(own, -_USED_EVERY_S) < _USED_EVERY_S:
            return
        self._noted[own] = now
        task = without_deadline(self._write_use(own))
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)

    async def _write_use(self, own: str) -> None:
        try:
            await self._stored.note_use(own, self._now())
        except GraphPalaceError as error:
            _LOG.warning("use_of_key_not_noted", key=own, reason=error.message)


class Wings:
    """Finds the wings of drawers."""

    def __init__(self, database: Database) -> None:
        self._stored = AccessStore(database)

    async def of_drawers(self, palace: str, drawers: Sequence[str]) -> dict[str, str]:
        """Return the names of the wings of drawers; drawers that are not in the palace are left out."""
        return await self._stored.wings_of(palace, drawers)

"""Delete what is left of drawers outside of them: in searches, lessons, memories, runs, simulations and caches."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from graphpalace.errors import NotFound
from graphpalace.operations.drawers.after_writes import Erase
from graphpalace.operations.history.search_log import SearchLog
from graphpalace.operations.learning.memories import Memories
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.known_facts import KnownFacts
from graphpalace.replica.known_names import KnownNames
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.forgetting import FoundTraces, FoundWords, erase_traces, erase_words, find_traces
from graphpalace.store.palaces.palaces import hold_palace


class Traces:
    """Finds and deletes what is left of drawers."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        memories: Memories,
        searches: SearchLog,
        *,
        names: KnownNames,
        facts: KnownFacts,
    ) -> None:
        self._database = database
        self._indexes = indexes
        self._memories = memories
        self._searches = searches
        self._names = names
        self._facts = facts
        self._told: list[Callable[[], Awaitable[None]]] = []

    def tell(self, listener: Callable[[], Awaitable[None]]) -> None:
        """Call a listener from now on whenever the caches of this process follow."""
        self._told.append(listener)

    async def find(self, palace: str, drawers: Sequence[str]) -> FoundTraces:
        """Return what is left of drawers, and change nothing."""
        await self._searches.flush()
        return await self._database.transaction(palace, lambda tx: find_traces(tx, drawers))

    @asynccontextmanager
    async def erasing(self, palace: str) -> AsyncIterator[Erase]:
        """Yield what a transaction calls before it deletes drawers. The caches of this process follow at the end."""
        await self._searches.flush()  # what a search has just found is to be found in the database

        async def erase(tx: Transaction, drawers: Sequence[str]) -> None:
            await self._renew(palace, tx, *await erase_traces(tx, await find_traces(tx, drawers)))

        yield erase
        await self.follow(palace)

    async def erase_words(self, palace: str, found: FoundWords) -> int:
        """Delete what somebody wrote outside of drawers; return how many facts about the deleted names there were."""

        async def work(tx: Transaction) -> int:
            await hold_palace(tx, palace)
            erased = await erase_words(tx, found)
            await self._renew(palace, tx, erased.drawers, erased.documents)
            return erased.facts

        facts = await self._database.transaction(palace, work)
        self._searches.forget(palace)
        self._names.forget(palace)
        self._facts.forget(palace)
        return facts

    async def follow(self, *palaces: str) -> None:
        """Bring the caches of this process up to date, so that they hold nothing of what was deleted."""
        for palace in palaces:
            with suppress(NotFound):  # the palace was dropped meanwhile
                await self._indexes.catch_up(palace)
                if (state := self._indexes.state(palace)) is not None:
                    await self._names.catch_up(palace, state)
                    await self._facts.catch_up(palace, state)
        for listener in self._told:
            await listener()

    async def _renew(self, palace: str, tx: Transaction, drawers: Sequence[str], documents: Sequence[str]) -> None:
        """Compute the memories again that had questions which are deleted."""
        await self._memories.renew_drawers(palace, tx, drawers)
        await self._memories.renew_documents(palace, tx, documents)

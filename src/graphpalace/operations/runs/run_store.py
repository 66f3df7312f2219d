"""Store runs, the kept results of lanes and fusions, in Neo4j, with the recently used ones cached in memory."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Set
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from graphpalace.domain.runs.run import DrawerColumns, Run
from graphpalace.errors import Conflict, NotFound
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.runs import StoredRuns


def utc_now() -> datetime:
    """Return the current time in UTC, cut to whole milliseconds, the precision in which Neo4j returns it."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


class RunStore:
    """Stores runs for a number of hours. A run never changes, so runs can be cached in memory."""

    def __init__(
        self, database: Database, *, ttl_h: float, memory_runs: int, now: Callable[[], datetime] = utc_now
    ) -> None:
        self._palaces = PalaceStore(database)
        self._stored = StoredRuns(database)
        self._ttl_h = ttl_h
        self._memory_runs = memory_runs
        self._now = now
        self._runs: OrderedDict[tuple[str, str], Run] = OrderedDict()
        self._members: OrderedDict[tuple[str, str, int], DrawerColumns] = OrderedDict()

    async def put(self, run: Run, *, digits: int) -> Run:
        """Store a new run; return it with its id, its times, and its id at the end of its history.

        Args:
            run: Its `id` is the prefix of the id to be generated.
            digits: Number of random hexadecimal digits after the prefix, even.

        Raises:
            Conflict: If three generated ids in a row were taken.
            NotFound: If the palace was dropped meanwhile.
        """
        created = self._now()
        for _ in range(3):
            own = f"{run.id}-{secrets.token_hex(digits // 2)}"
            expires = created + timedelta(hours=self._ttl_h)
            named = replace(run, id=own, created_at=created, expires_at=expires, history=(*run.history, own))
            if await self._stored.create(run.palace, named):
                self._remember(named)
                return named
        await self._palaces.get(run.palace)  # storing also fails if the palace was dropped meanwhile
        raise Conflict(f"three ids for a run of {run.id} were taken; try again", palace=run.palace)

    async def get(self, palace: str, run_id: str) -> Run:
        """Return a run.

        Raises:
            NotFound: If it is not in the palace, or has expired.
        """
        run = self._runs.get((palace, run_id))
        if run is None or run.expires_at <= self._now():  # its life may have been extended since it was cached
            self._runs.pop((palace, run_id), None)
            run = await self._stored.get(palace, run_id)
        if run is None:
            await self._palaces.get(palace)
            raise NotFound(
                f"there is no run {run_id!r} in palace {palace!r}; runs are kept for {self._ttl_h:g} h",
                run_id=run_id,
                palace=palace,
            )
        if run.expires_at <= self._now():
            raise NotFound(
                f"run {run_id!r} expired at {run.expires_at.isoformat()}; runs are kept for {self._ttl_h:g} h: "
                "search again",
                run_id=run_id,
                expired_at=run.expires_at.isoformat(),
            )
        self._remember(run)
        return run

    async def members(self, palace: str, run: Run, *, revision: int) -> DrawerColumns:
        """Return the columns of a run's drawers that a fusion needs, at a revision of the palace."""
        key = (palace, run.id, revision)
        if key not in self._members:
            self.remember_members(run, await self._stored.members(palace, run.ids), revision=revision)
        self._members.move_to_end(key)
        return self._members[key]

    def remember_members(self, run: Run, members: DrawerColumns, *, revision: int) -> None:
        """Cache the columns of a run's drawers in memory."""
        self._members[run.palace, run.id, revision] = members
        while len(self._members) > self._memory_runs:
            self._members.popitem(last=False)

    def forget(self, palace: str) -> None:
        """Drop the cached runs of a palace."""
        self._runs = OrderedDict((key, run) for key, run in self._runs.items() if key[0] != palace)
        self._members = OrderedDict((key, known) for key, known in self._members.items() if key[0] != palace)

    def forget_drawers(self, palace: str, drawers: Set[str]) -> None:
        """Drop the cached runs of a palace that name one of some drawers."""
        known = self._runs.items()
        gone = {key for key, run in known if key[0] == palace and not drawers.isdisjoint(_named(run))}
        self._runs = OrderedDict((key, run) for key, run in known if key not in gone)
        self._members = OrderedDict(
            (key, members)
            for key, members in self._members.items()
            if key[0] != palace or drawers.isdisjoint(members.ids)
        )

    def _remember(self, run: Run) -> None:
        self._runs[run.palace, run.id] = run
        self._runs.move_to_end((run.palace, run.id))
        while len(self._runs) > self._memory_runs:
            self._runs.popitem(last=False)


def _named(run: Run) -> Iterable[str]:
    return (*run.ids, *(other for others in run.folded.values() for other in others))

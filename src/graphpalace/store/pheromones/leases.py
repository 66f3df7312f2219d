"""The leases on the decay of palaces, kept in the palaces themselves."""

from __future__ import annotations

from graphpalace.domain.graph.decay import DecayLease
from graphpalace.store.connection.database import Database


class LeaseStore:
    """Gives the lease on a palace's decay to one service at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def acquire(self, palace: str, *, by: str, lease_ms: int) -> DecayLease | None:
        """Take the lease, if nobody has it or its holder let it run out; None if there is no such palace.

        Args:
            by: Who asks for it.
            lease_ms: Milliseconds after which another may have it.
        """
        rows = await self._database.write(palace, "pheromones/lease_acquire", by=by, lease_ms=lease_ms)
        return DecayLease(**rows[0]) if rows else None

    async def renew(self, palace: str, *, by: str, lease_ms: int) -> bool:
        """Keep the lease for longer; return false if another has taken it meanwhile."""
        return bool(await self._database.write(palace, "pheromones/lease_renew", by=by, lease_ms=lease_ms))

    async def release(self, palace: str, *, by: str) -> None:
        """Give the lease back; if another has taken it meanwhile, it stays theirs."""
        await self._database.write(palace, "pheromones/lease_release", by=by)

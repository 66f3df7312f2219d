"""Store the leases on the decay of palaces, as properties of the palaces."""

from __future__ import annotations

from graphpalace.domain.graph.decay import DecayLease
from graphpalace.store.connection.database import Database


class LeaseStore:
    """Gives the lease on a palace's decay to one service at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def acquire(self, palace: str, *, by: str, lease_ms: int) -> DecayLease | None:
        """Take the lease if nobody holds it or it has expired; return who holds it now.

        Args:
            by: Name of the service that asks for it.
            lease_ms: Milliseconds until it expires.

        Returns:
            None if the palace does not exist.
        """
        rows = await self._database.write(palace, "pheromones/lease_acquire", by=by, lease_ms=lease_ms)
        return DecayLease(**rows[0]) if rows else None

    async def renew(self, palace: str, *, by: str, lease_ms: int) -> bool:
        """Extend the lease; return False if another service has taken it meanwhile."""
        return bool(await self._database.write(palace, "pheromones/lease_renew", by=by, lease_ms=lease_ms))

    async def release(self, palace: str, *, by: str) -> None:
        """Release the lease, unless another service has taken it meanwhile."""
        await self._database.write(palace, "pheromones/lease_release", by=by)

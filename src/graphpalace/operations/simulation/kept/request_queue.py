"""Send requests to the service that holds a simulation. They are stored in Neo4j and read with its next heartbeat."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Literal

from graphpalace.domain.simulation.kept_simulation import StoredSimulation
from graphpalace.errors import Conflict
from graphpalace.operations.simulation.kept.simulation_store import SimulationStore

_PATIENCE_S, _LOOK_S = 10.0, 0.1


class RequestQueue:
    """Sends requests to the owners of simulations, and waits until they are done."""

    def __init__(self, store: SimulationStore, *, patience_s: float = _PATIENCE_S) -> None:
        self._store = store
        self._patience_s = patience_s

    async def ask(
        self, name: str, request: Literal["pause", "resume", "stop"], *, until: Callable[[StoredSimulation], bool]
    ) -> None:
        """Send a request, and return when the owner has carried it out.

        Args:
            until: Whether the stored record shows that the request was carried out.

        Raises:
            Conflict: If the owner refuses, does not answer in time, or no longer holds the simulation.
        """
        owner = await self._store.stored.ask(name, request)
        asked_at = time.monotonic()
        while owner is not None:
            kept = await self._store.there(name)
            if until(kept):
                return
            if kept.refusal:
                raise Conflict(f"{owner} was asked to {request} simulation {name!r}: {kept.refusal}", simulation=name)
            if not kept.held:
                break
            if time.monotonic() - asked_at > self._patience_s:
                lease_s = self._store.service.lease_s
                raise Conflict(
                    f"simulation {name!r} is held by {owner}, which was asked to {request} it and has not answered for "
                    f"{self._patience_s:g} s; if that process is dead, try again in {lease_s:g} s, when its lease has "
                    "expired",
                    simulation=name,
                    owner=owner,
                )
            await asyncio.sleep(_LOOK_S)
        raise Conflict(f"no service holds simulation {name!r} any more: try again", simulation=name)

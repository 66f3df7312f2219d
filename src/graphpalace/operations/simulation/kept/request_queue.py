"""Requests to the service that holds a simulation: written in the graph, obeyed at its next heartbeat."""

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
    """Asks for something, and waits until it is done."""

    def __init__(self, store: SimulationStore, *, patience_s: float = _PATIENCE_S) -> None:
        self._store = store
        self._patience_s = patience_s

    async def ask(
        self, name: str, request: Literal["pause", "resume", "stop"], *, until: Callable[[StoredSimulation], bool]
    ) -> None:
        """Return once the owner has done it.

        Args:
            until: Whether what is kept shows that it is done.
        Raises:
            Conflict: If the owner refuses, does not answer, or holds it no longer.
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
                    f"{self._patience_s:g} s; if that process is dead, try again when it has not been heard of for "
                    f"{lease_s:g} s",
                    simulation=name,
                    owner=owner,
                )
            await asyncio.sleep(_LOOK_S)
        raise Conflict(f"simulation {name!r} is held by nobody any more: try again", simulation=name)

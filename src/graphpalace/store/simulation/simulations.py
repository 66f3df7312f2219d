"""Store simulations as nodes (:Simulation) with their owner, and count keywords for them in the database."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from graphpalace.domain.simulation.kept_simulation import (
    HeartbeatAnswer,
    ServiceIdentity,
    SimulationClaim,
    StoredSimulation,
)
from graphpalace.store.connection.database import Database, Row
from graphpalace.store.simulation.jobs import StoredStates, parts_of

_NESTED = ("settings", "corpus", "metrics", "results", "report", "loading", "unused_params")
_OF_OWNER = ("name", "palace", "owner", "owner_name", "held", "refusal", "viewed_at")  # queries set these


class StoredSimulations:
    """Stores simulations for a service.

    Args:
        service: The service that writes.
    """

    def __init__(self, database: Database, service: ServiceIdentity) -> None:
        self._database = database
        self._states = StoredStates(database)
        self.service = service

    async def claim(self, kept: StoredSimulation, *, hold: bool, state: bytes | None = None) -> SimulationClaim | None:
        """Store a simulation, unless another service holds it.

        Args:
            hold: Whether this service holds the simulation from now on.
            state: The complete state. b"" deletes the stored state and picture; None keeps the stored state.

        Returns:
            None if the palace does not exist.
        """
        rows = await self._database.write(
            kept.palace,
            "simulation/claim_simulation",
            name=kept.name,
            owner=self.service.id,
            owner_name=self.service.name,
            lease_ms=self.service.lease_ms if hold else 0,
            written_at=time.monotonic_ns(),
            properties=_properties({name: value for name, value in asdict(kept).items() if name not in _OF_OWNER}),
            parts=None if state is None else parts_of(state),
        )
        return SimulationClaim(rows[0]["claimed"], rows[0]["owner_name"]) if rows else None

    async def keep(
        self,
        name: str,
        *,
        hold: bool | None,
        written_at: int | None = None,
        newest: bool = False,
        properties: Mapping[str, Any],
        state: bytes | None = None,
        view: Sequence[bytes] | None = None,
    ) -> bool:
        """Store the current data of a simulation.

        Args:
            hold: Whether this service continues to hold the simulation; None keeps this as it is.
            written_at: When the data were read, on the service's monotonic clock in nanoseconds; None: now. Nothing is
                stored if the simulation was claimed since, because the data are then of an earlier run.
            newest: Whether to store nothing if this service has already stored something newer, because one write can
                overtake another.
            properties: Fields of `StoredSimulation` to change; the others stay.
            state: The complete state; None keeps the stored state.
            view: Messages for new subscribers; None keeps the stored messages.

        Returns:
            False if another service owns the simulation, or it was claimed anew. Nothing is stored then.
        """
        return bool(
            await self._database.write(
                None,
                "simulation/keep_simulation",
                name=name,
                owner=self.service.id,
                lease_ms=None if hold is None else self.service.lease_ms if hold else 0,
                written_at=time.monotonic_ns() if written_at is None else written_at,
                newest=newest,
                properties=_properties(properties),
                parts=None if state is None else parts_of(state),
                views=None if view is None else list(view),
            )
        )

    async def renew(self, beats: Mapping[str, Mapping[str, Any]], *, written_at: int) -> dict[str, HeartbeatAnswer]:
        """Store the progress of the simulations that this service holds, and renew their leases.

        Args:
            beats: Fields of `StoredSimulation`, by the name of the simulation.
            written_at: When they were read, on the service's monotonic clock in nanoseconds. They do not replace newer
                data.

        Returns:
            The requests of other services, by name. Simulations that this service no longer owns are left out.
        """
        rows = await self._database.write(
            None,
            "simulation/renew_simulations",
            owner=self.service.id,
            lease_ms=self.service.lease_ms,
            written_at=written_at,
            beats=[{"name": name, "properties": _properties(given)} for name, given in beats.items()],
        )
        return {row["name"]: HeartbeatAnswer(row["request"], row["watched"]) for row in rows}

    async def release(self, names: Sequence[str], *, written_at: int, given_up: bool = False) -> None:
        """Release simulations, so that other services can take them.

        Args:
            written_at: As in `renew`.
            given_up: Whether this service writes nothing of them any more. Then nothing that it has sent before, and
                that is still on its way, changes them either.
        """
        await self._database.write(
            None,
            "simulation/release_simulations",
            owner=self.service.id,
            names=list(names),
            written_at=written_at,
            given_up=given_up,
        )

    async def ask(self, name: str, request: str) -> str | None:
        """Send a request to the service that holds a simulation.

        Returns:
            The name of that service; None if no other service holds the simulation.
        """
        rows = await self._database.write(
            None, "simulation/ask_simulation", name=name, owner=self.service.id, request=request
        )
        return rows[0]["owner_name"] if rows else None

    async def refuse(self, name: str, refusal: str) -> None:
        """Store why this service refuses a request of another service."""
        await self._database.write(None, "simulation/refuse_request", name=name, owner=self.service.id, refusal=refusal)

    async def watch(self, names: Sequence[str]) -> list[StoredSimulation]:
        """Return simulations that clients of this service watch, and inform the services that own them."""
        rows = await self._database.write(
            None, "simulation/watch_simulations", owner=self.service.id, names=list(names)
        )
        return [_kept(row) for row in rows]

    async def show_findings(
        self, palace: str, name: str, results: Sequence[dict[str, Any]], *, written_at: int
    ) -> None:
        """Link a simulation to the drawers that it found.

        Args:
            written_at: As in `keep`.
        """
        found = [{"id": one["id"], "rank": rank, "score": one["score"]} for rank, one in enumerate(results, 1)]
        await self._database.write(
            palace, "simulation/show_findings", name=name, owner=self.service.id, written_at=written_at, found=found
        )

    async def get(self, name: str) -> StoredSimulation | None:
        """Return a simulation; None if it does not exist."""
        rows = await self._database.read(None, "simulation/get_simulation", name=name)
        return _kept(rows[0]) if rows else None

    async def every(self) -> list[StoredSimulation]:
        """Return all stored simulations, sorted by name."""
        return [_kept(row) for row in await self._database.read(None, "simulation/list_simulations")]

    async def state(self, name: str) -> bytes:
        """Return the complete state of a simulation; b"" if none is stored."""
        return b"".join(await self._states.parts(name))

    async def view(self, name: str) -> list[bytes]:
        """Return the messages that are stored for new subscribers."""
        return await self._states.parts(f"{name}/view")


def _properties(given: Mapping[str, Any]) -> dict[str, Any]:
    nested = {name: json.dumps(given[name], ensure_ascii=False) for name in _NESTED if name in given}
    return dict(given) | nested


def _kept(row: Row) -> StoredSimulation:
    known, given = {one.name for one in fields(StoredSimulation)}, row["simulation"]
    properties = {name: value for name, value in given.items() if name in known}
    if "clock_s" in given:  # stored by a version that counted the seconds of steps and had no presets
        properties.setdefault("began_at", given["updated_at"].to_native().timestamp() - given["clock_s"])
        properties.setdefault("preset", "seed")
    nested = {name: json.loads(properties[name]) for name in _NESTED if name in properties}
    return StoredSimulation(**properties | nested | {"held": row["held"]})


class KeywordStore:
    """Counts keywords."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def counts(self, palace: str, terms: Sequence[str]) -> dict[str, int]:
        """Return how many of the given words each drawer's text contains. Drawers without any are left out.

        Args:
            terms: Different words in lower case. The case of the text is ignored.
        """
        rows = await self._database.read(palace, "simulation/count_keywords", terms=list(terms))
        return dict(zip(rows[0]["ids"], rows[0]["hits"], strict=True)) if rows else {}

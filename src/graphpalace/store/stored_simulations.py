"""Simulations as nodes: (:Simulation) with what it is now and who holds it, (:SimulationState) with its next step."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from graphpalace.store.database import Database, Row

_PART_BYTES = 4 * 2**20
_NESTED = ("settings", "corpus", "metrics", "results", "report", "loading", "unused_params")
_OF_OWNER = ("name", "palace", "owner", "owner_name", "held", "refusal", "viewed_at")  # queries set these


@dataclass(frozen=True, slots=True)
class Service:
    """A process that works on the database.

    Attributes:
        id: Another one for each start.
        name: For people: machine and process.
        lease_s: Seconds after which others may take what it holds if it is not heard of.
    """

    id: str
    name: str
    lease_s: float

    @property
    def lease_ms(self) -> int:
        """The lease in milliseconds."""
        return max(1, round(self.lease_s * 1000))


@dataclass(frozen=True, slots=True)
class KeptSimulation:
    """What is kept of a simulation beside its state.

    Attributes:
        state: `idle`, `loading`, `running`, `paused`, `stopped` or `failed`.
        seed: None before the first start.
        settings: Those that differ from the defaults of the service.
        corpus: Which documents it walks over; None before the first start.
        loading: How far its corpus is read: `stage`, `done`, `of`.
        results: Best first, as doors show them.
        unused_params: What was given to the last start and means nothing to it.
        preset: Whose numbers the run goes on with, whatever the next start takes; None before the first start.
        began_at: Unix time from which its seconds are counted; None before the first start.
        owner: Id of the service that wrote it last; `owner_name` is for people.
        held: Whether the owner's lease runs: nobody else may change the simulation then.
        refusal: Why the owner did not do what another service asked for.
        viewed_at: When its picture was kept, in milliseconds since 1970.
    """

    name: str
    palace: str
    state: str = "idle"
    step: int = 0
    docs: int = 0
    agents: int = 0
    query: str = ""
    seed: int | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    corpus: dict[str, Any] | None = None
    loading: dict[str, Any] | None = None
    metrics: dict[str, Any] | None = None
    steps_per_s: float = 0.0
    results: list[dict[str, Any]] = field(default_factory=list)
    report: dict[str, Any] | None = None
    stopped_by: str | None = None
    error: str | None = None
    unused_params: dict[str, Any] = field(default_factory=dict)
    began_at: float | None = None
    preset: str | None = None
    owner: str | None = None
    owner_name: str | None = None
    held: bool = False
    refusal: str | None = None
    viewed_at: int = 0

    def held_elsewhere(self, service: Service) -> bool:
        """Return whether another service holds it."""
        return self.held and self.owner != service.id


async def claim_simulation(
    database: Database, kept: KeptSimulation, service: Service, *, hold: bool, state: bytes | None = None
) -> Row | None:
    """Keep a simulation unless another service holds it.

    Args:
        hold: Whether the service holds it from now on.
        state: Its complete state; b"" for none any more, and no picture; None to leave the one that is kept.
    Returns:
        `claimed`, and the `owner_name` of who holds it; None where there is no such palace.
    """
    rows = await database.write(
        "simulation/claim_simulation",
        palace=kept.palace,
        name=kept.name,
        owner=service.id,
        owner_name=service.name,
        lease_ms=service.lease_ms if hold else 0,
        written_at=time.monotonic_ns(),
        properties=_properties({name: value for name, value in asdict(kept).items() if name not in _OF_OWNER}),
        parts=None if state is None else parts_of(state),
    )
    return rows[0] if rows else None


async def keep_simulation(
    database: Database,
    name: str,
    service: Service,
    *,
    hold: bool | None,
    newest: bool = False,
    properties: Mapping[str, Any],
    state: bytes | None = None,
    view: Sequence[bytes] | None = None,
) -> bool:
    """Keep what a simulation is now; return whether it was kept, which it is not if another service owns it.

    Args:
        hold: Whether the service goes on to hold it; None to leave that as it is.
        newest: Whether nothing is kept if the service has written something newer; writes can overtake each other.
        properties: Fields of `KeptSimulation`; the others stay.
        state: Its complete state; None to leave the one that is kept.
        view: Messages for who watches; None to leave those that are kept.
    """
    return bool(
        await database.write(
            "simulation/keep_simulation",
            name=name,
            owner=service.id,
            lease_ms=None if hold is None else service.lease_ms if hold else 0,
            written_at=time.monotonic_ns(),
            newest=newest,
            properties=_properties(properties),
            parts=None if state is None else parts_of(state),
            views=None if view is None else list(view),
        )
    )


def parts_of(state: bytes) -> list[bytes]:
    """Return a state in parts of a size that Neo4j likes as a property."""
    return [state[at : at + _PART_BYTES] for at in range(0, len(state), _PART_BYTES)]


async def renew_simulations(
    database: Database, service: Service, beats: Mapping[str, Mapping[str, Any]], *, written_at: int
) -> dict[str, Row]:
    """Tell how far each simulation is that a service holds.

    Args:
        beats: Fields of `KeptSimulation` by name.
        written_at: When they were gathered, on the service's monotonic clock in nanoseconds; newer writes stay.
    Returns:
        By name what others ask for (`request`) and whether somebody elsewhere watches (`watched`); what the service
        does not own any more is left out.
    """
    rows = await database.write(
        "simulation/renew_simulations",
        owner=service.id,
        lease_ms=service.lease_ms,
        written_at=written_at,
        beats=[{"name": name, "properties": _properties(given)} for name, given in beats.items()],
    )
    return {row["name"]: row for row in rows}


async def release_simulations(database: Database, service: Service, names: Sequence[str], *, written_at: int) -> None:
    """Let others take simulations.

    Args:
        written_at: As `renew_simulations`.
    """
    await database.write("simulation/release_simulations", owner=service.id, names=list(names), written_at=written_at)


async def ask_simulation(database: Database, name: str, service: Service, request: str) -> str | None:
    """Ask the service that holds a simulation for something; return its name, None if no other service holds it."""
    rows = await database.write("simulation/ask_simulation", name=name, owner=service.id, request=request)
    return rows[0]["owner_name"] if rows else None


async def refuse_request(database: Database, name: str, service: Service, refusal: str) -> None:
    """Say why what was asked for is not done."""
    await database.write("simulation/refuse_request", name=name, owner=service.id, refusal=refusal)


async def watch_simulations(database: Database, service: Service, names: Sequence[str]) -> list[KeptSimulation]:
    """Return simulations that somebody watches at a service; their owners learn of it."""
    rows = await database.write("simulation/watch_simulations", owner=service.id, names=list(names))
    return [_kept(row) for row in rows]


async def show_findings(database: Database, palace: str, name: str, results: Sequence[dict[str, Any]]) -> None:
    """Lead from a simulation to the drawers it found."""
    found = [{"id": one["id"], "rank": rank, "score": one["score"]} for rank, one in enumerate(results, 1)]
    await database.write("simulation/show_findings", palace=palace, name=name, found=found)


async def get_simulation(database: Database, name: str) -> KeptSimulation | None:
    """Return what is kept under a name."""
    rows = await database.read("simulation/get_simulation", name=name)
    return _kept(rows[0]) if rows else None


async def list_simulations(database: Database) -> list[KeptSimulation]:
    """Return all that are kept, by name."""
    return [_kept(row) for row in await database.read("simulation/list_simulations")]


async def read_state(database: Database, name: str) -> bytes:
    """Return the complete state; b"" if none is kept."""
    return b"".join([bytes(row["data"]) for row in await database.read("simulation/read_state", name=name)])


async def read_view(database: Database, name: str) -> list[bytes]:
    """Return the messages that are kept for who watches."""
    return [bytes(row["data"]) for row in await database.read("simulation/read_state", name=f"{name}/view")]


def _properties(given: Mapping[str, Any]) -> dict[str, Any]:
    nested = {name: json.dumps(given[name], ensure_ascii=False) for name in _NESTED if name in given}
    return dict(given) | nested


def _kept(row: Row) -> KeptSimulation:
    known, given = {one.name for one in fields(KeptSimulation)}, row["simulation"]
    properties = {name: value for name, value in given.items() if name in known}
    if "clock_s" in given:  # kept when seconds were those of its steps, and when there were no presets
        properties.setdefault("began_at", given["updated_at"].to_native().timestamp() - given["clock_s"])
        properties.setdefault("preset", "seed")
    nested = {name: json.loads(properties[name]) for name in _NESTED if name in properties}
    return KeptSimulation(**properties | nested | {"held": row["held"]})

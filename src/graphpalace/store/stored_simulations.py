"""Simulations as nodes: (:Simulation) with what it is now, (:SimulationState) with what its next step depends on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from graphpalace.store.database import Database, Row

_PART_BYTES = 4 * 2**20
_NESTED = ("settings", "corpus", "metrics", "results", "report", "unused_params")


@dataclass(frozen=True, slots=True)
class KeptSimulation:
    """What is kept of a simulation beside its state.

    Attributes:
        state: `idle`, `running`, `paused`, `stopped` or `failed`.
        seed: None before the first start.
        settings: Those that differ from the defaults of the service.
        corpus: Which documents it walks over; None before the first start.
        results: Best first, as doors show them.
        unused_params: What was given to the last start and means nothing to it.
        began_at: Unix time from which its seconds are counted; None before the first start.
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
    metrics: dict[str, Any] | None = None
    results: list[dict[str, Any]] = field(default_factory=list)
    report: dict[str, Any] | None = None
    stopped_by: str | None = None
    error: str | None = None
    unused_params: dict[str, Any] = field(default_factory=dict)
    began_at: float | None = None


async def keep_simulation(database: Database, kept: KeptSimulation, *, state: bytes | None = None) -> None:
    """Keep a simulation.

    Args:
        state: Its complete state; b"" for none any more, None to leave the one that is kept.
    """
    properties = asdict(kept)
    for name in _NESTED:
        properties[name] = json.dumps(properties[name], ensure_ascii=False)
    parts = None if state is None else parts_of(state)
    await database.write(
        "simulation/keep_simulation", palace=kept.palace, name=kept.name, properties=properties, parts=parts
    )


def parts_of(state: bytes) -> list[bytes]:
    """Return a state in parts of a size that Neo4j likes as a property."""
    return [state[at : at + _PART_BYTES] for at in range(0, len(state), _PART_BYTES)]


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


def _kept(row: Row) -> KeptSimulation:
    properties = dict(row["simulation"])
    kept_at, ran_s = properties.pop("updated_at"), properties.pop("clock_s", None)
    if ran_s is not None:  # of one that was kept when seconds were those of its steps
        properties.setdefault("began_at", kept_at.to_native().timestamp() - ran_s)
    return KeptSimulation(**properties | {name: json.loads(properties[name]) for name in _NESTED if name in properties})

"""A simulation: its start, how the database stores it, and the lease by which one service works on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ServiceIdentity:
    """Identifies a service process to the other services that use the same database.

    Attributes:
        id: Unique for each start of the process.
        name: Machine and process, for people to read.
        lease_s: Duration of its leases in seconds. After that time without a heartbeat, another service may take over.
    """

    id: str
    name: str
    lease_s: float

    @property
    def lease_ms(self) -> int:
        """The lease in milliseconds."""
        return max(1, round(self.lease_s * 1000))


@dataclass(frozen=True, slots=True)
class StoredSimulation:
    """A stored simulation, without the state of its swarm.

    Attributes:
        palace: Name of the palace that stores the simulation.
        state: `idle`, `loading`, `running`, `paused`, `stopped` or `failed`.
        step: Number of steps made.
        docs, agents: Number of documents and agents.
        seed: Random seed of the last start; None before the first start.
        settings: Those that differ from the defaults of the service.
        corpus: The choice of documents; None before the first start.
        loading: Progress of loading the corpus: `stage`, `done`, `of`.
        results: Findings as JSON, best first.
        report: The latest report as JSON.
        stopped_by: Why the run ended.
        unused_params: Parameters of the last start that have no effect.
        preset: The preset of the last start, which the run keeps even if the settings for the next start name another;
            None before the first start.
        began_at: Unix time at which the simulation's clock started, in seconds; None before the first start.
        owner: Id of the service that wrote it last; "" after it gave the simulation up.
        owner_name: The name of that service, for people to read.
        held: Whether the owner's lease is valid; then no other service may change the simulation.
        refusal: Why the owner refused the last request of another service; None if it did not.
        viewed_at: When the latest picture was stored, in milliseconds since 1970.
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

    def held_elsewhere(self, service: ServiceIdentity) -> bool:
        """Return whether a service other than `service` holds the lease."""
        return self.held and self.owner != service.id


@dataclass(frozen=True, slots=True)
class SimulationClaim:
    """The answer to a service that claims a simulation.

    Attributes:
        claimed: Whether the service got it.
        owner_name: The name of the service that holds it now.
    """

    claimed: bool
    owner_name: str


@dataclass(frozen=True, slots=True)
class HeartbeatAnswer:
    """What a service learns about a simulation that it holds when it renews the lease.

    Attributes:
        request: What another service asks for: `pause`, `resume` or `stop`; None for nothing.
        watched: Whether subscribers of another service watch the simulation.
    """

    request: str | None
    watched: bool


@dataclass(frozen=True, slots=True)
class SimulationStart:
    """A request to start a simulation.

    Attributes:
        given: Settings to change for this start; the new values are stored with the simulation.
        choice: The corpus, by palace, wing, room, drawers or root (a folder). None uses the corpus of the last start,
            or the whole palace if there was none.
        paced: Whether `max_steps_per_s` limits the speed.
        replace_running: Whether a running simulation of the same name is stopped; otherwise the start is refused.
        unused_params: Parameters of the caller that have no effect here; the status shows them.
    """

    given: Mapping[str, Any]
    choice: Mapping[str, Any] | None = None
    paced: bool = True
    replace_running: bool = True
    unused_params: Mapping[str, Any] = field(default_factory=dict)

"""A simulation as it is kept, and who holds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ServiceIdentity:
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
class StoredSimulation:
    """What is kept of a simulation beside its state.

    Attributes:
        state: `idle`, `loading`, `running`, `paused`, `stopped` or `failed`.
        seed: None before the first start.
        settings: Those that differ from the defaults of the service.
        corpus: Which documents it walks over; None before the first start.
        loading: How far its corpus is read: `stage`, `done`, `of`.
        results: Best first, as doors show them.
        unused_params: What was given to the last start and means nothing to it.
        preset: Whose numbers it goes on with, whatever the next start takes; None before the first start.
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

    def held_elsewhere(self, service: ServiceIdentity) -> bool:
        """Return whether another service holds it."""
        return self.held and self.owner != service.id


@dataclass(frozen=True, slots=True)
class SimulationClaim:
    """What became of claiming a simulation.

    Attributes:
        owner_name: Who holds it, for people.
    """

    claimed: bool
    owner_name: str


@dataclass(frozen=True, slots=True)
class HeartbeatAnswer:
    """What others want of a simulation that a service holds.

    Attributes:
        request: pause, resume or stop; None: nothing.
        watched: Whether somebody elsewhere watches it.
    """

    request: str | None
    watched: bool

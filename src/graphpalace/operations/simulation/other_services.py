"""What services do with each other's simulations: renew leases, send and obey requests, and show what another holds."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Mapping, Set
from typing import Any, Literal, Protocol

import structlog

from graphpalace.domain.deadline import without_deadline
from graphpalace.domain.simulation.kept_simulation import StoredSimulation
from graphpalace.errors import Conflict, GraphPalaceError
from graphpalace.operations.simulation.simulation_store import SimulationStore
from graphpalace.operations.simulation.subscribers import Subscriber, Subscribers
from graphpalace.store.simulation.simulations import StoredSimulations
from graphpalace.telemetry.work_ids import background_task

_LOG = structlog.get_logger("graphpalace.simulation")
BEAT_S = 1.0


class LeaseHolder(Protocol):
    """The owner of simulations, whose leases the heartbeat renews."""

    @property
    def figures(self) -> Mapping[str, Mapping[str, Any]]:
        """Progress of each held simulation, as fields of its stored record, by name."""
        ...

    @property
    def ending(self) -> Set[str]:
        """Names of the simulations that are no longer held, but whose end is still being stored."""
        ...

    async def obey(self, name: str, request: str) -> None:
        """Carry out the request of another service: `pause`, `resume` or `stop`."""
        ...

    async def show(self, name: str) -> None:
        """Store a picture for clients of other services."""
        ...

    def lose(self, name: str) -> None:
        """Give up a simulation that was deleted, or that another service took over."""
        ...


class Heartbeat:
    """Renews leases every second, as long as any simulation is held."""

    def __init__(self, stored: StoredSimulations, holder: LeaseHolder) -> None:
        self._stored = stored
        self._holder = holder
        self._task: asyncio.Task[None] | None = None
        self._before: set[str] = set()
        self._errands: dict[tuple[str, str], asyncio.Task[None]] = {}

    def start(self) -> None:
        """Start the heartbeat if it is not running."""
        if self._task is None or self._task.done():
            self._task = background_task("simulations", self._beat())

    async def beat(self) -> None:
        """Renew the leases of held simulations, release those no longer held, and handle requests.

        A simulation whose end is still being stored is neither renewed nor released: until then its stored state is
        that of a running one, and nobody else may take it.

        Raises:
            DatabaseUnavailable: If Neo4j cannot be reached. The simulations stay held meanwhile.
        """
        holder, gathered_at = self._holder, time.monotonic_ns()
        figures, ending = holder.figures, self._before & holder.ending
        gone, self._before = self._before - figures.keys() - ending, figures.keys() | ending
        if gone:
            await self._stored.release(sorted(gone), written_at=gathered_at)
        if not figures:
            return
        heard = await self._stored.renew(figures, written_at=gathered_at)
        for name in figures.keys() - heard.keys():
            if name in holder.figures:  # otherwise it has ended meanwhile
                _LOG.warning("simulation_lost", simulation=name)
                holder.lose(name)
        for name, answer in heard.items():
            if answer.request:
                self._send("request", name, self._obeyed(name, answer.request))
            if answer.watched:
                self._send("picture", name, holder.show(name))

    async def close(self) -> None:
        """Stop the heartbeat and give up all simulations. Nothing that is still on its way to Neo4j changes them."""
        tasks = [*self._errands.values(), *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if held := self._before | self._holder.figures.keys():
            with contextlib.suppress(GraphPalaceError):  # otherwise the leases expire
                await self._stored.release(sorted(held), written_at=time.monotonic_ns(), given_up=True)

    async def _beat(self) -> None:
        while True:
            try:
                await self.beat()
            except GraphPalaceError as error:
                _LOG.warning("simulations_not_renewed", reason=error.message)
            if not self._before and not self._holder.figures:
                return
            await asyncio.sleep(BEAT_S)

    def _send(self, kind: str, name: str, errand: Coroutine[Any, Any, None]) -> None:
        """Run a task in the background, with one task of a kind for each simulation at a time."""
        earlier = self._errands.get((kind, name))
        if kind == "picture" and earlier is not None:
            errand.close()
            return

        async def done() -> None:
            if earlier is not None:
                await asyncio.wait({earlier})
            try:
                await errand
            except GraphPalaceError as error:
                _LOG.warning("simulation_errand_failed", simulation=name, errand=kind, reason=error.message)

        task = without_deadline(done())
        self._errands[(kind, name)] = task
        task.add_done_callback(lambda task: self._errands.get((kind, name)) is task and self._errands.pop((kind, name)))

    async def _obeyed(self, name: str, request: str) -> None:
        try:
            await self._holder.obey(name, request)
        except GraphPalaceError as error:
            await self._stored.refuse(name, error.message)


_PATIENCE_S, _ASK_AGAIN_S = 10.0, 0.1


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
            await asyncio.sleep(_ASK_AGAIN_S)
        raise Conflict(f"no service holds simulation {name!r} any more: try again", simulation=name)


_LOOK_S = 1.0
VIEW = ("snapshot", "results")


class SimulationFollower:
    """Reads the stored simulations that clients watch here, once a second, and sends them what is new."""

    def __init__(
        self,
        store: SimulationStore,
        watched: Callable[[], Mapping[str, Subscribers]],
        here: Callable[[str], bool],
    ) -> None:
        """Create a follower.

        Args:
            watched: Returns the subscribers of each simulation that has any, by name.
            here: Whether this service holds a simulation. Such a simulation informs its subscribers itself.
        """
        self._store = store
        self._watched = watched
        self._here = here
        self._told: dict[str, StoredSimulation] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start following, if it is not running."""
        if self._task is None or self._task.done():
            self._task = background_task("follow-simulations", self._follow())

    async def greet(self, seat: Subscriber, audience: Subscribers, kept: StoredSimulation) -> None:
        """Send a new client what is stored of a simulation."""
        for kind, message in zip(VIEW, await self._store.view(kept.name), strict=False):
            seat.put(kind, message)
        if kept.metrics is not None:
            seat.put("metrics", audience.message("metrics", metrics_of(kept)))
        if kept.report is not None:
            seat.put("report", audience.message("report", kept.report))

    async def look(self) -> None:
        """Send subscribers what is new in each simulation that is watched here and held elsewhere."""
        watched = {name: audience for name, audience in self._watched().items() if not self._here(name)}
        self._told = {name: kept for name, kept in self._told.items() if name in watched}
        if not watched:
            return
        for found in await self._store.stored.watch(sorted(watched)):
            kept = self._store.as_it_stands(found)
            told = self._told.get(kept.name)
            self._told[kept.name] = kept
            if kept.owner == self._store.service.id:  # subscribers were informed when it happened
                continue
            await self._tell(watched[kept.name], kept, told)

    async def close(self) -> None:
        """Stop following."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _follow(self) -> None:
        while self._watched():
            try:
                await self.look()
            except GraphPalaceError as error:
                _LOG.warning("simulations_not_followed", reason=error.message)
            await asyncio.sleep(_LOOK_S)

    async def _tell(self, audience: Subscribers, kept: StoredSimulation, told: StoredSimulation | None) -> None:
        if kept.viewed_at and (told is None or kept.viewed_at != told.viewed_at):
            for kind, message in zip(VIEW, await self._store.view(kept.name), strict=False):
                audience.pass_on(kind, message)
        if kept.loading is not None and kept.state == "loading" and (told is None or kept.loading != told.loading):
            audience.tell("loading", kept.loading)
        if told is None or (kept.state, kept.step, kept.metrics) != (told.state, told.step, told.metrics):
            audience.tell("metrics", metrics_of(kept))
        if kept.report is not None and (told is None or kept.report != told.report):
            audience.tell("report", kept.report)
        if kept.error and (told is None or kept.error != told.error):
            audience.log("error", kept.error)


def metrics_of(kept: StoredSimulation) -> dict[str, Any]:
    """Return the data of the message `metrics` for a stored simulation."""
    named = {name: getattr(kept, name) for name in ("step", "state", "agents", "docs", "steps_per_s", "stopped_by")}
    return (kept.metrics or {}) | named

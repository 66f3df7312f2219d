"""The tools that run a simulation and read its results. Source: seed 002, except for `simulation_findings`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastmcp import Context
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.domain.simulation.simulation_requests import SimulationStatus
from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.errors import GraphPalaceError, InvalidInput, NotFound
from graphpalace.serve.mcp.answers import reasons
from graphpalace.serve.mcp.arguments import Room, Wing
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read, write

_ALIASES = {"population": "num_agents", "decay_rate": "pheromone_decay"}
_ARGUMENTS = {"max_iterations": "max_steps", "seed": "seed"}
_NO_PARAMS: dict[str, Any] = {}

Name = Annotated[str, Field(description="name of the simulation", examples=["my_experiment"])]


class _Corpus(BaseModel):
    """The documents of a simulation: those of a palace, of a part of it, or of a folder."""

    model_config = ConfigDict(extra="forbid", strict=True)

    palace: str | None = None
    wing: Wing = None
    room: Room = None
    drawers: list[str] | None = Field(None, max_length=100_000)
    root: str | None = None


@dataclass(frozen=True, slots=True)
class SimulationResults:
    """How far a simulation is."""

    status: Annotated[str, Field(description="success")]
    steps_completed: int
    config: Annotated[str, Field(description="the name of the simulation")]
    simulation_status: Annotated[str, Field(description="completed or running")]
    params_not_used: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """A document that the swarm found."""

    id: str
    score: float
    path: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Findings:
    """The best documents of a simulation, best first."""

    config: str
    query: str
    seed: int | None
    findings: Sequence[Finding]


class SimulationTools:
    """The tools for simulations, which are the same ones as over HTTP."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tools."""
        return (
            replace(write(self.simulation_run, SimulationResults, "simulation", repeatable=True), exact=True),
            read(self.simulation_get_results, SimulationResults, "simulation"),
            read(self.simulation_findings, Findings, "simulation"),
        )

    async def simulation_run(
        self,
        ctx: Context,
        name: Name = "default_simulation",
        max_steps: Annotated[
            int,
            Field(gt=0, le=5000, description="largest number of steps; the simulation ends earlier if it converges"),
        ] = 1000,
        seed: Annotated[
            int | None, Field(ge=0, le=2**63 - 1, description="the same seed gives the same results")
        ] = None,
        params: Annotated[
            dict[str, Any],
            Field(
                description="settings of the swarm, for example query, population (num_agents), decay_rate "
                "(pheromone_decay), top_k, preset (standard or seed); and where it looks: palace, wing, room, drawers, "
                "or root",
                examples=[{"query": "pruning roses", "population": 100, "decay_rate": 0.95}],
            ),
        ] = _NO_PARAMS,
    ) -> dict[str, Any]:
        """Run a new simulation of the swarm over the palace's documents to its end.

        The answer is its status; simulation_findings shows what it found. Unknown params are kept and come back as
        params_not_used.
        """
        name = name.strip()
        settings, corpus, unused = _split(params)
        palace = self._palace_of(corpus.pop("palace", None))
        run = asyncio.create_task(
            palace.simulations.run(
                name,
                unused_params=unused,
                progress=_progress(ctx, max_steps),
                **corpus,
                **settings,
                max_iterations=max_steps,
                seed=seed,
            )
        )
        try:
            await asyncio.shield(run)
        except asyncio.CancelledError:
            run.cancel()  # the task still stops the simulation, which this call cannot wait for
            raise
        return _results(await palace.simulations.status(name))

    async def simulation_get_results(self, name: Name) -> dict[str, Any]:
        """Return the progress of a simulation, also while it runs and after a restart of the server."""
        return _results(await _status(self._palace_of(None), name))

    async def simulation_findings(self, name: Name) -> Findings:
        """Return the best documents of a simulation, best first: id, score, path and snippet of each."""
        palace = self._palace_of(None)
        status = await _status(palace, name)
        found = (await palace.simulations.results(status.simulation)).results
        findings = [Finding(one.id, one.score, one.path, one.snippet) for one in found]
        return Findings(status.simulation, status.query, status.seed, findings)


async def _status(palace: AsyncPalace, name: str) -> SimulationStatus:
    status = await palace.simulations.status(name.strip())
    if status.state == "idle" and status.seed is None:
        raise NotFound(
            f"there is no simulation {status.simulation!r}: start it with simulation_run", simulation=status.simulation
        )
    return status


def _results(status: SimulationStatus) -> dict[str, Any]:
    if status.state == "failed":
        raise GraphPalaceError(f"simulation {status.simulation!r} failed at {status.error}")
    answer = {
        "status": "success",
        "steps_completed": status.step,
        "config": status.simulation,
        "simulation_status": "completed" if status.state == "stopped" else "running",
    }
    return answer | ({"params_not_used": status.unused_params} if status.unused_params else {})


def _split(params: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Divide params into settings, the choice of documents, and unknown ones.

    Raises:
        InvalidInput: If a name is given twice, or a value of the choice has a wrong type.
    """
    settings, corpus, unused = dict[str, Any](), dict[str, Any](), dict[str, Any]()
    for name, value in params.items():
        field = _ALIASES.get(name, name)
        if field in _ARGUMENTS:
            raise InvalidInput(f"params has {name!r}: use the argument {_ARGUMENTS[field]} instead", field=name)
        if field in settings:
            raise InvalidInput(f"params has {field!r} twice, once as an alias: give it once", field=field)
        if field in _Corpus.model_fields:
            corpus[field] = value
        elif field in SimulationSettings.model_fields:
            settings[field] = value
        else:
            unused[name] = value
    try:
        chosen = _Corpus.model_validate(corpus)
    except ValidationError as wrong:
        raise InvalidInput(f"params: {reasons(wrong)}", fields=list(corpus)) from None
    return settings, chosen.model_dump(exclude_none=True), unused


def _progress(ctx: Context, most: int) -> Callable[[SimulationStatus], None]:
    """Return a callback that reports the progress of a simulation to a client that requested it."""
    on_its_way: set[asyncio.Task[None]] = set()
    told = 0

    def tell(now: SimulationStatus) -> None:
        nonlocal told
        step = now.step
        if on_its_way or step <= told:  # progress must increase
            return
        told = step
        task = asyncio.create_task(ctx.report_progress(step, most, f"step {step} of at most {most}"))
        on_its_way.add(task)
        task.add_done_callback(lambda ended: (on_its_way.discard(ended), ended.cancelled() or ended.exception()))

    return tell

"""The routes for live simulations and for background jobs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Query
from pydantic import Field, model_validator

from graphpalace.app import GraphPalace
from graphpalace.domain.simulation.jobs import JobList, JobStarted, JobStatus, ListedJob
from graphpalace.domain.simulation.kept_simulation import SimulationStart
from graphpalace.domain.simulation.simulation_requests import (
    SIMULATION_NAME,
    AgentCount,
    AgentsChanged,
    AgentsToAdd,
    ChangedSettings,
    CorpusPage,
    CorpusQuery,
    CorpusQuestion,
    DescribedSettings,
    DocumentQuery,
    FoundDocument,
    JobId,
    JobQuery,
    NamedSimulation,
    ResumeRequest,
    SimulationChanged,
    SimulationResults,
    SimulationStarted,
    SimulationStatus,
    SimulationStatuses,
    StatusesQuery,
    VisitedDocument,
)
from graphpalace.domain.simulation.simulation_settings import SimulationSettings, usage
from graphpalace.domain.simulation.simulations import Report
from graphpalace.offers import simulation
from graphpalace.operations.simulation.simulation_store import simulation_name
from graphpalace.operations.simulation.simulations import DEFAULT
from graphpalace.serve.http.access.needs import may_see
from graphpalace.serve.http.offered import add_general_route, add_route
from graphpalace.serve.http.request_body import PalaceField, with_whole_numbers
from graphpalace.serve.http.router import Operations, new_router

_CHOICE = ("palace", "wing", "room", "drawers", "root")


class SettingsChange(SimulationSettings):
    """Settings to change. Settings that are left out stay as they are."""

    @model_validator(mode="before")
    @classmethod
    def _with_whole_numbers(cls, given: Any) -> Any:
        return with_whole_numbers(cls, given)

    def given(self) -> dict[str, Any]:
        """Return the settings that were sent."""
        sent = self.model_dump(exclude_unset=True)
        return {name: value for name, value in sent.items() if name in SimulationSettings.model_fields}


class JobRequest(SettingsChange):
    """Settings of a simulation, and its documents: those of a palace, of a part of it, or of a folder."""

    palace: PalaceField = None
    wing: str | None = Field(None, description="only this wing")
    room: str | None = Field(None, description="only this room")
    drawers: list[str] | None = Field(None, max_length=100_000, description="only these drawers, by id")
    root: str | None = Field(None, description="path of a folder on the service's machine, instead of a palace")

    def choice(self) -> dict[str, Any]:
        """Return the requested documents."""
        return {name: getattr(self, name) for name in _CHOICE}


class StartRequest(JobRequest):
    """Settings of a simulation and its documents, and what becomes of one of the same name that runs."""

    replace: bool = Field(True, description="stop a running simulation of the same name; false: refuse to start")
    unused_params: dict[str, Any] = Field(
        default_factory=dict, description="parameters of the caller that have no effect here; the status shows them"
    )

    def start(self) -> SimulationStart:
        """Return the request as the operation takes it."""
        return SimulationStart(
            self.given(), self.choice(), unused_params=self.unused_params, replace_running=self.replace
        )


router = new_router()
_add = partial(add_general_route, router, tag="simulation")


async def _name(
    simulation: Annotated[
        str,
        Query(description="name of the simulation", max_length=64, json_schema_extra={"pattern": SIMULATION_NAME}),
    ] = DEFAULT,
) -> str:
    return simulation_name(simulation)


Name = Annotated[str, Depends(_name)]
_TAGS: list[Any] = ["simulation"]


@router.post("/mcmp/start", tags=_TAGS)
async def start(body: StartRequest, app: Operations, name: Name) -> SimulationStarted:
    """Start a simulation, and answer while it is loading. A running one of the same name is stopped or is an error."""
    return _started(await app.simulations.begin(name, body.start()))


@router.post("/mcmp/config", tags=_TAGS)
async def configure(body: SettingsChange, app: Operations, name: Name) -> ChangedSettings:
    """Change settings of a running simulation and of its next start."""
    return ChangedSettings("ok", (await app.simulations.configure(name, body.given())).model_dump())


@router.post("/mcmp/settings", tags=_TAGS)
async def change_settings(body: SettingsChange, app: Operations, name: Name) -> DescribedSettings:
    """Change settings. They are stored for the next start."""
    return DescribedSettings((await app.simulations.configure(name, body.given())).model_dump(), usage())


@router.post("/mcmp/jobs/start", tags=_TAGS)
async def start_job(body: JobRequest, app: Operations, name: Name) -> JobStarted:
    """Queue a simulation that runs in the background, over shards of the corpus."""
    return JobStarted("queued", await app.jobs.start(name, body.given(), body.choice()))


async def _stop(app: GraphPalace, asked: NamedSimulation) -> SimulationChanged:
    return _changed(await app.simulations.stop(simulation_name(asked.name)))


async def _reset(app: GraphPalace, asked: NamedSimulation) -> SimulationChanged:
    name = simulation_name(asked.name)
    await app.simulations.reset(name)
    return SimulationChanged("reset", name)


async def _pause(app: GraphPalace, asked: NamedSimulation) -> SimulationChanged:
    return _changed(await app.simulations.pause(simulation_name(asked.name)))


async def _resume(app: GraphPalace, asked: ResumeRequest) -> SimulationStarted:
    return _started(await app.simulations.resume(simulation_name(asked.name), steps=asked.steps))


async def _add_agents(app: GraphPalace, asked: AgentsToAdd) -> AgentsChanged:
    status = await app.simulations.add_agents(simulation_name(asked.name), asked.n)
    return AgentsChanged(status["state"], asked.n, status["agents"])


async def _resize_agents(app: GraphPalace, asked: AgentCount) -> AgentsChanged:
    status = await app.simulations.resize_agents(simulation_name(asked.name), asked.count)
    return AgentsChanged(status["state"], None, status["agents"])


async def _settings(app: GraphPalace, asked: NamedSimulation) -> DescribedSettings:
    return DescribedSettings((await app.simulations.views.settings(simulation_name(asked.name))).model_dump(), usage())


async def _status(app: GraphPalace, asked: NamedSimulation) -> SimulationStatus:
    return SimulationStatus.of(await app.simulations.views.status(simulation_name(asked.name)))


async def _statuses(app: GraphPalace, _asked: StatusesQuery) -> SimulationStatuses:
    every = [SimulationStatus.of(one) for one in await app.simulations.views.every_status()]
    return SimulationStatuses([one for one in every if may_see(one.palace, one.corpus)])


async def _search(app: GraphPalace, asked: CorpusQuestion) -> SimulationResults:
    name = simulation_name(asked.name)
    found = await app.simulations.views.search(name, asked.query, asked.top_k)
    state = (await app.simulations.views.status(name))["state"]
    return SimulationResults(state, [FoundDocument.of(finding.as_json()) for finding in found])


async def _results(app: GraphPalace, asked: NamedSimulation) -> SimulationResults:
    name = simulation_name(asked.name)
    found = await app.simulations.views.results(name)
    state = (await app.simulations.views.status(name))["state"]
    return SimulationResults(state, [FoundDocument.of(one) for one in found])


async def _report(app: GraphPalace, asked: NamedSimulation) -> Report:
    return Report.of(await app.simulations.views.report(simulation_name(asked.name)))


async def _document(app: GraphPalace, asked: DocumentQuery) -> VisitedDocument:
    views = app.simulations.views
    found, relevance, visits = await views.document(simulation_name(asked.name), asked.document)
    return VisitedDocument(found.id, found.content, {"path": found.path, **found.metadata}, relevance, visits)


async def _corpus(app: GraphPalace, asked: CorpusQuery) -> CorpusPage:
    name, views = simulation_name(asked.name), app.simulations.views
    if asked.root is None:
        documents, total = await views.documents(name, offset=asked.offset, limit=asked.page_size)
        files = [document.id for document in documents]
    else:
        found = await views.files(name, asked.root, exclude=asked.skipped)
        total, files = len(found), found[asked.offset : asked.offset + asked.page_size]
    return CorpusPage(asked.root, asked.page, asked.page_size, total, files)


async def _job(app: GraphPalace, asked: JobId) -> JobStatus:
    return JobStatus.of(await app.jobs.status(asked.job))


async def _cancel_job(app: GraphPalace, asked: JobId) -> JobStarted:
    await app.jobs.cancel(asked.job)
    return JobStarted("cancelled", asked.job)


async def _jobs(app: GraphPalace, palace: str, _asked: JobQuery) -> JobList:
    found = await app.jobs.every(palace)
    return JobList([ListedJob.of(job) for job in found if may_see(job.palace, job.corpus)])


_add(simulation.STOP, _stop)
_add(simulation.RESET, _reset)
_add(simulation.PAUSE, _pause)
_add(simulation.RESUME, _resume)
_add(simulation.ADD_AGENTS, _add_agents)
_add(simulation.RESIZE_AGENTS, _resize_agents)
_add(simulation.SETTINGS, _settings)
_add(simulation.STATUS, _status)
_add(simulation.STATUSES, _statuses)
_add(simulation.SEARCH, _search)
_add(simulation.RESULTS, _results)
_add(simulation.REPORT, _report)
_add(simulation.DOCUMENT, _document)
_add(simulation.CORPUS, _corpus)
_add(simulation.JOB_STATUS, _job)
_add(simulation.CANCEL_JOB, _cancel_job)
add_route(router, simulation.LIST_JOBS, _jobs, tag="simulation")


def _started(status: Mapping[str, Any]) -> SimulationStarted:
    return SimulationStarted(status["state"], status["simulation"], status["step"], status["docs"], status["agents"])


def _changed(status: Mapping[str, Any]) -> SimulationChanged:
    return SimulationChanged(status["state"], status["simulation"], status["step"])

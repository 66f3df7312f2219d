"""The routes for live simulations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends, Query

from graphpalace.domain.simulation.simulation_answers import (
    AgentsChanged,
    ChangedSettings,
    CorpusPage,
    DescribedSettings,
    FoundDocument,
    SimulationChanged,
    SimulationResults,
    SimulationStarted,
    SimulationStatus,
    SimulationStatuses,
    VisitedDocument,
)
from graphpalace.domain.simulation.simulation_settings import usage
from graphpalace.domain.simulation.simulations import Report
from graphpalace.operations.simulation.kept.simulation_store import simulation_name
from graphpalace.operations.simulation.simulations import DEFAULT
from graphpalace.serve.http.access.simulation_needs import may_see
from graphpalace.serve.http.router import Operations, new_router
from graphpalace.serve.http.simulation import models

router = new_router()


async def _name(
    simulation: Annotated[str, Query(description="name of the simulation", max_length=64)] = DEFAULT,
) -> str:
    return simulation_name(simulation)


Name = Annotated[str, Depends(_name)]
_TAGS: list[Any] = ["simulation"]


@router.post("/mcmp/start", tags=_TAGS)
async def start(body: models.StartRequest, app: Operations, name: Name) -> SimulationStarted:
    """Start a simulation, and answer while it is loading. A running one of the same name is stopped or is an error."""
    return _started(await app.simulations.begin(name, body.start()))


@router.post("/mcmp/stop", tags=_TAGS)
async def stop(app: Operations, name: Name) -> SimulationChanged:
    """Stop a simulation, even if it is loading or another service holds it. Its results are kept."""
    return _changed(await app.simulations.stop(name))


@router.post("/mcmp/reset", tags=_TAGS)
async def reset(app: Operations, name: Name) -> SimulationChanged:
    """Stop a simulation, and delete its state and results. The settings are kept."""
    await app.simulations.reset(name)
    return SimulationChanged("reset", name)


@router.post("/mcmp/pause", tags=_TAGS)
async def pause(app: Operations, name: Name) -> SimulationChanged:
    """Pause a simulation, and store its complete state."""
    return _changed(await app.simulations.pause(name))


@router.post("/mcmp/resume", tags=_TAGS)
async def resume(app: Operations, name: Name) -> SimulationStarted:
    """Continue a paused simulation, even after a restart of the service."""
    return _started(await app.simulations.resume(name))


@router.post("/mcmp/agents/add", tags=_TAGS)
async def add_agents(body: models.AgentsToAdd, app: Operations, name: Name) -> AgentsChanged:
    """Add agents to a simulation."""
    status = await app.simulations.add_agents(name, body.n)
    return AgentsChanged(status["state"], body.n, status["agents"])


@router.post("/mcmp/agents/resize", tags=_TAGS)
async def resize_agents(body: models.AgentCount, app: Operations, name: Name) -> AgentsChanged:
    """Set the number of agents of a simulation."""
    status = await app.simulations.resize_agents(name, body.count)
    return AgentsChanged(status["state"], None, status["agents"])


@router.post("/mcmp/config", tags=_TAGS)
async def configure(body: models.SettingsChange, app: Operations, name: Name) -> ChangedSettings:
    """Change settings of a running simulation and of its next start."""
    return ChangedSettings("ok", (await app.simulations.configure(name, body.given())).model_dump())


@router.get("/mcmp/settings", tags=_TAGS)
async def read_settings(app: Operations, name: Name) -> DescribedSettings:
    """Read the stored settings, which also apply to the next start, and their descriptions."""
    return DescribedSettings((await app.simulations.views.settings(name)).model_dump(), usage())


@router.post("/mcmp/settings", tags=_TAGS)
async def change_settings(body: models.SettingsChange, app: Operations, name: Name) -> DescribedSettings:
    """Change settings. They are stored for the next start."""
    return DescribedSettings((await app.simulations.configure(name, body.given())).model_dump(), usage())


@router.get("/mcmp/status", tags=_TAGS)
async def status(app: Operations, name: Name) -> SimulationStatus:
    """Show the status of a simulation."""
    return SimulationStatus.of(await app.simulations.views.status(name))


@router.get("/mcmp/simulations", tags=_TAGS)
async def list_simulations(app: Operations) -> SimulationStatuses:
    """List all simulations, running or stored."""
    every = [SimulationStatus.of(one) for one in await app.simulations.views.every_status()]
    return SimulationStatuses([one for one in every if may_see(one.palace, one.corpus)])


@router.post("/mcmp/search", tags=_TAGS)
async def search(body: models.CorpusQuestion, app: Operations, name: Name) -> SimulationResults:
    """Search the documents of a simulation for another question, based on the visits so far."""
    found = await app.simulations.views.search(name, body.query, body.top_k)
    state = (await app.simulations.views.status(name))["state"]
    return SimulationResults(state, [FoundDocument.of(finding.as_json()) for finding in found])


@router.get("/mcmp/results", tags=_TAGS)
async def read_results(app: Operations, name: Name) -> SimulationResults:
    """Read the results so far, or those at the end."""
    found = await app.simulations.views.results(name)
    state = (await app.simulations.views.status(name))["state"]
    return SimulationResults(state, [FoundDocument.of(one) for one in found])


@router.get("/mcmp/report", tags=_TAGS)
async def read_report(app: Operations, name: Name) -> Report:
    """Read the latest report."""
    return Report.of(await app.simulations.views.report(name))


@router.get("/mcmp/doc/{document:path}", tags=_TAGS)
async def read_document(document: str, app: Operations, name: Name) -> VisitedDocument:
    """Read a document of a simulation."""
    found, relevance, visits = await app.simulations.views.document(name, document)
    return VisitedDocument(found.id, found.content, {"path": found.path, **found.metadata}, relevance, visits)


@router.get("/mcmp/corpus/list", tags=_TAGS)
async def list_corpus(
    app: Operations,
    name: Name,
    root: Annotated[str | None, Query(description="a folder; default: the simulation's documents")] = None,
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    page_size: Annotated[int, Query(ge=1, le=500)] = 50,
    exclude: Annotated[
        list[str] | None,
        Query(description="names of folders to skip, separated by commas; default: `exclude_dirs`"),
    ] = None,
) -> CorpusPage:
    """List the files of a folder, or the documents of a simulation."""
    offset = (page - 1) * page_size
    if root is None:
        documents, total = await app.simulations.views.documents(name, offset=offset, limit=page_size)
        files = [document.id for document in documents]
    else:
        skipped = None if exclude is None else [one.strip() for names in exclude for one in names.split(",")]
        found = await app.simulations.views.files(name, root, exclude=skipped)
        total, files = len(found), found[offset : offset + page_size]
    return CorpusPage(root, page, page_size, total, files)


def _started(status: Mapping[str, Any]) -> SimulationStarted:
    return SimulationStarted(status["state"], status["simulation"], status["step"], status["docs"], status["agents"])


def _changed(status: Mapping[str, Any]) -> SimulationChanged:
    return SimulationChanged(status["state"], status["simulation"], status["step"])

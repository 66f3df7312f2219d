"""The routes for live simulations."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Query

from graphpalace.domain.simulation.simulation_settings import usage
from graphpalace.domain.simulation.simulation_start import SimulationStart
from graphpalace.operations.simulation.kept.simulation_store import simulation_name
from graphpalace.operations.simulation.simulations import DEFAULT
from graphpalace.serve.http.router import Operations, new_router
from graphpalace.serve.http.simulation import models

router = new_router()


async def _name(
    simulation: Annotated[str, Query(description="name of the simulation", max_length=64)] = DEFAULT,
) -> str:
    return simulation_name(simulation)


Name = Annotated[str, Depends(_name)]
_TAGS: list[Any] = ["simulation"]


@router.post("/mcmp/start", response_model=models.Started, tags=_TAGS)
async def start(body: models.StartRequest, app: Operations, name: Name) -> dict[str, Any]:
    """Start a simulation, and answer while it is loading. A running simulation of the same name is stopped."""
    status = await app.simulations.begin(name, SimulationStart(body.given(), body.choice()))
    return status | {"status": status["state"]}


@router.post("/mcmp/stop", response_model=models.Done, tags=_TAGS)
async def stop(app: Operations, name: Name) -> dict[str, Any]:
    """Stop a simulation, even if it is loading or another service holds it. Its results are kept."""
    status = await app.simulations.stop(name)
    return status | {"status": status["state"]}


@router.post("/mcmp/reset", response_model=models.Done, tags=_TAGS)
async def reset(app: Operations, name: Name) -> dict[str, Any]:
    """Stop a simulation, and delete its state and results. The settings are kept."""
    await app.simulations.reset(name)
    return {"status": "reset", "simulation": name}


@router.post("/mcmp/pause", response_model=models.Done, tags=_TAGS)
async def pause(app: Operations, name: Name) -> dict[str, Any]:
    """Pause a simulation, and store its complete state."""
    status = await app.simulations.pause(name)
    return status | {"status": status["state"]}


@router.post("/mcmp/resume", response_model=models.Started, tags=_TAGS)
async def resume(app: Operations, name: Name) -> dict[str, Any]:
    """Continue a paused simulation, even after a restart of the service."""
    status = await app.simulations.resume(name)
    return status | {"status": status["state"]}


@router.post("/mcmp/agents/add", response_model=models.Agents, tags=_TAGS)
async def add_agents(body: models.AgentsToAdd, app: Operations, name: Name) -> dict[str, Any]:
    """Add agents to a simulation."""
    status = await app.simulations.add_agents(name, body.n)
    return {"status": status["state"], "added": body.n, "agents": status["agents"]}


@router.post("/mcmp/agents/resize", response_model=models.Agents, tags=_TAGS)
async def resize_agents(body: models.AgentCount, app: Operations, name: Name) -> dict[str, Any]:
    """Set the number of agents of a simulation."""
    status = await app.simulations.resize_agents(name, body.count)
    return {"status": status["state"], "agents": status["agents"]}


@router.post("/mcmp/config", response_model=models.Configured, tags=_TAGS)
async def configure(body: models.SettingsChange, app: Operations, name: Name) -> dict[str, Any]:
    """Change settings of a running simulation and of its next start."""
    return {"settings": (await app.simulations.configure(name, body.given())).model_dump()}


@router.get("/mcmp/settings", response_model=models.SettingsAnswer, tags=_TAGS)
async def read_settings(app: Operations, name: Name) -> dict[str, Any]:
    """Read the stored settings, which also apply to the next start, and their descriptions."""
    return {"settings": (await app.simulations.views.settings(name)).model_dump(), "usage": usage()}


@router.post("/mcmp/settings", response_model=models.SettingsAnswer, tags=_TAGS)
async def change_settings(body: models.SettingsChange, app: Operations, name: Name) -> dict[str, Any]:
    """Change settings. They are stored for the next start."""
    return {"settings": (await app.simulations.configure(name, body.given())).model_dump(), "usage": usage()}


@router.get("/mcmp/status", response_model=models.Status, tags=_TAGS)
async def status(app: Operations, name: Name) -> dict[str, Any]:
    """Show the status of a simulation."""
    return await app.simulations.views.status(name)


@router.get("/mcmp/simulations", response_model=models.Statuses, tags=_TAGS)
async def list_simulations(app: Operations) -> dict[str, Any]:
    """List all simulations, running or stored."""
    return {"simulations": await app.simulations.views.every_status()}


@router.post("/mcmp/search", response_model=models.Results, tags=_TAGS)
async def search(body: models.CorpusQuestion, app: Operations, name: Name) -> dict[str, Any]:
    """Search the documents of a simulation for another question, based on the visits so far."""
    found = await app.simulations.views.search(name, body.query, body.top_k)
    state = (await app.simulations.views.status(name))["state"]
    return {"status": state, "results": [finding.as_json() for finding in found]}


@router.get("/mcmp/results", response_model=models.Results, tags=_TAGS)
async def read_results(app: Operations, name: Name) -> dict[str, Any]:
    """Read the results so far, or those at the end."""
    return {
        "results": await app.simulations.views.results(name),
        "status": (await app.simulations.views.status(name))["state"],
    }


@router.get("/mcmp/report", response_model=models.Report, tags=_TAGS)
async def read_report(app: Operations, name: Name) -> dict[str, Any]:
    """Read the latest report."""
    return await app.simulations.views.report(name)


@router.get("/mcmp/doc/{document:path}", response_model=models.CorpusDocument, tags=_TAGS)
async def read_document(document: str, app: Operations, name: Name) -> dict[str, Any]:
    """Read a document of a simulation."""
    found, relevance, visits = await app.simulations.views.document(name, document)
    return {
        "id": found.id,
        "content": found.content,
        "metadata": {"path": found.path, **found.metadata},
        "relevance": relevance,
        "visits": visits,
    }


@router.get("/mcmp/corpus/list", response_model=models.CorpusPage, tags=_TAGS)
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
) -> dict[str, Any]:
    """List the files of a folder, or the documents of a simulation."""
    offset = (page - 1) * page_size
    if root is None:
        documents, total = await app.simulations.views.documents(name, offset=offset, limit=page_size)
        files = [document.id for document in documents]
    else:
        skipped = None if exclude is None else [one.strip() for names in exclude for one in names.split(",")]
        found = await app.simulations.views.files(name, root, exclude=skipped)
        total, files = len(found), found[offset : offset + page_size]
    return {"root": root, "page": page, "page_size": page_size, "total": total, "files": files}

"""Requests and responses of the routes under `/v1/mcmp`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.simulation.simulations import State
from graphpalace.serve.http.request_body import PalaceField, RequestBody

JobState = Literal["queued", "running", "done", "failed", "cancelled"]
_CHOICE = ("palace", "wing", "room", "drawers", "root")


class SettingsChange(SimulationSettings):
    """Settings to change. Settings that are left out stay as they are."""

    def given(self) -> dict[str, Any]:
        """Return the settings that were sent."""
        return {name: value for name, value in self.model_dump(exclude_unset=True).items() if name not in _CHOICE}


class StartRequest(SettingsChange):
    """Settings of a simulation, and its documents: those of a palace, of a part of it, or of a folder."""

    palace: PalaceField = None
    wing: str | None = Field(None, description="only this wing")
    room: str | None = Field(None, description="only this room")
    drawers: list[str] | None = Field(None, max_length=100_000, description="only these drawers, by id")
    root: str | None = Field(None, description="path of a folder on the service's machine, instead of a palace")

    def choice(self) -> dict[str, Any]:
        """Return the requested documents."""
        return {name: getattr(self, name) for name in _CHOICE}


class AgentsToAdd(RequestBody):
    """The number of agents to add."""

    n: int = Field(ge=1, le=10_000)


class AgentCount(RequestBody):
    """The wanted number of agents."""

    count: int = Field(ge=1, le=10_000)


class CorpusQuestion(RequestBody):
    """Another question for the documents of a simulation."""

    query: str = Field(min_length=1, max_length=10_000)
    top_k: int = Field(10, ge=1, le=200)


class Started(BaseModel):
    """A simulation that starts or continues."""

    status: State
    simulation: str
    step: int
    docs: int
    agents: int


class Done(BaseModel):
    """The result of a command."""

    status: str
    simulation: str
    step: int = 0


class Agents(BaseModel):
    """The number of agents."""

    status: State
    added: int | None = None
    agents: int


class SwarmMetrics(BaseModel):
    """Metrics of the last step."""

    avg_rel: float
    max_rel: float
    trails: int
    avg_speed: float
    trail_mass: float


class LoadingProgress(BaseModel):
    """The progress of loading the documents of a simulation."""

    stage: Literal["reading", "embedding", "question"]
    done: int = Field(description="number of embedded windows of a folder")
    of: int = Field(description="number of all windows; 0 in other stages")


class Status(BaseModel):
    """The status of a simulation."""

    simulation: str
    state: State
    running: bool = Field(description="whether it runs or loads")
    step: int
    docs: int
    agents: int
    query: str
    palace: str
    corpus: dict[str, Any] | None = Field(description="choice of the documents")
    seed: int | None = Field(description="random seed; the same seed gives the same run")
    loading: LoadingProgress | None = Field(description="progress while the simulation is loading")
    metrics: SwarmMetrics | None
    stopped_by: Literal["max_iterations", "trails", "relevance", "request"] | None
    error: str | None
    owner: str | None = Field(description="machine and process that hold it; null: none")
    here: bool = Field(description="whether this service is the owner")


class Statuses(BaseModel):
    """The status of all simulations."""

    simulations: list[Status]


class Configured(BaseModel):
    """The current settings."""

    status: Literal["ok"] = "ok"
    settings: dict[str, Any]


class SettingsAnswer(BaseModel):
    """The settings and their descriptions."""

    settings: dict[str, Any]
    usage: dict[str, dict[str, Any]] = Field(description="type, default, min, max, choices, live, group, description")


class Result(BaseModel):
    """A found document."""

    id: str
    score: float = Field(description="relevance with all bonuses")
    similarity: float = Field(description="cosine to the question")
    visits: int
    keywords: float = Field(description="share of the keywords that it contains")
    path: str
    snippet: str


class Results(BaseModel):
    """The found documents, best first."""

    status: State
    results: list[Result]


class CorpusDocument(BaseModel):
    """A document with its full text."""

    id: str
    content: str
    metadata: dict[str, Any]
    relevance: float
    visits: int


class CorpusPage(BaseModel):
    """Files of a folder, or documents of a simulation."""

    root: str | None
    page: int
    page_size: int
    total: int
    files: list[str]


class Report(BaseModel):
    """A report on one step."""

    step: int
    mode: str
    source: str
    summary: str
    items: list[dict[str, Any]]

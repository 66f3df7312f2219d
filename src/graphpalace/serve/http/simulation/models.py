"""Bodies and answers of `/v1/mcmp`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.simulation.simulations import State
from graphpalace.serve.http.request_body import PalaceField, RequestBody

JobState = Literal["queued", "running", "done", "failed", "cancelled"]
_CHOICE = ("palace", "wing", "room", "drawers", "root")


class SettingsChange(SimulationSettings):
    """Some settings; those that are left out stay as they are."""

    def given(self) -> dict[str, Any]:
        """Return what was sent."""
        return {name: value for name, value in self.model_dump(exclude_unset=True).items() if name not in _CHOICE}


class StartRequest(SettingsChange):
    """Settings, and which documents the swarm walks over: those of a palace or a part of it, or a folder's."""

    palace: PalaceField = None
    wing: str | None = Field(None, description="only this wing")
    room: str | None = Field(None, description="only this room")
    drawers: list[str] | None = Field(None, max_length=100_000, description="only these drawers, by id")
    root: str | None = Field(None, description="a folder of the service's machine, instead of a palace")

    def choice(self) -> dict[str, Any]:
        """Return the corpus that was asked for."""
        return {name: getattr(self, name) for name in _CHOICE}


class AgentsToAdd(RequestBody):
    """How many agents come."""

    n: int = Field(ge=1, le=10_000)


class AgentCount(RequestBody):
    """How many agents there are to be."""

    count: int = Field(ge=1, le=10_000)


class CorpusQuestion(RequestBody):
    """Another question for the same corpus."""

    query: str = Field(min_length=1, max_length=10_000)
    top_k: int = Field(10, ge=1, le=200)


class Started(BaseModel):
    """What begins or goes on."""

    status: State
    simulation: str
    step: int
    docs: int
    agents: int


class Done(BaseModel):
    """What a command did."""

    status: str
    simulation: str
    step: int = 0


class Agents(BaseModel):
    """How many agents there are."""

    status: State
    added: int | None = None
    agents: int


class SwarmMetrics(BaseModel):
    """Figures of the last step."""

    avg_rel: float
    max_rel: float
    trails: int
    avg_speed: float
    trail_mass: float


class LoadingProgress(BaseModel):
    """How far the corpus of a simulation is read."""

    stage: Literal["reading", "embedding", "question"]
    done: int = Field(description="windows of a folder that are embedded")
    of: int = Field(description="of how many; 0 in other stages")


class Status(BaseModel):
    """Where a simulation stands."""

    simulation: str
    state: State
    running: bool = Field(description="whether it runs or loads")
    step: int
    docs: int
    agents: int
    query: str
    palace: str
    corpus: dict[str, Any] | None = Field(description="which documents it walks over")
    seed: int | None = Field(description="gives the same run again")
    loading: LoadingProgress | None = Field(description="while it loads")
    metrics: SwarmMetrics | None
    stopped_by: Literal["max_iterations", "trails", "relevance", "request"] | None
    error: str | None
    owner: str | None = Field(description="machine and process that holds it; null: nobody does")
    here: bool = Field(description="whether this service is the owner")


class Statuses(BaseModel):
    """All simulations."""

    simulations: list[Status]


class Configured(BaseModel):
    """The settings now in force."""

    status: Literal["ok"] = "ok"
    settings: dict[str, Any]


class SettingsAnswer(BaseModel):
    """The settings, and what each means."""

    settings: dict[str, Any]
    usage: dict[str, dict[str, Any]] = Field(description="type, default, min, max, choices, live, group, description")


class Result(BaseModel):
    """A document that was found."""

    id: str
    score: float = Field(description="relevance with all bonuses")
    similarity: float = Field(description="cosine to the question")
    visits: int
    keywords: float = Field(description="share of the keywords in it")
    path: str
    snippet: str


class Results(BaseModel):
    """What was found, best first."""

    status: State
    results: list[Result]


class CorpusDocument(BaseModel):
    """A document, word for word."""

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
    """A report of one step."""

    step: int
    mode: str
    source: str
    summary: str
    items: list[dict[str, Any]]

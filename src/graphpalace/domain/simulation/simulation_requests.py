"""What is asked of simulations and of background jobs, and what requests on simulations answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any, Literal, TypeVar

from graphpalace.domain.field import Field
from graphpalace.domain.simulation.simulations import State

MOST_AGENTS = 10_000

SIMULATION_NAME = r"^[^\W_][\w .-]{0,63}$"

Name = Annotated[
    str, Field(max_length=64, description="name of the simulation", json_schema_extra={"pattern": SIMULATION_NAME})
]


@dataclass(frozen=True, slots=True)
class NamedSimulation:
    """Which simulation is meant."""

    name: Name = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeRequest:
    """Which simulation goes on, and for how long."""

    name: Name = "default"
    steps: Annotated[
        int | None, Field(ge=1, le=5_000, description="pause again after so many steps; default: do not")
    ] = None


@dataclass(frozen=True, slots=True)
class StatusesQuery:
    """All simulations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsToAdd:
    """The number of agents to add."""

    name: Name = "default"
    n: Annotated[int, Field(ge=1, le=MOST_AGENTS, description="how many to add")]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCount:
    """The wanted number of agents."""

    name: Name = "default"
    count: Annotated[int, Field(ge=1, le=MOST_AGENTS, description="how many there are to be")]


@dataclass(frozen=True, slots=True)
class CorpusQuestion:
    """Another question for the documents of a simulation."""

    query: Annotated[str, Field(min_length=1, max_length=10_000, description="at least one word")]
    name: Name = "default"
    top_k: Annotated[int, Field(ge=1, le=200, description="number of results")] = 10


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """Which document of a simulation to read."""

    document: Annotated[str, Field(description="its id")]
    name: Name = "default"


@dataclass(frozen=True, slots=True)
class CorpusQuery:
    """Which page of documents, or of the files of a folder, to list."""

    name: Name = "default"
    root: Annotated[str | None, Field(description="a folder; default: the simulation's documents")] = None
    page: Annotated[int, Field(ge=1, le=1_000_000, description="from 1")] = 1
    page_size: Annotated[int, Field(ge=1, le=500, description="documents of a page")] = 50
    exclude: Annotated[
        Sequence[str] | None,
        Field(description="names of folders to skip, separated by commas; default: `exclude_dirs`"),
    ] = None

    @property
    def offset(self) -> int:
        """The number of documents before the page."""
        return (self.page - 1) * self.page_size

    @property
    def skipped(self) -> Sequence[str] | None:
        """The names of the folders that are left out; None: those of the settings."""
        return None if self.exclude is None else [one.strip() for names in self.exclude for one in names.split(",")]


@dataclass(frozen=True, slots=True)
class JobId:
    """Which background job is meant."""

    job: Annotated[str, Field(min_length=1, max_length=64, description="its id")]


@dataclass(frozen=True, slots=True)
class JobQuery:
    """All background jobs of a palace."""


Stage = Literal["reading", "embedding", "question"]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class SwarmMetrics:
    """Metrics of the last step."""

    avg_rel: Annotated[float, Field(description="mean relevance of the documents")]
    max_rel: Annotated[float, Field(description="relevance of the best document")]
    trails: Annotated[int, Field(description="number of trails that are present")]
    avg_speed: Annotated[float, Field(description="mean speed of the agents")]
    trail_mass: Annotated[float, Field(description="strength of all trails together")]


@dataclass(frozen=True, slots=True)
class LoadingProgress:
    """The progress of loading the documents of a simulation."""

    stage: Annotated[
        Stage,
        Field(description="reading files or drawers, embedding the windows of a folder, or embedding the question"),
    ]
    done: Annotated[int, Field(description="number of embedded windows of a folder")]
    of: Annotated[int, Field(description="number of all windows; 0 in other stages")]

    def as_json(self) -> dict[str, Any]:
        """Return the progress as a dict."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class SimulationStatus:
    """The status of a simulation."""

    simulation: str
    state: State
    running: Annotated[bool, Field(description="whether it runs or loads")]
    step: int
    docs: int
    agents: int
    query: str
    palace: str
    corpus: Annotated[Mapping[str, Any] | None, Field(description="choice of the documents")]
    seed: Annotated[int | None, Field(description="random seed; the same seed gives the same run")]
    loading: Annotated[LoadingProgress | None, Field(description="progress while the simulation is loading")]
    metrics: SwarmMetrics | None
    stopped_by: Literal["max_iterations", "trails", "relevance", "request"] | None
    error: str | None
    unused_params: Annotated[
        Mapping[str, Any], Field(description="parameters of who started it that have no effect here")
    ]
    owner: Annotated[str | None, Field(description="machine and process that hold it; null: none")]
    here: Annotated[bool, Field(description="whether this service is the owner")]

    @classmethod
    def of(cls, status: Mapping[str, Any]) -> SimulationStatus:
        """Return the status that is described by JSON values; further ones are left out."""
        loading, metrics = status["loading"], status["metrics"]
        return _value(
            cls,
            {
                **status,
                "loading": None if loading is None else _value(LoadingProgress, loading),
                "metrics": None if metrics is None else _value(SwarmMetrics, metrics),
            },
        )


@dataclass(frozen=True, slots=True)
class SimulationStatuses:
    """The status of all simulations."""

    simulations: Sequence[SimulationStatus]


@dataclass(frozen=True, slots=True)
class SimulationStarted:
    """A simulation that starts or continues."""

    status: State
    simulation: str
    step: int
    docs: int
    agents: int


@dataclass(frozen=True, slots=True)
class SimulationChanged:
    """The result of a command."""

    status: Annotated[str, Field(description="its state, or reset")]
    simulation: str
    step: int = 0


@dataclass(frozen=True, slots=True)
class AgentsChanged:
    """The number of agents."""

    status: State
    added: int | None
    agents: int


@dataclass(frozen=True, slots=True)
class ChangedSettings:
    """The current settings."""

    status: Literal["ok"]
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DescribedSettings:
    """The settings and their descriptions."""

    settings: Mapping[str, Any]
    usage: Annotated[
        Mapping[str, Mapping[str, Any]],
        Field(description="type, default, min, max, choices, live, group, description"),
    ]


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A found document."""

    id: str
    score: Annotated[float, Field(description="relevance with all bonuses")]
    similarity: Annotated[float, Field(description="cosine to the question")]
    visits: int
    keywords: Annotated[float, Field(description="share of the keywords that it contains")]
    path: str
    snippet: str

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> FoundDocument:
        """Return the document that is described by JSON values."""
        return _value(cls, found)


@dataclass(frozen=True, slots=True)
class SimulationResults:
    """The found documents, best first."""

    status: State
    results: Sequence[FoundDocument]


@dataclass(frozen=True, slots=True)
class VisitedDocument:
    """A document with its full text."""

    id: str
    content: str
    metadata: Mapping[str, Any]
    relevance: float
    visits: int


@dataclass(frozen=True, slots=True)
class CorpusPage:
    """Files of a folder, or documents of a simulation."""

    root: str | None
    page: int
    page_size: int
    total: int
    files: Sequence[str]


def _value(kind: type[_T], known: Mapping[str, Any]) -> _T:
    return kind(**{one.name: known[one.name] for one in fields(kind)})  # pyright: ignore[reportArgumentType]

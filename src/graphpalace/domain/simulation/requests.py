"""What is asked of simulations and of background jobs, but for their start, which takes settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graphpalace.domain.field import Field

MOST_AGENTS = 10_000

Name = Annotated[str, Field(max_length=64, description="name of the simulation")]


@dataclass(frozen=True, slots=True)
class NamedSimulation:
    """Which simulation is meant."""

    name: Name = "default"


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

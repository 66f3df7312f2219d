"""The results of a simulation: findings, trails between them, and reports on them (seed 000)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from graphpalace.domain.simulation.simulation_settings import ReportMode

State = Literal["idle", "loading", "running", "paused", "stopped", "failed"]
SNIPPET_CHARS = 140


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of a simulation's corpus: a drawer, or a window of lines from a file.

    Attributes:
        id: Id of the drawer, or `path#first-last` for lines of a file.
        content: The verbatim text; for lines of a file, preceded by a header line.
        path: Names of wing, room and closet, joined with ` / `, or the path of the file.
        metadata: Further facts as JSON values.
    """

    id: str
    content: str
    path: str
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def snippet(self) -> str:
        """The beginning of the text as one line of at most 140 characters."""
        line = " ".join(self.content[: 4 * SNIPPET_CHARS].split())
        return line if len(line) <= SNIPPET_CHARS else line[: SNIPPET_CHARS - 1] + "…"


@dataclass(frozen=True, slots=True)
class Finding:
    """A document among the results of a simulation.

    Attributes:
        score: Relevance, including all bonuses.
        similarity: Cosine to the query, -1 to 1.
        visits: How often agents visited the document.
        keywords: Share of the keywords that it contains, 0 to 1.
    """

    document: CorpusDocument
    score: float
    similarity: float
    visits: int
    keywords: float

    def as_json(self) -> dict[str, Any]:
        """Return the finding as JSON, the way HTTP, MCP and the command line show it."""
        return {
            "id": self.document.id,
            "score": self.score,
            "similarity": self.similarity,
            "visits": self.visits,
            "keywords": self.keywords,
            "path": self.document.path,
            "snippet": self.document.snippet,
        }


@dataclass(frozen=True, slots=True)
class FoundTrail:
    """A trail between two documents that are among the findings."""

    first: str
    second: str
    strength: float


@dataclass(frozen=True, slots=True)
class ReportInput:
    """The state of a simulation from which a report is written.

    Attributes:
        mode: What the report looks for.
        findings: Best first.
        trails: Trails between findings, strongest first.
        metrics: The simulation's metrics by name.
    """

    query: str
    mode: ReportMode
    step: int
    findings: Sequence[Finding]
    trails: Sequence[FoundTrail]
    metrics: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ReportItem:
    """The part of a report about one finding."""

    code_chunk: str
    content: str
    file_path: str
    line_range: str
    code_purpose: str
    code_dependencies: list[str]
    file_type: str
    embedding_score: float
    relevance_to_query: str
    query_initial: str
    follow_up_queries: list[str]


@dataclass(frozen=True, slots=True)
class Report:
    """A report on the results at one step.

    Attributes:
        source: Name of the language model that wrote it, or `structure` if it was derived without one.
        summary: One paragraph.
        items: The findings that it describes.
    """

    step: int
    mode: ReportMode
    source: str
    summary: str
    items: Sequence[ReportItem]

    @classmethod
    def of(cls, report: Mapping[str, Any]) -> Report:
        """Return the report that is described by JSON values."""
        return cls(**{**report, "items": [ReportItem(**item) for item in report["items"]]})

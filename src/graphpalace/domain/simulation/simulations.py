"""What simulations give: findings, and reports on them (seed 000)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from graphpalace.domain.simulation.simulation_settings import ReportMode

State = Literal["idle", "loading", "running", "paused", "stopped", "failed"]
SNIPPET_CHARS = 140


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of a simulation's corpus.

    Attributes:
        id: A drawer's id, or `path#first-last` in a folder.
        content: Word for word; in a folder with its header line.
        path: Where it stands: names of wing, room and closet with ` / ` between them, or the file's path.
        metadata: Facts of it, JSON values.
    """

    id: str
    content: str
    path: str
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def snippet(self) -> str:
        """Its beginning in one line."""
        line = " ".join(self.content[: 4 * SNIPPET_CHARS].split())
        return line if len(line) <= SNIPPET_CHARS else line[: SNIPPET_CHARS - 1] + "…"


@dataclass(frozen=True, slots=True)
class Finding:
    """A document among the results.

    Attributes:
        score: Its relevance r, with all bonuses.
        similarity: Cosine to the question.
        visits: How often agents came to it.
        keywords: Share of the keywords in it, 0 to 1.
    """

    document: CorpusDocument
    score: float
    similarity: float
    visits: int
    keywords: float

    def as_json(self) -> dict[str, Any]:
        """Return what doors show of it."""
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
    """What a report is written from.

    Attributes:
        findings: Best first.
        trails: Strongest first.
        metrics: As the simulation reports them.
    """

    query: str
    mode: ReportMode
    step: int
    findings: Sequence[Finding]
    trails: Sequence[FoundTrail]
    metrics: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ReportItem:
    """What a report says of one finding; the names are the contract of the realtime interface."""

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
    """A report of one step.

    Attributes:
        source: The model that wrote it, or `structure`.
        summary: A paragraph.
    """

    step: int
    mode: ReportMode
    source: str
    summary: str
    items: Sequence[ReportItem]

"""What requests on runs answer. The names are those of seed 004, section 5; all doors show them as declared here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from graphpalace.domain.field import Field
from graphpalace.domain.runs.run import CodeCounts, FrontierPoint, Metrics, Run


@dataclass(frozen=True, slots=True)
class LaneAnswer:
    """The handle of a lane run, without its ranking."""

    lane: str
    run_id_lane: Annotated[str, Field(examples=["fulltext-0a1b2c3d"])]
    count_returned: Annotated[int, Field(description="number of documents in the run, each with its best drawer")]
    truncated: Annotated[bool, Field(description="whether the lane found more documents than the run has")]
    code_freqs: Annotated[
        CodeCounts,
        Field(description="number of documents with each code, by scheme; the most frequent that fit into the budget"),
    ]
    codes_left_out: Annotated[int, Field(description="number of codes that do not fit into code_freqs")]
    cursor: Annotated[str | None, Field(description="number of documents in the run if it is truncated, else null")]
    took_ms: float


@dataclass(frozen=True, slots=True)
class MultilaneAnswer:
    """The handles of the runs, in the order of the lanes."""

    trace_id: str | None
    results: Sequence[LaneAnswer]


@dataclass(frozen=True, slots=True)
class DocumentSnippet:
    """Some fields of a document."""

    id: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PeekMeta:
    """Numbers about a page."""

    used_bytes: Annotated[int, Field(description="size of `snippets` as it is sent, in UTF-8")]
    truncated: Annotated[bool, Field(description="whether the run has documents after this page")]
    shortened: Annotated[int, Field(description="number of snippets with a shortened field")]
    peek_cursor: Annotated[str | None, Field(description="offset of the next page, null at the end")]
    total_docs: Annotated[int, Field(description="number of documents in the run")]
    retrieved: Annotated[int, Field(description="number of requested documents that are still in the palace")]
    returned: Annotated[int, Field(description="number of documents in the page")]


@dataclass(frozen=True, slots=True)
class PeekAnswer:
    """A page of snippets."""

    run_id: str
    snippets: Sequence[DocumentSnippet]
    meta: PeekMeta


@dataclass(frozen=True, slots=True)
class BlendMeta:
    """Numbers about a fusion."""

    top_k: Annotated[int, Field(description="deepest point of the frontier")]
    count_returned: Annotated[int, Field(description="number of documents in the run")]
    took_ms: float


@dataclass(frozen=True, slots=True)
class BlendAnswer:
    """The handle of a fusion, with `peek` if it was requested."""

    run_id: Annotated[str, Field(examples=["fusion-0a1b2c3d4e"])]
    meta: BlendMeta
    peek: PeekAnswer | None = None

    @classmethod
    def of(cls, run: Run, *, took_ms: float, peek: PeekAnswer | None = None) -> BlendAnswer:
        """Return the handle of a fusion that took some time."""
        top_k = run.frontier[-1].k if run.frontier else 0
        return cls(run.id, BlendMeta(top_k, len(run.ids), took_ms), peek)


@dataclass(frozen=True, slots=True)
class MutateAnswer:
    """The handle of the new fusion."""

    new_run_id: str
    frontier: Sequence[FrontierPoint]
    recipe: Mapping[str, Any]

    @classmethod
    def of(cls, run: Run) -> MutateAnswer:
        """Return the handle of a fusion that was derived from another one."""
        return cls(run.id, run.frontier, run.recipe)


@dataclass(frozen=True, slots=True)
class RunSnapshot:
    """The state of the palace that a run is based on."""

    palace: str
    revision: int
    created_at: str
    expires_at: str


@dataclass(frozen=True, slots=True)
class RunVerification:
    """Whether the recipe gives the same ranking now."""

    same: bool
    differs_at: Annotated[int | None, Field(description="first rank that differs, from 1")]
    revision: Annotated[int, Field(description="current revision of the palace")]


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a run was made: its recipe, sources and results."""

    run_id: str
    kind: Literal["lane", "fusion"]
    lane: str
    count: Annotated[int, Field(description="number of documents in the run")]
    recipe: Annotated[Mapping[str, Any], Field(description="all that is needed to make the run again")]
    parent: Annotated[str | None, Field(description="the fusion that it was derived from; null: none")]
    history: Annotated[Sequence[str], Field(description="ids from the first ancestor to this run")]
    sources: Annotated[Sequence[str], Field(description="lane runs that a fusion was made of")]
    frontier: Sequence[FrontierPoint]
    contributions: Annotated[
        Mapping[str, Mapping[str, float]],
        Field(description="the percentage that each lane, or run of it, and the codes gave to the best documents"),
    ]
    freqs_topk: Annotated[
        CodeCounts, Field(description="number of documents with each code, by scheme, the most frequent codes")
    ]
    metrics: Metrics | None
    snapshot: RunSnapshot
    verified: Annotated[RunVerification | None, Field(description="null unless it was requested")]

"""Runs: what a lane or a fusion found, kept under a handle, never changed; and what requests on them answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple

from graphpalace.domain.field import Field

Strategy = Literal["head", "match", "mix"]  # by which the part of a text is chosen that a snippet shows
LEAST_SNIPPET_CHARS, MOST_SNIPPET_CHARS = 4, 100_000  # code points

CodeCounts = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class DrawerColumns:
    """What a fusion needs to know of drawers, in columns of one length.

    Attributes:
        ids: Of drawers, each once.
        documents: What each is a part of, and what runs rank: a publication, as "publication JP1" wherever it is
            stored, another source document, which is a closet, or a note, which is the drawer itself.
        closets: Id of the closet that each stands in.
        families: Id of the patent family of each, "" where there is none.
        codes: Classification codes of each, for example `("ipc:H04L9/32", "fi:H04L9/00")`.
    """

    ids: tuple[str, ...]
    documents: tuple[str, ...]
    closets: tuple[str, ...]
    families: tuple[str, ...]
    codes: tuple[tuple[str, ...], ...]

    def document_of(self) -> dict[str, str]:
        """Return the document of each drawer."""
        return dict(zip(self.ids, self.documents, strict=True))

    def publications(self) -> dict[str, str]:
        """Return the first drawer of each publication by its number."""
        found: dict[str, str] = {}
        for drawer, document in zip(self.ids, self.documents, strict=True):
            kind, _, number = document.partition(" ")
            if kind == "publication":
                found.setdefault(number, drawer)
        return found

    def only(self, ids: Sequence[str]) -> DrawerColumns:
        """Return what is known of some of the drawers, in the order in which they are given."""
        place = dict(zip(self.ids, range(len(self.ids)), strict=True))
        rows = [place[one] for one in ids]
        return DrawerColumns(
            tuple(ids),
            tuple(self.documents[row] for row in rows),
            tuple(self.closets[row] for row in rows),
            tuple(self.families[row] for row in rows),
            tuple(self.codes[row] for row in rows),
        )


@dataclass(frozen=True, slots=True)
class LaneRanking:
    """What one run of a lane found, as a fusion takes it.

    Attributes:
        run: Its id; two runs of one lane stay two.
        ids: Drawers, best first, each once.
    """

    run: str
    lane: str
    ids: Sequence[str]


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """The estimated quality of the best k documents: precision, recall and their F, each from 0 to 1."""

    k: int
    P_star: float  # the seed's names are the contract
    R_star: float
    F_beta_star: float


@dataclass(frozen=True, slots=True)
class Metrics:
    """Metrics of a fusion, each from 0 to 1; None where it cannot be said."""

    at: Annotated[int, Field(description="number of best documents that were measured")]
    lane_agreement: Annotated[
        float | None, Field(description="mean Jaccard index of the lanes' best documents; null with one lane")
    ]
    code_concentration: Annotated[
        float | None, Field(description="1 - normalised entropy of the codes; null without codes")
    ]
    score_shape: Annotated[
        float | None, Field(description="score of the best 3 over that of the best `at`; null without documents")
    ]


@dataclass(frozen=True, slots=True)
class Run:
    """One lane result or fused result.

    Attributes:
        id: `{lane}-{8 hex}` or `fusion-{10 hex}`.
        ids: The best drawer of each document, best first.
        scores: RRF-ready: weight / (rrf_k + rank) for a lane, the fused score for a fusion.
        recipe: All that is needed to make the run again on the same revision of the palace.
        revision: Of the palace when it was made.
        history: Ids from the first ancestor to this run.
        sources: Lane runs that a fusion was made of.
        counts: How many members carry a code, by scheme, the most frequent ones.
        folded: For a member, the drawers that it stands for, one of each document of its family.
        contributions: For the best members, the percentage that each lane, or run of it, and the codes gave.
    """

    id: str
    palace: str
    kind: Literal["lane", "fusion"]
    lane: str
    ids: tuple[str, ...] = field(repr=False)
    scores: tuple[float, ...] = field(repr=False)
    recipe: dict[str, Any]
    revision: int
    created_at: datetime
    expires_at: datetime
    parent: str | None = None
    history: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    counts: CodeCounts = field(default_factory=dict)
    folded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    frontier: tuple[FrontierPoint, ...] = ()
    contributions: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    metrics: Metrics | None = None


class DocumentPart(NamedTuple):
    """A passage of a publication: abst, claim or desc, and its text."""

    part: str
    text: str


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A drawer with the closet that it stands in, or a publication.

    Attributes:
        id: As it was asked for.
        text: Of the drawer; empty for a publication.
        parts: Those that were asked for, in the order of the source; none if it is no publication.
    """

    id: str
    text: str
    parts: Sequence[DocumentPart]
    title: str | None
    pub_id: str | None
    app_id: str | None
    exam_id: str | None
    family_id: str | None
    assignee: str | None
    country: str | None
    published: str | None

    def part(self, name: str) -> str:
        """Return the whole text of a part."""
        return "\n".join(text for part, text in self.parts if part == name)


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

"""Requests and responses of the routes for runs. Source of the names: seed 004, section 5."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema, model_validator

from graphpalace.serve.http.numbers import Real, Whole
from graphpalace.serve.http.request_body import Moment, RequestBody, with_example

Level = Literal["section", "class", "subclass", "group", "full"]
Text = Annotated[str, Field(max_length=1000)]
FieldName = Literal[
    "title", "abst", "claim", "desc", "text", "assignee", "country", "published", "family_id",
    "app_doc_id", "app_id", "pub_id", "exam_id",
]  # fmt: skip
Chars = Annotated[Whole, Field(ge=4, le=100_000)]
PerField = dict[FieldName, Chars]
Strategy = Literal["head", "match", "mix"]


TargetProfile = dict[Literal["ipc", "cpc", "fi", "ft", "any"], dict[str, Real]]


def _of_cursor(given: Any) -> Any:
    """Return a cursor as a number; anything else is returned as it is, to be refused later."""
    return int(given) if isinstance(given, str) and re.fullmatch("[0-9]{1,9}", given) else given


_OFFSET_SCHEMA: dict[str, Any] = {
    "anyOf": [{"type": "integer", "minimum": 0, "maximum": 10**9}, {"type": "string", "pattern": "^[0-9]{1,9}$"}]
}
Offset = Annotated[
    Whole, Field(ge=0, le=10**9), BeforeValidator(_of_cursor), WithJsonSchema(_OFFSET_SCHEMA, mode="validation")
]


class Rollup(RequestBody):
    """The levels at which codes are counted."""

    ipc_level: Level = "full"
    cpc_level: Level = "full"
    fi_level: Level = "full"
    ft_level: Level = "full"

    def levels(self) -> dict[str, str]:
        """Return the level of each scheme whose codes are shortened."""
        return {name.removesuffix("_level"): level for name, level in self.model_dump().items() if level != "full"}


class _Question(RequestBody):
    q: str = Field("", max_length=20_000, description="words")
    wing: Text | None = None
    room: Text | None = None
    since: Moment | None = Field(
        None, description="only drawers whose time (occurred_at, or else when they were stored) is at or after this"
    )
    until: Moment | None = Field(None, description="only drawers whose time is before this")
    filters: list[dict[str, Any]] | dict[str, Any] | None = Field(
        None,
        description="a list of {lop: and|or|not, field, op: in|range|eq|neq, value}, or a map of some of date_from, "
        "date_to, ipc, cpc, fi, ft, assignee, country",
    )
    top_k: Whole = Field(1000, ge=1, le=10_000, description="largest number of documents in the run")
    rollup: Rollup = Field(default_factory=Rollup)
    budget_bytes: Whole = Field(4096, ge=64, le=65_536, description="largest size of code_freqs")


class FulltextRequest(_Question):
    """A search of the full-text lane."""

    model_config = with_example({"q": "lock", "filters": {"ipc": ["H04L"]}, "top_k": 200})

    palace: Text | None = Field(None, description="default: the configured palace")


class SemanticRequest(FulltextRequest):
    """A search of the semantic lane."""

    query_embedding: list[Real] | None = Field(
        None, description="vector of the palace's dimension, instead of an embedding of q"
    )


class LaneRequest(_Question):
    """A search of one of several lanes."""

    lane: Literal["fulltext", "semantic", "path", "code"]
    query_embedding: list[Real] | None = Field(
        None, description="for the lanes semantic and path, instead of an embedding of q"
    )
    target_profile: TargetProfile | None = Field(
        None, description="for the lane code: wanted codes with weights above 0, by scheme"
    )


class MultilaneRequest(RequestBody):
    """Searches of several lanes."""

    lanes: list[LaneRequest] = Field(min_length=1, max_length=10)
    trace_id: str | None = Field(None, max_length=200, description="stored in the recipe of each run")
    palace: Text | None = None


class ChosenRun(RequestBody):
    """A lane run to fuse."""

    run_id_lane: Text
    lane: Text | None = Field(None, description="checked if given")


class PeekInside(RequestBody):
    """A first page of the fusion, for the answer."""

    count: Whole = Field(12, ge=1, le=1000)
    fields: list[FieldName] | None = Field(None, min_length=1)
    per_field_chars: PerField = Field({})
    budget_bytes: Whole | None = Field(None, ge=256)
    strategy: Strategy = "head"


class _Choices(RequestBody):
    weights: dict[str, Real] | None = Field(None, description="weights by lane or run id, and of `code`; 0 to 1000")
    rrf_k: Whole | None = Field(
        None,
        ge=1,
        le=1000,
        description="constant of reciprocal rank fusion; a smaller one favours the top of each lane",
    )
    beta_fuse: Real | None = Field(None, ge=0, le=10)
    target_profile: TargetProfile | None = Field(None, description="wanted codes with weights above 0, by scheme")
    top_m_per_lane: dict[str, Annotated[Whole, Field(ge=1, le=10_000)]] | None = Field(
        None, description="number of best documents that count, by lane or run id"
    )
    k_grid: list[Annotated[Whole, Field(ge=1, le=10_000)]] | None = Field(None, min_length=1, max_length=50)
    fold: Literal["none", "closet", "family"] | None = Field(
        None, description="which drawers are folded into one document"
    )

    def chosen(self) -> dict[str, Any]:
        """Return the given values."""
        names = ("weights", "rrf_k", "beta_fuse", "target_profile", "top_m_per_lane", "k_grid", "fold")
        given = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return given | ({"k_grid": tuple(given["k_grid"])} if "k_grid" in given else {})


class BlendRequest(_Choices):
    """Lane runs, and how to fuse them. The body may be wrapped as {"request": ...}."""

    runs: list[ChosenRun] = Field(min_length=1, max_length=20)
    peek: PeekInside | None = None
    palace: Text | None = None

    @model_validator(mode="before")
    @classmethod
    def _unwrapped(cls, given: Any) -> Any:
        return given["request"] if isinstance(given, dict) and given.keys() == {"request"} else given


class PeekRequest(RequestBody):
    """A page of a run."""

    run_id: Text
    offset: Offset = Field(0, description="a number, or `peek_cursor` of the previous page, unchanged")
    limit: Whole | None = Field(
        None, ge=1, le=1000, description="largest number of documents; default and limit are settings"
    )
    fields: list[FieldName] | None = Field(
        None, min_length=1, description="fields to show; identifiers are always included"
    )
    per_field_chars: PerField = Field({})
    budget_bytes: Whole | None = Field(None, ge=256, description="largest size of `snippets` as it is sent")
    strategy: Strategy = Field(
        "head", description="head: the beginning of each text; match: around the words of the question; mix: both"
    )
    palace: Text | None = None


class SnippetsRequest(RequestBody):
    """Documents to show."""

    ids: list[Text] = Field(
        min_length=1,
        max_length=1000,
        description="ids of drawers, which begin with drawer-, and publication numbers (pub_id)",
    )
    fields: list[FieldName] | None = Field(None, min_length=1)
    per_field_chars: PerField = Field({})
    strategy: Strategy = "head"
    query: str = Field("", max_length=20_000, description="words for the strategies match and mix")
    palace: Text | None = None


class PublicationRequest(RequestBody):
    """Publications to show."""

    ids: list[Text] = Field(min_length=1, max_length=1000)
    id_type: Literal["pub_id", "app_doc_id", "app_id", "exam_id"] = "pub_id"
    fields: list[FieldName] | None = Field(None, min_length=1)
    per_field_chars: PerField = Field({})
    palace: Text | None = None


class Delta(_Choices):
    """The values to change."""

    @model_validator(mode="after")
    def _something(self) -> Delta:
        if not self.chosen():
            raise ValueError("give at least one value to overwrite")
        return self


class MutateRequest(RequestBody):
    """A fusion, and the values to change in a new one."""

    run_id: Text
    delta: Delta
    palace: Text | None = None


class LaneAnswer(BaseModel):
    """The handle of a lane run."""

    lane: str
    run_id_lane: str = Field(examples=["fulltext-0a1b2c3d"])
    count_returned: int = Field(description="number of documents in the run")
    truncated: bool = Field(description="whether the lane found more documents than the run has")
    code_freqs: dict[str, dict[str, int]]
    codes_left_out: int = Field(description="number of codes that do not fit into code_freqs")
    cursor: str | None = Field(description="number of documents in the run if it is truncated, else null")
    took_ms: float


class MultilaneAnswer(BaseModel):
    """The handles of the runs, in the order of the lanes."""

    trace_id: str | None
    results: list[LaneAnswer]


class SnippetOut(BaseModel):
    """Some fields of a document."""

    id: str
    fields: dict[str, str]


class PeekMeta(BaseModel):
    """Numbers about a page."""

    used_bytes: int = Field(description="size of `snippets` as it is sent, in UTF-8")
    truncated: bool = Field(description="whether the run has documents after this page")
    shortened: int = Field(description="number of snippets with a shortened field")
    peek_cursor: str | None = Field(description="offset of the next page, null at the end")
    total_docs: int
    retrieved: int = Field(description="number of requested documents that are still in the palace")
    returned: int


class PeekAnswer(BaseModel):
    """A page of snippets."""

    run_id: str
    snippets: list[SnippetOut]
    meta: PeekMeta


class BlendMeta(BaseModel):
    """Numbers about a fusion."""

    top_k: int = Field(description="deepest point of the frontier")
    count_returned: int = Field(description="number of documents in the run")
    took_ms: float


class BlendAnswer(BaseModel):
    """The handle of a fusion, with `peek` if it was requested."""

    run_id: str = Field(examples=["fusion-0a1b2c3d4e"])
    meta: BlendMeta
    peek: PeekAnswer | None = None


class Point(BaseModel):
    """The estimated quality of the best k documents."""

    k: int
    P_star: float
    R_star: float
    F_beta_star: float


class MutateAnswer(BaseModel):
    """The handle of the new fusion."""

    new_run_id: str
    frontier: list[Point]
    recipe: dict[str, Any]


class Snapshot(BaseModel):
    """The state of the palace that a run is based on."""

    palace: str
    revision: int
    created_at: str
    expires_at: str


class Verified(BaseModel):
    """Whether the recipe gives the same ranking now."""

    same: bool
    differs_at: int | None = Field(description="first rank that differs, from 1")
    revision: int = Field(description="current revision of the palace")


class Metrics(BaseModel):
    """Metrics of a fusion."""

    at: int
    lane_agreement: float | None
    code_concentration: float | None
    score_shape: float | None


class Provenance(BaseModel):
    """How a run was made: its recipe, sources and results."""

    run_id: str
    kind: Literal["lane", "fusion"]
    lane: str
    count: int
    recipe: dict[str, Any]
    parent: str | None
    history: list[str]
    sources: list[str]
    frontier: list[Point]
    contributions: dict[str, dict[str, float]]
    freqs_topk: dict[str, dict[str, int]]
    metrics: Metrics | None
    snapshot: Snapshot
    verified: Verified | None

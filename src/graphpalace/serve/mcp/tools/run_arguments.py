"""Arguments of the tools for runs. Source of the names: seed 004, section 5."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from graphpalace.domain.runs.run import LEAST_SNIPPET_CHARS, MOST_SNIPPET_CHARS, Strategy
from graphpalace.domain.runs.run_requests import BUDGET_BYTES, FieldName, RunLaneName
from graphpalace.domain.search.codes import Level
from graphpalace.domain.search.fusion_plan import MOST_MEMBERS, Fold, Scheme
from graphpalace.serve.mcp.arguments import Moment, Room, Until, Wing

Filters = Annotated[
    list[dict[str, Any]] | dict[str, Any] | None,
    Field(
        description="[{lop: and|or|not, field, op: in|range|eq|neq, value}], or some of date_from, date_to, ipc, cpc, "
        "fi, ft, assignee, country"
    ),
]
TopK = Annotated[int, Field(ge=1, le=MOST_MEMBERS, description="documents in the run")]
CodeBytes = Annotated[int, Field(ge=BUDGET_BYTES[0], le=BUDGET_BYTES[1], description="largest size of code_freqs")]
Fields = Annotated[list[FieldName] | None, Field(min_length=1, description="identifiers are always shown")]
PerField = Annotated[
    dict[FieldName, Annotated[int, Field(ge=LEAST_SNIPPET_CHARS, le=MOST_SNIPPET_CHARS)]] | None,
    Field(description="most characters of each field"),
]
Budget = Annotated[int | None, Field(ge=256, description="largest size of the snippets in bytes")]
Shown = Annotated[Strategy, Field(description="part of a long text: its beginning, around the words, or both")]
TargetProfile = Annotated[
    dict[Scheme, dict[str, float]] | None, Field(description='wanted codes, such as {"ipc": {"H04L": 0.7}}')
]


class _Argument(BaseModel):
    """An object inside the arguments of a tool; it has no names but these."""

    model_config = ConfigDict(extra="forbid")

    def given(self) -> dict[str, Any]:
        """Return what was given."""
        return {name: value for name, value in self if value is not None}


class Rollup(_Argument):
    """At which level codes are counted."""

    ipc_level: Level | None = None
    cpc_level: Level | None = None
    fi_level: Level | None = None
    ft_level: Level | None = None


class Lane(_Argument):
    """One of several searches."""

    lane: RunLaneName
    q: str | None = None
    wing: Wing = None
    room: Room = None
    since: Moment | None = None
    until: Until | None = None
    filters: Filters = None
    top_k: TopK | None = None
    rollup: Rollup | None = None
    budget_bytes: CodeBytes | None = None
    query_embedding: list[float] | None = None
    target_profile: TargetProfile = None

    def given(self) -> dict[str, Any]:
        """Return what was given."""
        found = super().given()
        return found | ({"rollup": self.rollup.given()} if self.rollup else {})


class ChosenRun(_Argument):
    """A lane run to fuse."""

    run_id_lane: str
    lane: str | None = Field(None, description="checked if given")


class Peek(_Argument):
    """A first page for the answer of a fusion."""

    count: Annotated[int, Field(ge=1)] | None = None
    fields: Fields = None
    per_field_chars: PerField = None
    budget_bytes: Budget = None
    strategy: Shown | None = None


class Delta(_Argument):
    """How to fuse; a value that is given takes the place of the one before."""

    weights: Annotated[dict[str, float] | None, Field(description="by lane or run id, and of code")] = None
    rrf_k: Annotated[int | None, Field(ge=1, le=1000, description="smaller favours the top of each lane")] = None
    beta_fuse: Annotated[float | None, Field(ge=0, le=10, description="gain of lanes with the wanted codes")] = None
    target_profile: TargetProfile = None
    top_m_per_lane: Annotated[dict[str, int] | None, Field(description="best documents that count")] = None
    k_grid: Annotated[list[int] | None, Field(min_length=1, max_length=50)] = None
    fold: Annotated[Fold | None, Field(description="which drawers count as one document")] = None


class BlendRequest(Delta):
    """Lane runs, and how to fuse them."""

    runs: list[ChosenRun] = Field(min_length=1, max_length=20)
    peek: Peek | None = Field(None, description="show a first page")

"""The requests on runs: which lane to search, how to fuse runs, and what to show of documents (seed 004, section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from graphpalace.domain.moments import whole_day
from graphpalace.domain.runs.run import LEAST_SNIPPET_CHARS, MOST_SNIPPET_CHARS, Strategy
from graphpalace.domain.search.codes import Level
from graphpalace.domain.search.fusion_plan import MOST_MEMBERS, Fold, Profile, Scheme

FieldName = Literal[
    "title", "abst", "claim", "desc", "text", "assignee", "country", "published", "family_id",
    "app_doc_id", "app_id", "pub_id", "exam_id",
]  # fmt: skip
RunLaneName = Literal["fulltext", "semantic", "path", "mcmp", "code"]
IdType = Literal["pub_id", "app_doc_id", "app_id", "exam_id"]

BUDGET_BYTES = (64, 65_536)
_Place = Annotated[str, Field(max_length=1000)]
_Depth = Annotated[int, Field(ge=1, le=MOST_MEMBERS)]


@dataclass(frozen=True, slots=True)
class LaneQuestion:
    """A search of one lane.

    Attributes:
        lane: fulltext, semantic, path, mcmp or code.
        q: Words; may be empty if an embedding or a profile is given.
        profile: Wanted classification codes with weights above 0, by scheme. The lane `code` requires it and takes
            neither words nor an embedding; the other lanes do not take it.
        filters: Conditions in the form that `domain.search.conditions` reads.
        top_k: Largest number of documents in the run, 1 to 10,000.
        rollup: Level at which the answer counts codes, by scheme, for example {"ipc": "subclass"}.
        budget_bytes: Largest size of the answer's code frequencies as JSON, 64 to 65,536.
    """

    lane: str
    q: Annotated[str, Field(max_length=20_000, description="words")] = ""
    query_embedding: Sequence[float] | None = None
    wing: _Place | None = None
    room: _Place | None = None
    since: Annotated[
        datetime | None,
        Field(description="only drawers whose time (occurred_at, or else when they were stored) is at or after this"),
    ] = None
    until: Annotated[
        datetime | None,
        BeforeValidator(whole_day),
        Field(description="only drawers whose time is up to this date, which is included, or before this moment"),
    ] = None
    filters: Annotated[
        Sequence[Mapping[str, Any]] | Mapping[str, Any] | None,
        Field(
            description="a list of {lop: and|or|not, field, op: in|range|eq|neq, value}, or a map of some of "
            "date_from, date_to, ipc, cpc, fi, ft, assignee, country"
        ),
    ] = None
    top_k: Annotated[int, Field(ge=1, le=MOST_MEMBERS, description="largest number of documents in the run")] = 1000
    profile: Profile = field(default_factory=dict)
    rollup: Mapping[str, Level] = field(default_factory=dict)
    budget_bytes: Annotated[
        int, Field(ge=BUDGET_BYTES[0], le=BUDGET_BYTES[1], description="largest size of code_freqs")
    ] = 4096


@dataclass(frozen=True, slots=True)
class LaneRunChoice:
    """A lane run to fuse."""

    run_id_lane: _Place
    lane: Annotated[_Place | None, Field(description="checked if given")] = None


@dataclass(frozen=True, slots=True)
class FusionChoices:
    """How to fuse runs. What is None is as before, or as in [runs]; `fusion_plan.Plan` has the meanings."""

    weights: Annotated[
        Mapping[str, float] | None, Field(description="weights by lane or run id, and of `code`; 0 to 1000")
    ] = None
    rrf_k: Annotated[
        int | None,
        Field(
            ge=1,
            le=1000,
            description="constant of reciprocal rank fusion; a smaller one favours the top of each lane",
        ),
    ] = None
    beta_fuse: Annotated[float | None, Field(ge=0, le=10)] = None
    target_profile: Annotated[
        Mapping[Scheme, Mapping[str, float]] | None,
        Field(description="wanted codes with weights above 0, by scheme"),
    ] = None
    top_m_per_lane: Annotated[
        Mapping[str, _Depth] | None,
        Field(description="number of best documents that count, by lane or run id"),
    ] = None
    k_grid: Annotated[Sequence[_Depth] | None, Field(min_length=1, max_length=50)] = None
    fold: Annotated[Fold | None, Field(description="which drawers are folded into one document")] = None

    def given(self) -> dict[str, Any]:
        """Return the values that are not None."""
        chosen = {name: value for name in FUSION_CHOICES if (value := getattr(self, name)) is not None}
        return chosen | ({"k_grid": tuple(chosen["k_grid"])} if "k_grid" in chosen else {})


FUSION_CHOICES = tuple(one.name for one in fields(FusionChoices))


@dataclass(frozen=True, slots=True)
class SnippetChoice:
    """Which fields of a document to show, and how much of each.

    Attributes:
        fields: None: title, abst and claim of a publication; title and text of other documents. The identifiers that a
            document has are always included.
        per_field_chars: Largest number of characters, by field, 4 to 100,000.
        strategy: Which part of a longer text to show: `head`, its beginning; `match`, the window around the query's
            words; `mix`, half of each.
    """

    fields: Annotated[
        Sequence[FieldName] | None,
        Field(min_length=1, description="fields to show; identifiers are always included"),
    ] = None
    per_field_chars: Mapping[FieldName, Annotated[int, Field(ge=LEAST_SNIPPET_CHARS, le=MOST_SNIPPET_CHARS)]] = field(
        default_factory=dict
    )
    strategy: Annotated[
        Strategy,
        Field(description="head: the beginning of each text; match: around the words of the question; mix: both"),
    ] = "head"

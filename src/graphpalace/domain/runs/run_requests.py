"""The requests on runs: which lane to search, how to fuse runs, and what to show of documents (seed 004, section 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Annotated, Any, Literal

from graphpalace.domain.field import DATE, NAMED, WHOLE_DAY, Field
from graphpalace.domain.runs.run import LEAST_SNIPPET_CHARS, MOST_SNIPPET_CHARS, Strategy
from graphpalace.domain.search.codes import Level
from graphpalace.domain.search.fusion_plan import MOST_MEMBERS, Fold, Profile, Scheme
from graphpalace.errors import InvalidInput

FieldName = Literal[
    "title", "abst", "claim", "desc", "text", "assignee", "country", "published", "family_id",
    "app_doc_id", "app_id", "pub_id", "exam_id",
]  # fmt: skip
RunLaneName = Literal["fulltext", "semantic", "path", "mcmp", "code"]
IdType = Literal["pub_id", "app_doc_id", "app_id", "exam_id"]

BUDGET_BYTES = (64, 65_536)
_CURSOR = re.compile("[0-9]{1,9}")

_Text = Annotated[str, Field(max_length=1000)]
_Run = Annotated[_Text, Field(description="a lane run or a fusion")]
_Fusion = Annotated[_Text, Field(description="a fusion")]
_Depth = Annotated[int, Field(ge=1, le=MOST_MEMBERS)]
_Ids = Annotated[Sequence[_Text], Field(min_length=1, max_length=1000)]
_TargetProfile = Annotated[
    Mapping[Scheme, Mapping[str, float]],
    Field(description='wanted codes with weights above 0, such as {"ipc": {"H04L": 0.7}}'),
]
_Embedding = Annotated[Sequence[float], Field(description="a vector of the palace's dimension, instead of q")]
_Budget = Annotated[int, Field(ge=256, description="largest size of the snippets in bytes")]
_Fields = Annotated[Sequence[FieldName], Field(min_length=1, description="identifiers are always shown")]
_FieldChars = Annotated[
    Mapping[FieldName, Annotated[int, Field(ge=LEAST_SNIPPET_CHARS, le=MOST_SNIPPET_CHARS)]],
    Field(description="most characters of each field"),
]
_Strategy = Annotated[Strategy, Field(description="part of a long text: its beginning, around the words, or both")]


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
    q: str = ""
    query_embedding: Sequence[float] | None = None
    wing: str | None = None
    room: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    filters: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None
    top_k: int = 1000
    profile: Profile = field(default_factory=dict)
    rollup: Mapping[str, Level] = field(default_factory=dict)
    budget_bytes: int = 4096


@dataclass(frozen=True, slots=True)
class CodeRollup:
    """The levels at which codes are counted."""

    ipc_level: Level = "full"
    cpc_level: Level = "full"
    fi_level: Level = "full"
    ft_level: Level = "full"

    def levels(self) -> dict[str, Level]:
        """Return the level of each scheme whose codes are shortened."""
        return {name.removesuffix("_level"): level for name, level in asdict(self).items() if level != "full"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    q: Annotated[str, Field(max_length=20_000, description="words")] = ""
    wing: Annotated[_Text | None, NAMED] = None
    room: Annotated[_Text | None, NAMED] = None
    since: Annotated[datetime | None, Field(description="said, or else stored, from then on"), DATE] = None
    until: Annotated[
        datetime | None, Field(description="said, or else stored, before then; a date is included"), WHOLE_DAY
    ] = None
    filters: Annotated[
        Sequence[Mapping[str, Any]] | Mapping[str, Any] | None,
        Field(
            description="[{lop: and|or|not, field, op: in|range|eq|neq, value}], or some of date_from, date_to, ipc, "
            "cpc, fi, ft, assignee, country"
        ),
    ] = None
    top_k: Annotated[int, Field(ge=1, le=MOST_MEMBERS, description="most documents in the run")] = 1000
    rollup: CodeRollup | None = None
    budget_bytes: Annotated[
        int, Field(ge=BUDGET_BYTES[0], le=BUDGET_BYTES[1], description="largest size of code_freqs in bytes")
    ] = 4096

    def of_lane(
        self, lane: RunLaneName, *, query_embedding: Sequence[float] | None = None, profile: Profile | None = None
    ) -> LaneQuestion:
        """Return the question to a lane."""
        return LaneQuestion(
            lane,
            self.q,
            query_embedding,
            self.wing,
            self.room,
            self.since,
            self.until,
            self.filters,
            self.top_k,
            profile or {},
            self.rollup.levels() if self.rollup else {},
            self.budget_bytes,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FulltextSearch(_Search):
    """A search of the full-text lane."""

    # It is required, which fields that are given by name may be after others.
    q: Annotated[str, Field(max_length=20_000, description="words")]  # pyright: ignore[reportGeneralTypeIssues]

    def question(self) -> LaneQuestion:
        """Return the question to the lane."""
        return self.of_lane("fulltext")


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticSearch(_Search):
    """A search of the semantic lane."""

    query_embedding: _Embedding | None = None

    def question(self) -> LaneQuestion:
        """Return the question to the lane."""
        return self.of_lane("semantic", query_embedding=self.query_embedding)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneSearch(_Search):
    """A search of one of several lanes."""

    lane: RunLaneName
    query_embedding: _Embedding | None = None
    target_profile: _TargetProfile | None = None

    def question(self) -> LaneQuestion:
        """Return the question to the lane."""
        profile: Profile = {**self.target_profile} if self.target_profile else {}
        return self.of_lane(self.lane, query_embedding=self.query_embedding, profile=profile)


@dataclass(frozen=True, slots=True)
class MultilaneSearch:
    """Searches of several lanes."""

    lanes: Annotated[Sequence[LaneSearch], Field(min_length=1, max_length=10, description="1 to 10 searches")]
    trace_id: Annotated[str | None, Field(max_length=200, description="kept in the recipe of each run")] = None


@dataclass(frozen=True, slots=True)
class LaneRunChoice:
    """A lane run to fuse."""

    run_id_lane: _Text
    lane: Annotated[_Text | None, Field(description="checked if given")] = None


@dataclass(frozen=True, slots=True)
class FusionChoices:
    """How to fuse runs. What is None is as before, or as in [runs]; `fusion_plan.Plan` has the meanings."""

    weights: Annotated[Mapping[str, float] | None, Field(description="by lane or run id, and of code; 0 to 1000")] = (
        None
    )
    rrf_k: Annotated[int | None, Field(ge=1, le=1000, description="smaller favours the top of each lane")] = None
    beta_fuse: Annotated[float | None, Field(ge=0, le=10, description="gain of lanes with the wanted codes")] = None
    target_profile: _TargetProfile | None = None
    top_m_per_lane: Annotated[
        Mapping[str, _Depth] | None,
        Field(description="best documents that count, by lane or run id"),
    ] = None
    k_grid: Annotated[
        Sequence[_Depth] | None,
        Field(min_length=1, max_length=50, description="numbers of documents of the frontier"),
    ] = None
    fold: Annotated[Fold | None, Field(description="which drawers count as one document")] = None

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

    fields: Sequence[FieldName] | None = None
    per_field_chars: Mapping[FieldName, int] = field(default_factory=dict)
    strategy: Strategy = "head"


@dataclass(frozen=True, slots=True)
class PeekInside:
    """A first page of the fusion, for the answer."""

    count: Annotated[int, Field(ge=1, le=1000, description="most documents")] = 12
    fields: _Fields | None = None
    per_field_chars: _FieldChars | None = None
    budget_bytes: _Budget | None = None
    strategy: _Strategy = "head"

    def look(self) -> SnippetChoice:
        """Return what to show of each document."""
        return SnippetChoice(self.fields, self.per_field_chars or {}, self.strategy)


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionRequest(FusionChoices):
    """Lane runs, and how to fuse them."""

    runs: Annotated[Sequence[LaneRunChoice], Field(min_length=1, max_length=20)]
    peek: Annotated[PeekInside | None, Field(description="show a first page")] = None


@dataclass(frozen=True, slots=True)
class FusionChange:
    """A fusion, and the values to change in a new one."""

    run_id: _Fusion
    delta: FusionChoices


@dataclass(frozen=True, slots=True)
class PeekRequest:
    """A page of a run."""

    run_id: _Run
    offset: Annotated[int | str, Field(description="a number, or peek_cursor of the page before")] = 0
    limit: Annotated[
        int | None,
        Field(ge=1, le=1000, description="largest number of documents; default and limit are settings"),
    ] = None
    fields: _Fields | None = None
    per_field_chars: _FieldChars | None = None
    budget_bytes: _Budget | None = None
    strategy: _Strategy = "head"

    @property
    def start(self) -> int:
        """The number of documents before the page.

        Raises:
            InvalidInput: If it is neither a number in its range nor one that is written as a cursor.
        """
        if isinstance(self.offset, str) and not _CURSOR.fullmatch(self.offset):
            raise InvalidInput(
                f"offset is {self.offset!r}; it must be a number, or the peek_cursor of the page before",
                field="offset",
                value=self.offset,
            )
        return int(self.offset)

    def look(self) -> SnippetChoice:
        """Return what to show of each document."""
        return SnippetChoice(self.fields, self.per_field_chars or {}, self.strategy)


@dataclass(frozen=True, slots=True)
class SnippetRequest:
    """Documents to show."""

    ids: Annotated[_Ids, Field(description="drawers, or publication numbers")]
    fields: _Fields | None = None
    per_field_chars: _FieldChars | None = None
    strategy: _Strategy = "head"
    query: Annotated[str, Field(max_length=20_000, description="words for match and mix")] = ""

    def look(self) -> SnippetChoice:
        """Return what to show of each document."""
        return SnippetChoice(self.fields, self.per_field_chars or {}, self.strategy)


@dataclass(frozen=True, slots=True)
class PublicationRequest:
    """Publications to show."""

    ids: _Ids
    id_type: IdType = "pub_id"
    fields: _Fields | None = None
    per_field_chars: _FieldChars | None = None

    def look(self) -> SnippetChoice:
        """Return what to show of each publication."""
        return SnippetChoice(self.fields, self.per_field_chars or {})


@dataclass(frozen=True, slots=True)
class ProvenanceQuery:
    """Which run to explain."""

    run_id: _Run
    verify: Annotated[bool, Field(description="compute the run again from its recipe, and compare")] = False

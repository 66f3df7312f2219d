"""Requests of the routes for runs. Source of the names: seed 004, section 5."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from graphpalace.domain.runs.run_requests import (
    FusionChoices,
    IdType,
    LaneQuestion,
    LaneRunChoice,
    RunLaneName,
    SnippetChoice,
)
from graphpalace.domain.search.codes import Level
from graphpalace.domain.search.fusion_plan import Scheme
from graphpalace.serve.http.request_body import RequestBody, fields_of, value_of, with_example

Text = Annotated[str, Field(max_length=1000)]


def _of_cursor(given: Any) -> Any:
    """Return a cursor as a number; anything else is returned as it is, to be refused later."""
    return int(given) if isinstance(given, str) and re.fullmatch("[0-9]{1,9}", given) else given


_OFFSET_SCHEMA: dict[str, Any] = {
    "anyOf": [{"type": "integer", "minimum": 0, "maximum": 10**9}, {"type": "string", "pattern": "^[0-9]{1,9}$"}]
}
Offset = Annotated[
    int, Field(ge=0, le=10**9), BeforeValidator(_of_cursor), WithJsonSchema(_OFFSET_SCHEMA, mode="validation")
]


class Rollup(RequestBody):
    """The levels at which codes are counted."""

    ipc_level: Level = "full"
    cpc_level: Level = "full"
    fi_level: Level = "full"
    ft_level: Level = "full"

    def levels(self) -> dict[str, Level]:
        """Return the level of each scheme whose codes are shortened."""
        return {name.removesuffix("_level"): level for name, level in self.model_dump().items() if level != "full"}


class _Question(fields_of(LaneQuestion, leave_out=("lane", "query_embedding", "profile", "rollup"))):
    rollup: Rollup = Field(default_factory=Rollup)


class FulltextRequest(_Question):
    """A search of the full-text lane."""

    model_config = with_example({"q": "lock", "filters": {"ipc": ["H04L"]}, "top_k": 200})

    palace: Text | None = Field(None, description="default: the configured palace")

    def question(self) -> LaneQuestion:
        """Return the request as the operation takes it."""
        return value_of(self, LaneQuestion, lane="fulltext", rollup=self.rollup.levels())


class SemanticRequest(FulltextRequest):
    """A search of the semantic lane."""

    query_embedding: list[float] | None = Field(
        None, description="vector of the palace's dimension, instead of an embedding of q"
    )

    def question(self) -> LaneQuestion:
        """Return the request as the operation takes it."""
        return value_of(self, LaneQuestion, lane="semantic", rollup=self.rollup.levels())


class LaneRequest(_Question):
    """A search of one of several lanes."""

    lane: RunLaneName
    query_embedding: list[float] | None = Field(
        None, description="for the lanes semantic, path and mcmp, instead of an embedding of q"
    )
    target_profile: dict[Scheme, dict[str, float]] | None = Field(
        None, description="for the lane code: wanted codes with weights above 0, by scheme"
    )

    def question(self) -> LaneQuestion:
        """Return the request as the operation takes it."""
        return value_of(self, LaneQuestion, profile=self.target_profile or {}, rollup=self.rollup.levels())


class MultilaneRequest(RequestBody):
    """Searches of several lanes."""

    lanes: list[LaneRequest] = Field(min_length=1, max_length=10)
    trace_id: str | None = Field(None, max_length=200, description="stored in the recipe of each run")
    palace: Text | None = None


class ChosenRun(fields_of(LaneRunChoice)):
    """A lane run to fuse."""


class PeekInside(fields_of(SnippetChoice)):
    """A first page of the fusion, for the answer."""

    count: int = Field(12, ge=1, le=1000)
    budget_bytes: int | None = Field(None, ge=256)


class _Choices(fields_of(FusionChoices)):
    def chosen(self) -> Mapping[str, Any]:
        """Return the given values."""
        return value_of(self, FusionChoices).given()


class BlendRequest(_Choices):
    """Lane runs, and how to fuse them. The body may be wrapped as {"request": ...}."""

    runs: list[ChosenRun] = Field(min_length=1, max_length=20)
    peek: PeekInside | None = None
    palace: Text | None = None

    @model_validator(mode="before")
    @classmethod
    def _unwrapped(cls, given: Any) -> Any:
        return given["request"] if isinstance(given, dict) and given.keys() == {"request"} else given


class PeekRequest(fields_of(SnippetChoice)):
    """A page of a run."""

    run_id: Text
    offset: Offset = Field(0, description="a number, or `peek_cursor` of the previous page, unchanged")
    limit: int | None = Field(
        None, ge=1, le=1000, description="largest number of documents; default and limit are settings"
    )
    budget_bytes: int | None = Field(None, ge=256, description="largest size of `snippets` as it is sent")
    palace: Text | None = None


class SnippetsRequest(fields_of(SnippetChoice)):
    """Documents to show."""

    ids: list[Text] = Field(
        min_length=1,
        max_length=1000,
        description="ids of drawers, which begin with drawer-, and publication numbers (pub_id)",
    )
    query: str = Field("", max_length=20_000, description="words for the strategies match and mix")
    palace: Text | None = None


class PublicationRequest(fields_of(SnippetChoice, leave_out=("strategy",))):
    """Publications to show."""

    ids: list[Text] = Field(min_length=1, max_length=1000)
    id_type: IdType = "pub_id"
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

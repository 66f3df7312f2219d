"""Requests and responses of feedback."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from graphpalace.serve.http.numbers import Real
from graphpalace.serve.http.request_body import PalaceField, RequestBody, with_example


class Judged(RequestBody):
    """A drawer with how much it helped, or did not."""

    id: str = Field(max_length=1000)
    reward: Real = Field(1.0, description="above 0, at most 1")


class FeedbackRequest(RequestBody):
    """What helped in an answer, and what did not: the answer is named by its run, or by its question."""

    model_config = with_example(
        {
            "run": "search-0123456789ab",
            "useful": ["drawer-1"],
            "useless": [{"id": "drawer-2", "reward": 0.5}],
        }
    )

    run: str | None = Field(None, max_length=1000, description="as /v1/search, /v1/rerank, a lane or a fusion gave it")
    query: str = Field("", max_length=20_000, description="in place of run: it is searched again")
    query_embedding: list[Real] | None = Field(None, description="as in /v1/search")
    wing: str | None = Field(None, description="that the question was asked in")
    room: str | None = None
    filters: list[dict[str, Any]] | dict[str, Any] | None = Field(None, description="as in /v1/search")
    namespace: Annotated[str, Field(min_length=1, max_length=1000)] | None = Field(
        None, description="with query: what is judged are documents of your own, as /v1/rerank knows them there"
    )
    useful: list[str | Judged] = Field(
        [],
        max_length=200,
        description="ids of drawers, or {id, reward}; of a run on lanes also numbers of publications, of a rerank ids "
        "of its documents",
    )
    useless: list[str | Judged] = Field([], max_length=200, description="the same of what did not help")
    selected_ids: list[Annotated[str, Field(max_length=1000)]] = Field(
        [], max_length=200, description="what was used of the answer, all with the same success"
    )
    success: Annotated[Real, Field(ge=0, le=1)] = Field(
        1.0, description="of selected_ids: from .5 on they were useful, by as much; below useless, by 1 - success"
    )
    id: str | None = Field(
        None,
        min_length=1,
        max_length=1000,
        description="a key of your choice: feedback of the same key counts once. Without one, the same"
        " feedback on a run counts once; the same on a query (with its place and filters) counts once within an hour,"
        " as a retry, and is new evidence later",
    )
    palace: PalaceField = None


class FeedbackGiven(BaseModel):
    """What became of it."""

    id: str = Field(description="to take it back")
    fresh: bool = Field(description="false: the same was given before, as `id` says, and nothing was done")
    useful: int
    useless: int


class Rewarded(BaseModel):
    """A drawer and its reward."""

    drawer: str
    reward: float


class JudgedDocument(BaseModel):
    """A document of the caller's own that was judged."""

    namespace: str
    id: str
    useful: bool
    reward: float


class FeedbackRow(BaseModel):
    """Feedback that was given."""

    id: str
    query: str
    search: str = Field(description="the search it is about")
    source: str = Field(description="given, or opened: a drawer was opened out of an answer")
    cycle: int = Field(description="of the palace's clock, when it was given")
    given_at: str
    wings: list[str]
    useful: list[Rewarded]
    useless: list[Rewarded]
    documents: list[JudgedDocument] = Field(description="of callers' own")


class Forgotten(BaseModel):
    """How much feedback was forgotten."""

    forgotten: int

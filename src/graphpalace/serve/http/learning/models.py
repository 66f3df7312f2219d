"""Requests and responses of the routes for feedback."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from graphpalace.serve.http.numbers import Real
from graphpalace.serve.http.request_body import PalaceField, RequestBody, with_example


class Judged(RequestBody):
    """A judged drawer with its reward."""

    id: str = Field(max_length=1000)
    reward: Real = Field(1.0, description="above 0, at most 1")


class FeedbackRequest(RequestBody):
    """Feedback on an answer, which is given by its run or by its question."""

    model_config = with_example(
        {
            "run": "search-0123456789ab",
            "useful": ["drawer-1"],
            "useless": [{"id": "drawer-2", "reward": 0.5}],
        }
    )

    run: str | None = Field(
        None, max_length=1000, description="id that /v1/search, /v1/rerank, a lane or a fusion returned"
    )
    query: str = Field("", max_length=20_000, description="instead of run; the question is searched again")
    query_embedding: list[Real] | None = Field(None, description="as in /v1/search")
    wing: str | None = Field(None, description="wing of the question")
    room: str | None = None
    filters: list[dict[str, Any]] | dict[str, Any] | None = Field(None, description="as in /v1/search")
    namespace: Annotated[str, Field(min_length=1, max_length=1000)] | None = Field(
        None,
        description="only with query: the judged documents are your own, with the ids of this namespace in /v1/rerank",
    )
    useful: list[str | Judged] = Field(
        [],
        max_length=200,
        description="ids of drawers, or {id, reward}; for a run on lanes also publication numbers, for a rerank ids "
        "of its documents",
    )
    useless: list[str | Judged] = Field([], max_length=200, description="as useful, for what did not help")
    selected_ids: list[Annotated[str, Field(max_length=1000)]] = Field(
        [], max_length=200, description="results that were used, all with the same success"
    )
    success: Annotated[Real, Field(ge=0, le=1)] = Field(
        1.0,
        description="for selected_ids: from 0.5 on the reward of useful results; below, of useless ones, 1 - success",
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
    """The result of giving feedback."""

    id: str = Field(description="id for taking the feedback back")
    fresh: bool = Field(description="false: the same feedback was given before, under `id`, and nothing changed")
    useful: int
    useless: int


class Rewarded(BaseModel):
    """A drawer and its reward."""

    drawer: str
    reward: float


class JudgedDocument(BaseModel):
    """A judged document of the caller's own."""

    namespace: str
    id: str
    useful: bool
    reward: float


class FeedbackRow(BaseModel):
    """A stored feedback."""

    id: str
    query: str
    search: str = Field(description="id of the judged search")
    source: str = Field(description="given, or opened: a drawer was opened from an answer")
    cycle: int = Field(description="cycle of the palace's clock when it was given")
    given_at: str
    wings: list[str]
    useful: list[Rewarded]
    useless: list[Rewarded]
    documents: list[JudgedDocument] = Field(description="documents of the caller's own")


class Forgotten(BaseModel):
    """The number of deleted feedbacks."""

    forgotten: int

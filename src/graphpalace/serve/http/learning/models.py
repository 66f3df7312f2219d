"""Requests and responses of the routes for feedback."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from graphpalace.serve.http.request_body import PalaceField, RequestBody, with_example


class Judged(RequestBody):
    """A judged drawer with its reward."""

    id: str = Field(max_length=1000)
    reward: float = Field(1.0, description="above 0, at most 1")


class FeedbackRequest(RequestBody):
    """Feedback on an answer, which is given by its run or by its question."""

    model_config = with_example(
        {
            "run": "search-0123456789ab",
            "useful": ["drawer-1"],
            "useless": [{"id": "drawer-2", "reward": 0.5}],
        }
    )

    run: str | None = Field(None, max_length=1000, description="as /v1/search, /v1/rerank, a lane or a fusion gave it")
    query: str = Field("", max_length=20_000, description="in place of run: it is searched again")
    query_embedding: list[float] | None = Field(None, description="as in /v1/search")
    wing: str | None = Field(None, description="that the question was asked in")
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
    success: Annotated[float, Field(ge=0, le=1)] = Field(
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

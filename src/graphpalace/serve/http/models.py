"""Requests and responses of the HTTP service."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from graphpalace.domain.room import HallType, WingType
from graphpalace.serve.http.request_body import EXAMPLE_PALACE, Moment, PalaceField, RequestBody, with_example


class SearchRequest(RequestBody):
    """A question, and where to look."""

    model_config = with_example({"query": "how do decorators work", "wing": "python", "top_k": 5})

    query: str = Field("", max_length=20_000, description="words; may be empty if query_embedding is given")
    query_embedding: list[float] | None = Field(None, description="vector of the palace's dimension")
    palace: PalaceField = None
    wing: str | None = None
    room: str | None = None
    since: Moment | None = Field(None, description="said, or else stored, at or after this time")
    until: Moment | None = Field(None, description="said, or else stored, before this time")
    top_k: int = Field(10, ge=1, le=200)
    filters: list[dict[str, Any]] | dict[str, Any] | None = Field(
        None,
        description="conditions on the documents: a list of {lop, field, op, value}, or {ipc, cpc, date_from, ...}",
        examples=[[{"lop": "and", "field": "country", "op": "eq", "value": "JP"}]],
    )
    target_profile: dict[Literal["ipc", "cpc", "fi", "ft", "any"], dict[str, float]] | None = Field(
        None, description="wanted codes with weights above 0, by scheme; the lane of codes joins the lanes then"
    )
    preset: str | None = Field(None, description="a plan of [search.presets]; default: the configured one")
    lanes: list[Literal["fulltext", "semantic", "path", "code", "mcmp"]] | None = Field(
        None, min_length=1, description="default: the plan's lanes"
    )
    weights: dict[Literal["fulltext", "semantic", "path", "code", "mcmp"], float] | None = Field(
        None, description="of some lanes, 0 to 1000; the others keep the plan's, or 1"
    )
    fusion: Literal["evidence", "rrf"] | None = Field(None, description="default: the plan's")
    unlearned: bool = Field(False, description="answer as if there had never been any feedback")
    rerank: bool = Field(False, description="put the best into another order at last, as [rerank] says")
    mmr_lambda: float | None = Field(
        None, description="of that order: 0 for variety, 1 for relevance; default: as configured"
    )


class DrawerRequest(RequestBody):
    """A text to be kept word for word."""

    model_config = with_example({"text": "The door code is 4711.", "wing": "home", "room": "keys"})

    text: str = Field(min_length=1, max_length=1_000_000)
    wing: str = Field(min_length=1, max_length=200)
    room: str = Field("general", min_length=1, max_length=200)
    palace: PalaceField = None
    title: str | None = Field(None, min_length=1, max_length=1000)
    source_uri: str | None = Field(None, min_length=1, max_length=4000)
    author: str | None = Field(None, min_length=1, max_length=1000)
    occurred_at: Moment | None = None
    importance: float = Field(0.5, ge=0, le=1, description="lifts the drawer in answers, or lowers it below .5")
    embedding: list[float] | None = Field(None, description="vector of the palace's dimension; else it is made")


class WingRequest(RequestBody):
    """A wing to be made."""

    name: str = Field(min_length=1, max_length=200, examples=["python"])
    wing_type: Annotated[WingType, Field(strict=False)] = WingType.TOPIC
    palace: PalaceField = None


class RoomRequest(RequestBody):
    """A room to be made."""

    wing: str = Field(min_length=1, max_length=200, examples=["python"])
    name: str = Field(min_length=1, max_length=200, examples=["decorators"])
    hall_type: Annotated[HallType, Field(strict=False)] = HallType.FACTS
    palace: PalaceField = None


class PalaceRequest(RequestBody):
    """A palace to be made."""

    name: str = Field(examples=[EXAMPLE_PALACE], description="1 to 63 of a-z, 0-9 and _, beginning with a letter")


class Step(BaseModel):
    """One node of the way from the palace to a drawer."""

    kind: str = Field(examples=["Room"])
    id: str
    name: str = Field(examples=["decorators"])


class Drawer(BaseModel):
    """A verbatim text and where it stands."""

    id: str
    text: str
    position: int = Field(description="place in its closet, from 0")
    start_line: int
    end_line: int
    headings: list[str] = []
    author: str | None = None
    occurred_at: str | None = None
    created_at: str
    importance: float
    wing_id: str
    wing: str
    room_id: str
    room: str
    hall_type: HallType
    closet_id: str
    closet: str
    source_uri: str
    media_type: str
    codes: list[str] = Field([], description="of a publication, each with its scheme", examples=[["cpc:H04L9/32"]])
    pub_id: str | None = Field(None, description="publication number; this and what follows: null for other documents")
    app_id: str | None = Field(None, description="application number")
    exam_id: str | None = Field(None, description="number of the examined document")
    family_id: str | None = Field(None, description="the same for all publications of one invention")
    assignee: str | None = None
    country: str | None = Field(None, description="office that published it")
    published: str | None = Field(None, description="day of publication", examples=["2023-05-31"])


class DrawerWithPath(Drawer):
    """A drawer with the way to it."""

    path: list[Step]
    created: bool | None = Field(None, description="after adding: false if the closet had that very text already")
    counted: bool | None = Field(
        None, description="after opening out of a search: whether that counts as feedback; once for each search"
    )


class LaneScore(BaseModel):
    """Where one lane saw the drawer."""

    rank: int | None = Field(description="null: the lane's list ended before it, its score was looked up")
    score: float = Field(description="BM25 for fulltext, cosine for semantic")
    share: float = Field(description="part of the fused score, 0 to 1")
    evidence: float | None = Field(description="how sure the lane is, 0 to 1; null with rrf")


class TrailStep(BaseModel):
    """One edge of the way that the path lane walked, in the direction it is stored in."""

    type: str = Field(examples=["SIMILAR_TO"])
    source: str
    target: str


class Reranked(BaseModel):
    """What the last order counted, before weights: each 0 to 1; the weighted sum is the hit's score."""

    dense: float = Field(description="the search's score, as a share of the best")
    narrative: float
    pheromone: float


class Taught(BaseModel):
    """What learning did to a hit: its score is `score` plus the changes."""

    rank: int | None = Field(description="without learning; null: nothing but memory found it")
    score: float = Field(description="without learning")
    question: float = Field(description="by putting the question as the wing's drawers answer it")
    lanes: float = Field(description="by shifting the balance of the lanes")
    memory: float = Field(description="by questions that it answered before, or did not")
    others: float = Field(description="by other questions that it answered")
    bound: float = Field(description="what the others went beyond [learning] bound, taken back")


class Importance(BaseModel):
    """What somebody said of the drawer when it was added."""

    value: float = Field(description="0 to 1")
    change: float = Field(description="what it added to the score, at most [search] importance_weight either way")


class Hit(BaseModel):
    """One drawer of an answer, with its reasons."""

    id: str
    text: str
    score: float = Field(description="what the fusion makes of the lanes, and what else is named here")
    lanes: dict[str, LaneScore]
    wing: str
    room: str
    closet: str
    source: dict[str, Any] = Field(examples=[{"uri": "file:///notes/a.md", "start_line": 3, "end_line": 9}])
    occurred_at: str | None
    path: list[Step]
    taught: Taught | None = Field(description="what learning changed; null if nothing was learned, or it was left out")
    importance: Importance | None = Field(description="null if it is .5, which changes nothing, or does not count")
    reranked: Reranked | None = Field(description="what the last order counted; null if none was asked for")
    trail: list[TrailStep] = Field(description="from another lane's hit to this one; empty unless the path lane walked")


class Plan(BaseModel):
    """How lanes became one answer."""

    lanes: list[str]
    weights: dict[str, float] = Field(description="a lane that is not named has 1")
    fusion: str


class SearchResponse(BaseModel):
    """An answer."""

    query: str
    palace: str
    run: str = Field(description="what feedback calls this search", examples=["search-0123456789ab"])
    count: int
    hits: list[Hit]
    plan: Plan
    left_out: dict[str, str] = Field(description="lanes that failed or were too slow, and why")
    timings_ms: dict[str, float]


class DrawerPage(BaseModel):
    """Some drawers; pass `next` as `after` for more."""

    drawers: list[Drawer]
    next: str | None


class Wing(BaseModel):
    """A wing with its counts."""

    id: str
    name: str = Field(examples=["python"])
    wing_type: WingType
    created_at: str
    rooms: int
    closets: int
    drawers: int


class Room(BaseModel):
    """A room with its counts and its neighbours."""

    id: str
    name: str = Field(examples=["decorators"])
    wing_id: str
    wing: str
    hall_type: HallType
    found_by: str = Field(description="folder, heading, cluster or hand")
    closets: int
    drawers: int
    halls: list[str] = Field(description="rooms of the same wing and hall type")
    tunnels: list[str] = Field(description="rooms of other wings that are near in meaning, as wing/room")


class Palace(BaseModel):
    """A palace with its counts."""

    name: str = Field(examples=[EXAMPLE_PALACE])
    created_at: str
    model: str = Field(description="embedding model its vectors are of")
    dimension: int
    wings: int
    rooms: int
    closets: int
    drawers: int


class Created(BaseModel):
    """Whether a call made something, or found it there."""

    name: str
    created: bool


class Deleted(BaseModel):
    """How many drawers (or, for a palace, nodes) were removed."""

    deleted: int

"""What a search answers, by which plan, and what its lanes and their fusion found. All doors show it so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, NamedTuple

from graphpalace.domain.field import Field
from graphpalace.domain.knowledge.facts import CurrentFact, Outdated
from graphpalace.domain.search.news import Newer, NewsOnHit
from graphpalace.domain.walking.walks import NamedNode


@dataclass(frozen=True, slots=True)
class Ranking:
    """Drawer ids with scores, best first; equal scores are ordered by id.

    The scores are the lane's own: BM25 for `fulltext`, cosine for `semantic`.

    Attributes:
        most: The greatest score that this lane could have given to this question, > 0: what makes the scores of
            different lanes comparable. What cosines are worth is known by their model (`EvidenceScale`).
    """

    lane: str
    ids: tuple[str, ...]
    scores: tuple[float, ...]
    most: float = 1.0

    @classmethod
    def of(cls, lane: str, scored: list[tuple[str, float]], *, most: float = 1.0) -> Ranking:
        """Return the ranking of (id, score) pairs in any order."""
        ordered = sorted(scored, key=lambda pair: (-pair[1], pair[0]))
        return cls(lane, tuple(drawer for drawer, _ in ordered), tuple(score for _, score in ordered), most)

    def first(self, limit: int) -> Ranking:
        """Return the best of it."""
        return self if len(self.ids) <= limit else Ranking(self.lane, self.ids[:limit], self.scores[:limit], self.most)


@dataclass(slots=True)  # not frozen, as it is made in hundreds for each search, in a third of a frozen one's time
class LaneScore:
    """Where one lane saw a drawer: its rank there, the lane's score, and the lane's share of the fused score."""

    rank: Annotated[int | None, Field(description="null: the lane's list ended before it, its score was looked up")]
    score: Annotated[float, Field(description="BM25 for fulltext, cosine for semantic")]
    share: Annotated[float, Field(description="part of the fused score, 0 to 1; those of a drawer sum to 1")]
    evidence: Annotated[
        float | None, Field(description="how well the drawer fits by this lane, 0 to 1; null with rrf")
    ] = None


class FusedDrawer(NamedTuple):
    """A drawer's fused score and what each lane gave to it."""

    id: str
    score: float
    lanes: dict[str, LaneScore]


GRACE = timedelta(days=14)  # what happened is often told some days later


@dataclass(frozen=True, slots=True)
class NamedTime:
    """A time that a question names. What was said then, or within 14 days afterwards, is ranked higher."""

    words: Annotated[str, Field(examples=["last week"])]
    since: Annotated[str, Field(description="where it begins", examples=["2026-05-18T00:00:00+00:00"])]
    until: Annotated[str, Field(description="where it has ended", examples=["2026-05-25T00:00:00+00:00"])]


@dataclass(frozen=True, slots=True)
class Timely:
    """That a drawer was said in the time that the question names, or soon after."""

    change: Annotated[float, Field(description="of the score, [search] time_weight")]


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """How lanes become one answer."""

    lanes: tuple[str, ...]
    weights: Annotated[Mapping[str, float], Field(description="a lane that is not named has 1")]
    fusion: str
    time: Annotated[
        NamedTime | None,
        Field(description="that the question names; what was said then is ranked higher. null if it names none"),
    ] = None


@dataclass(frozen=True, slots=True)
class LearnedChange:
    """What learning did to a hit: its score is `score` plus the changes."""

    rank: Annotated[int | None, Field(description="without learning; null: nothing but memory found it")]
    score: Annotated[float, Field(description="without learning")]
    question: Annotated[float, Field(description="by putting the question as the wing's drawers answer it")] = 0.0
    lanes: Annotated[float, Field(description="by shifting the balance of the lanes")] = 0.0
    memory: Annotated[float, Field(description="by questions that it answered before, or did not")] = 0.0
    others: Annotated[float, Field(description="by other questions that it answered")] = 0.0
    bound: Annotated[float, Field(description="what the others went beyond [learning] bound, taken back")] = 0.0


@dataclass(frozen=True, slots=True)
class Importance:
    """What somebody said of the drawer when it was added."""

    value: Annotated[float, Field(description="0 to 1")]
    change: Annotated[
        float, Field(description="what it added to the score, at most [search] importance_weight either way")
    ]


@dataclass(frozen=True, slots=True)
class Pointing:
    """How much of the drawer only points elsewhere, as a list of links and a table of contents do."""

    share: Annotated[float, Field(description="of its words that are links, 0.5 to 1")]
    change: Annotated[float, Field(description="of the score, at most [search] pointer_penalty, below 0")]


@dataclass(frozen=True, slots=True)
class TrailStep:
    """One edge of the way that the path lane walked, in the direction it is stored in."""

    type: Annotated[str, Field(examples=["SIMILAR_TO"])]
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class NameWay:
    """By way of which name the lane `entity` came to a hit."""

    entity: Annotated[str, Field(description="id of the name")]
    name: Annotated[str, Field(examples=["Ada Lovelace"])]
    drawer: Annotated[
        str | None,
        Field(description="the drawer among the best that has the name too; null: the question has it"),
    ]


@dataclass(frozen=True, slots=True)
class HitSource:
    """Where a text comes from; lines are counted from 1."""

    uri: Annotated[str, Field(examples=["file:///notes/a.md"])]
    start_line: Annotated[int, Field(examples=[3])]
    end_line: Annotated[int, Field(examples=[9])]


@dataclass(frozen=True, slots=True)
class Reply:
    """What was said next after a turn of a conversation that asks something."""

    drawer: Annotated[str, Field(description="id of the first drawer of the next turn")]
    author: Annotated[str | None, Field(examples=["assistant"])]
    text: Annotated[str, Field(description="of that drawer")]


@dataclass(frozen=True, slots=True)
class Copy:
    """Another drawer with the same text, or nearly the same, that was folded into a hit."""

    id: str
    wing: str
    room: str
    closet: str
    source: HitSource


@dataclass(frozen=True, slots=True)
class RerankSignals:
    """What an order counted, before weights: the weighted sum is the score."""

    dense: Annotated[
        float,
        Field(description="cosine of document and question, -1 to 1; in a search its score, as a share of the best"),
    ]
    narrative: Annotated[float, Field(description="closeness to questions that the drawer answered, 0 to 1")]
    pheromone: Annotated[float, Field(description="use of the drawer, as far as it has not faded, 0 to 1")]


@dataclass(frozen=True, slots=True)
class Hit:
    """One drawer of an answer: where it stands, what it says, and why it is here.

    A new field has a default, so that a client reads the answer of an older service.
    """

    id: str
    text: str
    score: Annotated[float, Field(description="what the fusion makes of the lanes, and what else is named here")]
    lanes: Mapping[str, LaneScore]
    wing: str
    room: str
    closet: str
    source: HitSource
    occurred_at: str | None
    path: Annotated[Sequence[NamedNode], Field(description="from the palace to the drawer")]
    taught: Annotated[
        LearnedChange | None,
        Field(description="what learning changed; null if nothing was learned, or it was left out"),
    ]
    importance: Annotated[
        Importance | None, Field(description="null if it is .5, which changes nothing, or does not count")
    ]
    outdated: Annotated[
        Outdated | None, Field(description="null unless everything that is known from the drawer has ended")
    ]
    pointing: Annotated[
        Pointing | None, Field(description="null if it does not mostly consist of links, or that does not count")
    ]
    timely: Annotated[
        Timely | None,
        Field(description="that it was said in the time that the question names; null if not, or it names none"),
    ]
    reranked: Annotated[
        RerankSignals | None, Field(description="what the last order counted; null if none was asked for")
    ]
    trail: Annotated[
        Sequence[TrailStep],
        Field(description="from another lane's hit to this one; empty unless the path lane walked"),
    ]
    also_at: Annotated[
        Sequence[Copy], Field(description="drawers further down with the same text, or nearly the same")
    ] = ()
    newer: Annotated[
        Newer | None,
        Field(description="the newer drawer that is probably news on it; null if none is, or it does not count"),
    ] = None
    news_on: Annotated[
        NewsOnHit | None,
        Field(description="the older drawer that it is probably news on; null if there is none, or it does not count"),
    ] = None
    reply: Annotated[
        Reply | None,
        Field(description="what was said next, if it is a turn of a conversation that asks something; else null"),
    ] = None
    by_name: Annotated[
        NameWay | None,
        Field(description="the name that the lane entity found it by; null if it did not"),
    ] = None
    confidence: Annotated[
        float | None,
        Field(
            description="probability that it answers the question, 0 to 1; null unless words and meaning were asked, "
            "and for what names put forward"
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: hits, best first, how they were fused, and how long each stage took."""

    query: str
    palace: str
    run: Annotated[str, Field(description="what feedback calls this search", examples=["search-0123456789ab"])]
    count: Annotated[int, Field(description="of hits")]
    hits: Sequence[Hit]
    facts: Annotated[Sequence[CurrentFact], Field(description="that hold, on names in the question; at most 5")]
    plan: SearchPlan
    left_out: Annotated[Mapping[str, str], Field(description="lanes that failed or were too slow, and why")]
    timings_ms: Annotated[Mapping[str, float], Field(description="of each stage, and total")]
    confidence: Annotated[
        float | None,
        Field(
            description="probability that the palace has what was asked for, 0 to 1; null unless words and meaning "
            "were asked"
        ),
    ] = None
    fits: Annotated[
        bool, Field(description="false: nothing fits well, as confidence is below [search] least_confidence")
    ] = True

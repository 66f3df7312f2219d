"""What a lane and a fusion return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from graphpalace.domain.field import Field


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

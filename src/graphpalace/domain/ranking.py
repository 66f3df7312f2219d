"""What a lane and a fusion return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Ranking:
    """Drawer ids with scores, best first; equal scores are ordered by id.

    The scores are the lane's own: BM25 for `fulltext`, cosine for `semantic`.

    Attributes:
        most: The greatest score that this lane could have given to this question, > 0: what makes the scores of
            different lanes comparable. 1 for cosines.
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


class LaneScore(NamedTuple):  # made in hundreds for each search, in a third of a dataclass's time
    """Where one lane saw a drawer: its rank there, the lane's score, and the lane's share of the fused score.

    Attributes:
        rank: From 1; None if the lane's ranking ended before it and its score was looked up.
        score: On the lane's own scale.
        share: 0 to 1; those of a drawer's lanes sum to 1.
        evidence: What the fusion made of the score, 0 (nothing) to 1 (as sure as the lane can be); None for RRF.
    """

    rank: int | None
    score: float
    share: float
    evidence: float | None = None


class Fused(NamedTuple):
    """A drawer's fused score and what each lane gave to it."""

    id: str
    score: float
    lanes: dict[str, LaneScore]

"""What a lane and a fusion return."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ranking:
    """Drawer ids with scores, best first; equal scores are ordered by id.

    The scores are the lane's own: BM25 for `fulltext`, cosine for `semantic`.
    """

    lane: str
    ids: tuple[str, ...]
    scores: tuple[float, ...]

    @classmethod
    def of(cls, lane: str, scored: list[tuple[str, float]]) -> Ranking:
        """Return the ranking of (id, score) pairs in any order."""
        ordered = sorted(scored, key=lambda pair: (-pair[1], pair[0]))
        return cls(lane, tuple(drawer for drawer, _ in ordered), tuple(score for _, score in ordered))


@dataclass(frozen=True, slots=True)
class LaneScore:
    """Where one lane saw a drawer: rank from 1, the lane's score, and its share of the fused score."""

    rank: int
    score: float
    share: float


@dataclass(frozen=True, slots=True)
class Fused:
    """A drawer's fused score and what each lane gave to it."""

    id: str
    score: float
    lanes: dict[str, LaneScore]

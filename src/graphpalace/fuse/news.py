"""Carry evidence from older drawers to those that are news on them.

People ask in the words of what they remember, which is often what held before. A drawer that says what has changed
then takes a share of the older one's score, as large as it is probable that it is news, and the older one goes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

SURE = 0.5  # probability from which on news takes all of the older one's score
FALL = 0.2  # most that an older one loses; the same for one that is surely old
_STEP = 1e-6  # between a newer one and the older one whose whole score it has
_LONGEST = 10  # drawers in a row, each news on the one before it


@dataclass(frozen=True, slots=True)
class NewsEdge:
    """That a drawer is probably news on an older one.

    Attributes:
        probability: 0 to 1; of 0, nothing follows.
    """

    newer: str
    older: str
    probability: float


def carried(
    scores: Mapping[str, float], edges: Iterable[NewsEdge], *, weight: float
) -> tuple[dict[str, float], dict[str, float]]:
    """Return what newer drawers gain, and what older ones lose.

    With s the score of a newer drawer and t that of an older one, after what it has from still older ones:

        gain = w min(1, p / 0.5) (t - s),  the largest over the older ones, at least 0
        loss = 0.2 w p,                   summed over the newer ones, at most 0.2 w and s + gain

    So nothing rises above the best of what it is news on, and nothing falls by more than 0.2 w, nor below 0.

    Args:
        scores: Score of each drawer, by id. Edges to or from other drawers count for nothing.
        edges: In any order.
        weight: w, 0 to 1.

    Returns:
        Gains and losses, both above 0, by id.

    Example:
        >>> gains, losses = carried({"old": 0.8, "new": 0.2}, [NewsEdge("new", "old", 0.25)], weight=1.0)
        >>> round(gains["new"], 3), losses["old"]
        (0.3, 0.05)
    """
    known = [each for each in edges if each.newer in scores and each.older in scores and each.probability > 0]
    after = dict(scores)
    for _ in range(_LONGEST):
        before = dict(after)
        for each in known:
            own, share = scores[each.newer], weight * min(1.0, each.probability / SURE)
            if before[each.older] > own:
                reached = own + share * (before[each.older] - own) + (_STEP if share == 1.0 else 0.0)
                after[each.newer] = max(after[each.newer], reached)
        if after == before:
            break
    gains = {drawer: after[drawer] - score for drawer, score in scores.items() if after[drawer] > score}
    parts: dict[str, list[float]] = {}
    for each in known:
        parts.setdefault(each.older, []).append(each.probability)
    # Sorted, so that the last digits do not depend on the order of the edges.
    losses = {
        drawer: min(FALL * weight * min(1.0, sum(sorted(some))), max(after[drawer], 0.0))
        for drawer, some in parts.items()
    }
    return gains, {drawer: loss for drawer, loss in losses.items() if loss > 0}

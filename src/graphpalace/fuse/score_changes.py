"""Change scores: for importance, for pointing elsewhere, and because a newer drawer has outdated an older one.

People ask in the words of what they remember, which is often what held before. A drawer that says what has changed
then takes a share of the older one's score, as large as it is probable that it is news, and the older one goes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphpalace.domain.search.answer import FusedDrawer

_STEP = 1e-6  # between a drawer and the one that it follows; less than the least distance of two ranks' scores
SURE = 0.5  # probability from which on news takes all of the older one's score
FALL = 0.2  # most that an older one loses; the same for one that is surely old
_CARRIED_STEP = 1e-6  # between a newer one and the older one whose whole score it has
_LONGEST = 10  # drawers in a row, each news on the one before it


def with_changes(fused: Iterable[FusedDrawer], changes: Mapping[str, float]) -> list[FusedDrawer]:
    """Add changes to the scores of drawers and sort them: best first, ties by id.

    Args:
        changes: Change of the score by id. Other drawers keep their scores.
    """
    moved = [hit._replace(score=hit.score + changes[hit.id]) if hit.id in changes else hit for hit in fused]
    return sorted(moved, key=lambda hit: (-hit.score, hit.id))


def changes_to_follow(
    successors: Mapping[str, str], changes: Mapping[str, float], orders: Sequence[Iterable[FusedDrawer]]
) -> dict[str, float]:
    """Return changes of scores after which no drawer ranks above one that took its place.

    Args:
        successors: The id of the drawer that took the place of each of these.
        changes: Changes that are made in any case, by id.
        orders: Each order in which it must hold; a drawer that is not in one of them counts for nothing there.
    """
    scores = [{hit.id: hit.score for hit in order} for order in orders]
    found = dict(changes)
    later = {old: _later(old, successors) for old in successors}
    for old in sorted(later, key=lambda each: len(later[each])):  # the latest first, on whose changes the others depend
        for known in scores:
            bounds = [known[new] + found.get(new, 0.0) - _STEP for new in later[old] if new in known]
            if old in known and bounds:
                found[old] = min(found.get(old, 0.0), min(bounds) - known[old])
    return found


def _later(drawer: str, successors: Mapping[str, str]) -> list[str]:
    """Return the drawers that took the place of a drawer, one after another; a circle ends where it would close."""
    found = [drawer]
    while (following := successors.get(found[-1])) is not None and following not in found:
        found.append(following)
    return found[1:]


def change_by_importance(importance: float, *, weight: float) -> float:
    """Return what an importance adds to a score: weight x (2 importance - 1), which is 0 for the neutral 0.5.

    Args:
        importance: 0 to 1.
        weight: Largest amount that is added or subtracted, >= 0.
    """
    return weight * (2 * importance - 1)


def change_by_pointing(share: float, *, penalty: float) -> float:
    """Return what links change of a score: -penalty (2 share - 1), which is 0 if half of the words are links.

    Args:
        share: Share of the words that are links, 0.5 to 1.
        penalty: Largest amount that is subtracted, >= 0.
    """
    return -penalty * (2 * share - 1)


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
                reached = own + share * (before[each.older] - own) + (_CARRIED_STEP if share == 1.0 else 0.0)
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

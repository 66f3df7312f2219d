"""Change scores by small amounts, such as for importance, or because a drawer is outdated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graphpalace.domain.search.ranking import FusedDrawer

_STEP = 1e-6  # between a drawer and the one that it follows; less than the least distance of two ranks' scores


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

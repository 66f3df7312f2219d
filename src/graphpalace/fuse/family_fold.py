"""Publications of one invention count as one document (seed 004, 0.2)."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.domain.search.fusion_plan import Fold
from graphpalace.domain.search.run import DrawerColumns


def keys_of(members: DrawerColumns, fold: Fold) -> list[str]:
    """Return what each member is one of: itself, its closet, or its family, and without a family itself.

    Args:
        members: One drawer of each document.
    """
    if fold == "none":
        return list(members.ids)
    if fold == "closet":
        return list(members.closets)
    return [family or own for family, own in zip(members.families, members.ids, strict=True)]


def folded(keys: Sequence[str]) -> tuple[list[int], dict[int, list[int]]]:
    """Return which places of a ranking stay, the best of each key, and for those the places that they stand for.

    Args:
        keys: Of the documents, best first.
    """
    best: dict[str, int] = {}
    others: dict[int, list[int]] = {}
    for place, key in enumerate(keys):
        first = best.setdefault(key, place)
        if first != place:
            others.setdefault(first, []).append(place)
    return list(best.values()), others

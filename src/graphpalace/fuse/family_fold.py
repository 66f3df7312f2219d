"""Folds the documents of one family (publications of one invention) into one result (seed 004, 0.2)."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.domain.search.fusion_plan import Fold
from graphpalace.domain.search.run import DrawerColumns


def keys_of(members: DrawerColumns, fold: Fold) -> list[str]:
    """Return the key by which each document is folded: its own id, its closet or its family.

    Args:
        members: One drawer of each document.
        fold: `none`, `closet` or `family`. With `family`, a document without a family has its own id as key.
    """
    if fold == "none":
        return list(members.ids)
    if fold == "closet":
        return list(members.closets)
    return [family or own for family, own in zip(members.families, members.ids, strict=True)]


def folded(keys: Sequence[str]) -> tuple[list[int], dict[int, list[int]]]:
    """Fold a ranking so that only the best document of each key stays.

    Args:
        keys: Keys of the documents, best first.

    Returns:
        The positions that stay, and for each of these the positions of the documents folded into it, if any.
    """
    best: dict[str, int] = {}
    others: dict[int, list[int]] = {}
    for place, key in enumerate(keys):
        first = best.setdefault(key, place)
        if first != place:
            others.setdefault(first, []).append(place)
    return list(best.values()), others

"""Folds what belongs together into one result: the drawers of a document, and the documents of a family (seed 004)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphpalace.domain.runs.run import DrawerColumns, LaneRanking
from graphpalace.domain.search.fusion_plan import Fold, Plan


def best_of_each(ids: Iterable[str], document_of: Mapping[str, str]) -> list[str]:
    """Return the first drawer of each document, in the given order.

    Args:
        ids: Ids of drawers, best first.
        document_of: The document of each drawer.

    >>> best_of_each(["a2", "b1", "a1"], {"a1": "a", "a2": "a", "b1": "b"})
    ['a2', 'b1']
    """
    first: dict[str, str] = {}
    for drawer in ids:
        first.setdefault(document_of[drawer], drawer)
    return list(first.values())


def with_one_drawer_each(runs: Sequence[LaneRanking], document_of: Mapping[str, str], plan: Plan) -> list[LaneRanking]:
    """Cut the runs to their planned depth, and let the same drawer represent a document in all of them.

    Different lanes may prefer different drawers of a document. The chosen drawer is that of the run with the highest
    weight / (k + rank) for the document, ties by the lower id. So the scores of a document add up over all runs.
    """
    cut = []
    shown: dict[str, tuple[float, str]] = {}
    for run in runs:
        weight = plan.weight_of(run.lane, run.run)
        ids = best_of_each(run.ids, document_of)[: plan.depth_of(run.lane, run.run)]
        cut.append(ids)
        for rank, drawer in enumerate(ids, start=1):
            document, gain = document_of[drawer], (-weight / (plan.rrf_k + rank), drawer)
            shown[document] = min(gain, shown.get(document, gain))
    return [
        replace(run, ids=[shown[document_of[drawer]][1] for drawer in ids]) for run, ids in zip(runs, cut, strict=True)
    ]


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

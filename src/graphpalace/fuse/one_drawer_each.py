"""Runs rank documents: of several drawers of one document the best counts (seed 004: lanes rank publications)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphpalace.domain.search.fusion_plan import Plan
from graphpalace.domain.search.run import LaneRanking


def best_of_each(ids: Iterable[str], document_of: Mapping[str, str]) -> list[str]:
    """Return the first drawer of each document, in order.

    Args:
        ids: Drawers, best first.
        document_of: The document that each of them is a part of.

    >>> best_of_each(["a2", "b1", "a1"], {"a1": "a", "a2": "a", "b1": "b"})
    ['a2', 'b1']
    """
    first: dict[str, str] = {}
    for drawer in ids:
        first.setdefault(document_of[drawer], drawer)
    return list(first.values())


def with_one_drawer_each(runs: Sequence[LaneRanking], document_of: Mapping[str, str], plan: Plan) -> list[LaneRanking]:
    """Return the runs, cut as planned, with the same drawer for a document in all of them.

    It is the drawer that the run found which gives the most, by its weight / (k + rank); ties go to the lower id. So
    the ranks of a document add up, although each lane may like another of its drawers best.
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

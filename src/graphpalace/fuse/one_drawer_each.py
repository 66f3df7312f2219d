"""Turns rankings of drawers into rankings of documents, as in seed 004: the best drawer of a document counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphpalace.domain.search.fusion_plan import Plan
from graphpalace.domain.search.run import LaneRanking


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

"""Explains fused scores: the percentage that each run and the codes contributed (seed 004, 6.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from jaxtyping import Float
from numpy import ndarray

from graphpalace.domain.search.fusion_plan import CODE_LANE


def labels(runs: Sequence[tuple[str, str]], *, with_codes: bool) -> list[str]:
    """Return a label for each run: its lane, or its id if several runs have the same lane.

    Args:
        runs: Lane and id of each run.
        with_codes: Whether codes contribute to the fusion; they use the label `code`, so a run cannot have it.

    >>> labels([("fulltext", "fulltext-1"), ("fulltext", "fulltext-2"), ("semantic", "semantic-1")], with_codes=False)
    ['fulltext-1', 'fulltext-2', 'semantic']
    """
    count = Counter([lane for lane, _ in runs] + [CODE_LANE] * with_codes)
    return [lane if count[lane] == 1 else run for lane, run in runs]


def contributions(
    plain: Mapping[str, Float[ndarray, " documents"]], total: Float[ndarray, " documents"]
) -> list[dict[str, float]]:
    """Return the percentage that each run contributed to each document's score. They sum to 100.

    The part of a run is its plain weight / (k + rank). The rest is what codes added by boosting documents, by weighting
    lanes and as a lane of their own; it is reported as `code`. Runs that contributed nothing are left out.

    Args:
        plain: Scores by label (from `labels`), without the effect of codes.
        total: Fused scores, > 0, at least the sum of the plain ones.

    Source: seed 004, 6.4.
    """
    rest = total - sum(plain.values())
    parts = [*plain.items(), (CODE_LANE, rest)]  # if a run has this label, nothing remains
    columns = [(label, (100 * part / total).tolist()) for label, part in parts]
    return [
        {label: column[at] for label, column in columns if column[at] > 1e-9}  # less is rounding
        for at in range(len(total))
    ]

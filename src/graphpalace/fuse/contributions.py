"""What each run and the codes gave to a fused score (seed 004, 6.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from jaxtyping import Float
from numpy import ndarray

from graphpalace.domain.search.fusion_plan import CODE_LANE


def labels(runs: Sequence[tuple[str, str]], *, with_codes: bool) -> list[str]:
    """Return what contributions call each run: its lane, or its own id where the lane would not tell it apart.

    Args:
        runs: Of each the lane and the id.
        with_codes: Whether the fusion adds something for codes, which is called `code` as the lane of codes is.

    >>> labels([("fulltext", "fulltext-1"), ("fulltext", "fulltext-2"), ("semantic", "semantic-1")], with_codes=False)
    ['fulltext-1', 'fulltext-2', 'semantic']
    """
    count = Counter([lane for lane, _ in runs] + [CODE_LANE] * with_codes)
    return [lane if count[lane] == 1 else run for lane, run in runs]


def contributions(
    plain: Mapping[str, Float[ndarray, " documents"]], total: Float[ndarray, " documents"]
) -> list[dict[str, float]]:
    """Return for each document the percentage that each run gave; they sum to 100.

    A run's part is its plain weight / (k + rank). Whatever codes added, in the boost of a document, the weight of a
    lane or the lane of codes, is what remains, and counts once, as `code`. Runs that gave nothing are left out.

    Args:
        plain: Scores by label, as `labels` gives them, before anything was added for codes.
        total: Fused scores, > 0, at least the sum of the plain ones.
    """
    rest = total - sum(plain.values())
    parts = [*plain.items(), (CODE_LANE, rest)]  # what remains is nothing where a run is called so
    columns = [(label, (100 * part / total).tolist()) for label, part in parts]
    return [
        {label: column[at] for label, column in columns if column[at] > 1e-9}  # less is rounding
        for at in range(len(total))
    ]

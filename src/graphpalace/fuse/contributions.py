"""What each lane and the codes gave to a fused score (seed 004, 6.4)."""

from __future__ import annotations

from collections.abc import Mapping

from jaxtyping import Float
from numpy import ndarray

from graphpalace.domain.fusion_plan import CODE_LANE


def contributions(
    plain: Mapping[str, Float[ndarray, " documents"]], total: Float[ndarray, " documents"]
) -> list[dict[str, float]]:
    """Return for each document the percentage that each lane gave; they sum to 100.

    A lane's part is its plain weight / (k + rank). Whatever codes added, in the boost of a document, the weight of a
    lane or the lane of codes, is what remains, and counts once, as `code`. Lanes that gave nothing are left out.

    Args:
        plain: Scores by lane before anything was added for codes.
        total: Fused scores, > 0, at least the sum of the plain ones.
    """
    rest = total - sum(plain.values())
    parts = {lane: 100 * part / total for lane, part in plain.items()}
    parts[CODE_LANE] = parts.get(CODE_LANE, 0.0) + 100 * rest / total  # a run of the lane of codes may be among them
    columns = {lane: part.tolist() for lane, part in parts.items()}
    return [
        {lane: column[at] for lane, column in columns.items() if column[at] > 1e-9}  # less is rounding
        for at in range(len(total))
    ]

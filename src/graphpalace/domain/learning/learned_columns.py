"""What drawers and documents of callers' own have learned, in columns, as a rerank counts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int64

from graphpalace.domain.vectors import Matrix

Column = Float64[np.ndarray, " drawers"]


@dataclass(frozen=True, slots=True, eq=False)
class MemoryColumns:
    """What some of the drawers remember of questions.

    Attributes:
        rows: Which drawers these are.
        vectors: Length one.
        strengths: 0 to 1, as they were at the cycles.
    """

    rows: Int64[np.ndarray, " memories"]
    vectors: Matrix
    strengths: Float64[np.ndarray, " memories"]
    cycles: Int64[np.ndarray, " memories"]


@dataclass(frozen=True, slots=True, eq=False)
class LearnedDrawers:
    """What drawers of a palace have learned.

    Attributes:
        cycle: What the palace's clock shows at the moment that was asked for.
        exploitation: Of the drawer, as it was at `node_cycles`.
        success, recency: Of the edge to it from its closet, as they were at `edge_cycles`.
        uses: Recency and cycle of the edges at each drawer that has exploitation.
    """

    cycle: int
    ids: Sequence[str]
    memories: MemoryColumns
    exploitation: Column
    node_cycles: Column
    success: Column
    recency: Column
    edge_cycles: Column
    uses: Sequence[Sequence[tuple[float, int]]]


@dataclass(frozen=True, slots=True, eq=False)
class LearnedDocuments:
    """What documents of callers' own have learned.

    Attributes:
        exploitation: As it was at `node_cycles`.
        laid_cycles: When feedback was last given on each; below 0 where that is not known.
    """

    cycle: int
    ids: Sequence[str]
    memories: MemoryColumns
    exploitation: Column
    node_cycles: Column
    laid_cycles: Column

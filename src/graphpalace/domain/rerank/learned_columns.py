"""The memories and pheromones of drawers and of callers' documents in columns, as a rerank needs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int64

from graphpalace.domain.vectors import Matrix

Column = Float64[np.ndarray, " drawers"]


@dataclass(frozen=True, slots=True, eq=False)
class MemoryColumns:
    """The memories of those drawers that have one.

    Attributes:
        rows: Indices of these drawers.
        vectors: Direction of each memory, of length one.
        strengths: Strength of each memory at the cycle in `cycles`, 0 to 1.
    """

    rows: Int64[np.ndarray, " memories"]
    vectors: Matrix
    strengths: Float64[np.ndarray, " memories"]
    cycles: Int64[np.ndarray, " memories"]


@dataclass(frozen=True, slots=True, eq=False)
class LearnedDrawers:
    """The memories and pheromones of drawers.

    Attributes:
        cycle: Cycle of the palace's clock at the requested time.
        exploitation: Exploitation of each drawer at the cycle in `node_cycles`.
        success, recency: Pheromones of the edge from the closet to the drawer at the cycle in `edge_cycles`.
        uses: For each drawer with exploitation, recency and cycle of its edges.
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
    """The memories and pheromones of callers' own documents.

    Attributes:
        cycle: Cycle of the palace's clock at the requested time.
        exploitation: Exploitation of each document at the cycle in `node_cycles`.
        laid_cycles: Cycle of the latest feedback on each document; below 0 if it is not known.
    """

    cycle: int
    ids: Sequence[str]
    memories: MemoryColumns
    exploitation: Column
    node_cycles: Column
    laid_cycles: Column

"""Nodes and edges of a palace as columns, with the values that the database stores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from jaxtyping import Bool, Float64, Int64, UInt8

from graphpalace.domain.graph.graph_snapshot import KINDS, RELATIONS
from graphpalace.store.connection.database import Row


@dataclass(frozen=True, eq=False)
class _Columns:
    """Arrays of equal length."""

    def kept(self, keep: Bool[np.ndarray, " rows"]) -> Self:
        """Return the rows where `keep` is true."""
        return type(self)(*(getattr(self, field.name)[keep] for field in fields(self)))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the rows of all parts, one after the other."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


@dataclass(frozen=True, eq=False)
class NodeColumns(_Columns):
    """Nodes with their stored pheromones.

    Attributes:
        key: Neo4j's internal id, which the edges refer to.
        id: Stable id of GraphPalace.
        kind: Position in `KINDS`.
        exploitation, exploration: Stored values, before decay.
        cycle: Cycle of the stored values; -1 if nothing was ever deposited.
    """

    key: Int64[np.ndarray, " nodes"]
    id: np.ndarray  # of str objects
    kind: UInt8[np.ndarray, " nodes"]
    exploitation: Float64[np.ndarray, " nodes"]
    exploration: Float64[np.ndarray, " nodes"]
    cycle: Int64[np.ndarray, " nodes"]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> NodeColumns:
        """Return columns from the rows of a query `snapshot/load_*`."""
        ids = np.empty(sum(len(row["ids"]) for row in rows), object)
        ids[:] = [node for row in rows for node in row["ids"]]
        return cls(
            _column(rows, "keys", np.int64),
            ids,
            np.repeat(
                np.array([KINDS.index(row["kind"]) for row in rows], np.uint8), [len(row["ids"]) for row in rows]
            ),
            _column(rows, "exploitation", np.float64),
            _column(rows, "exploration", np.float64),
            _column(rows, "cycles", np.int64),
        )


@dataclass(frozen=True, eq=False)
class EdgeColumns(_Columns):
    """Edges with their stored pheromones.

    Attributes:
        source, target: Neo4j's internal ids of the ends.
        relation: Position in `RELATIONS`.
        success, traversal, recency: Stored values, before decay.
        base_cost: Cost without pheromones.
        cycle: Cycle of the stored values; -1 if nothing was ever deposited.
    """

    source: Int64[np.ndarray, " edges"]
    target: Int64[np.ndarray, " edges"]
    relation: UInt8[np.ndarray, " edges"]
    success: Float64[np.ndarray, " edges"]
    traversal: Float64[np.ndarray, " edges"]
    recency: Float64[np.ndarray, " edges"]
    base_cost: Float64[np.ndarray, " edges"]
    cycle: Int64[np.ndarray, " edges"]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> EdgeColumns:
        """Return columns from the rows of a query `snapshot/load_*_edges`."""
        return cls(
            _column(rows, "sources", np.int64),
            _column(rows, "targets", np.int64),
            np.repeat(
                np.array([RELATIONS.index(row["type"]) for row in rows], np.uint8),
                [len(row["sources"]) for row in rows],
            ),
            _column(rows, "success", np.float64),
            _column(rows, "traversal", np.float64),
            _column(rows, "recency", np.float64),
            _column(rows, "base_costs", np.float64),
            _column(rows, "cycles", np.int64),
        )


def _column(rows: Sequence[Row], name: str, dtype: type[np.generic]) -> np.ndarray:
    return np.concatenate([np.array(row[name], dtype) for row in rows]) if rows else np.empty(0, dtype)

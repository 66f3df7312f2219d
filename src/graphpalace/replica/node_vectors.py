"""Compare the nodes of a palace with vectors. A drawer has its own vector, a place the mean of the drawers in it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Float64, Int64

from graphpalace.domain.vectors import Vector, unit_rows
from graphpalace.domain.walking.graph_snapshot import RELATIONS, Adjacency, GraphSnapshot
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.vectors.drawer_matrix import DrawerMatrix


@dataclass(frozen=True, eq=False)
class _Places:
    """The mean vectors of palace, wings, rooms and closets, and the nodes of the drawers in the matrix.

    Attributes:
        shape: Adjacency of the snapshot that this was computed for.
        drawer: Node of each row of the matrix; -1 if it is not in the snapshot.
        node: Nodes of the places that contain drawers.
        matrix: The drawers' vectors that this was computed from.
        mean: Mean direction of each place's drawers, of length one.
    """

    shape: Adjacency
    matrix: DrawerMatrix
    drawer: Int64[np.ndarray, " rows"]
    node: Int64[np.ndarray, " places"]
    mean: Float32[np.ndarray, "places dimension"]

    @classmethod
    def of(cls, snapshot: GraphSnapshot, matrix: DrawerMatrix) -> _Places:
        from scipy.sparse import csr_array  # loaded when it is first needed: it takes 22 MiB

        index_of, edges, nodes = snapshot.index_of, snapshot.edges, len(snapshot.nodes)
        drawer = np.fromiter((index_of.get(row, -1) for row in matrix.ids), np.int64, len(matrix))
        rows = np.flatnonzero(drawer >= 0)
        own = csr_array((np.ones(len(rows), np.float32), (drawer[rows], rows)), shape=(nodes, len(matrix)))
        below = []
        for relation in ("HAS_DRAWER", "HAS_CLOSET", "HAS_ROOM", "CONTAINS"):
            chosen = edges.relation == RELATIONS.index(relation)
            ends = edges.source[chosen], edges.target[chosen]
            own = csr_array((np.ones(len(ends[0]), np.float32), ends), shape=(nodes, nodes)) @ own
            below.append(own)
        members = (below[0] + below[1] + below[2] + below[3]).tocsr()
        node = np.flatnonzero(np.diff(members.indptr))
        sums = members[node] @ matrix.vectors_of(matrix.ids)
        return cls(snapshot.adjacency, matrix, drawer, node, unit_rows(np.asarray(sums, np.float32)))


class NodeVectors:
    """Computes cosines between the nodes of a palace and a vector."""

    def __init__(self, indexes: DrawerIndexes) -> None:
        self._indexes = indexes
        self._places: dict[str, _Places] = {}

    def forget(self, palace: str) -> None:
        """Free the mean vectors of a palace."""
        self._places.pop(palace, None)

    async def closeness(self, palace: str, snapshot: GraphSnapshot, goal: Vector) -> Float64[np.ndarray, " nodes"]:
        """Return the cosine of each node to a goal; 0 for nodes without a vector."""
        async with self._indexes.reading(palace) as matrix:  # the matrix is at least as new as the snapshot
            return await asyncio.to_thread(self._closeness, palace, snapshot, matrix, goal)

    async def closeness_of(
        self, palace: str, snapshot: GraphSnapshot, goal: Vector, nodes: Int64[np.ndarray, " chosen"]
    ) -> Float64[np.ndarray, " chosen"]:
        """Return the cosine of the given nodes to a goal; 0 for nodes without a vector."""
        async with self._indexes.reading(palace) as matrix:
            return await asyncio.to_thread(self._closeness_of, palace, snapshot, matrix, goal, nodes)

    async def closeness_to(self, palace: str, snapshot: GraphSnapshot, node: int) -> Float64[np.ndarray, " nodes"]:
        """Return the cosine of each node to one node; all 0 if that node has no vector."""
        async with self._indexes.reading(palace) as matrix:
            return await asyncio.to_thread(self._closeness_to, palace, snapshot, matrix, node)

    def _closeness_of(
        self, palace: str, snapshot: GraphSnapshot, matrix: DrawerMatrix, goal: Vector, nodes: np.ndarray
    ) -> np.ndarray:
        places = self._of(palace, snapshot, matrix)
        close = np.zeros(len(nodes))
        ids = [snapshot.nodes.ids[node] for node in nodes]
        here = np.fromiter((node in matrix for node in ids), bool, len(ids))
        close[here] = matrix.vectors_of(ids) @ goal
        at = np.minimum(np.searchsorted(places.node, nodes), max(len(places.node) - 1, 0))
        placed = places.node[at] == nodes if len(places.node) else np.zeros(len(nodes), bool)
        close[placed] = places.mean[at[placed]] @ goal
        return close

    def _closeness_to(self, palace: str, snapshot: GraphSnapshot, matrix: DrawerMatrix, node: int) -> np.ndarray:
        places = self._of(palace, snapshot, matrix)
        goal = matrix.vectors_of([snapshot.nodes.ids[node]])
        if not len(goal):
            goal = places.mean[places.node == node]
        if not len(goal):
            return np.zeros(len(snapshot.nodes))
        return self._closeness(palace, snapshot, matrix, goal[0])

    def _closeness(self, palace: str, snapshot: GraphSnapshot, matrix: DrawerMatrix, goal: Vector) -> np.ndarray:
        places = self._of(palace, snapshot, matrix)
        close = np.zeros(len(snapshot.nodes) + 1)  # the last element is for drawers that are not in the snapshot
        close[places.drawer] = matrix.cosines(goal)
        close[places.node] = places.mean @ goal
        return close[:-1]

    def _of(self, palace: str, snapshot: GraphSnapshot, matrix: DrawerMatrix) -> _Places:
        places = self._places.get(palace)
        known = places is not None and places.shape is snapshot.adjacency and places.matrix is matrix
        if places is None or not known or len(places.drawer) != len(matrix):
            places = self._places[palace] = _Places.of(snapshot, matrix)
        return places

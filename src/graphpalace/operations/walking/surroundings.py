"""Show a node of the graph with its neighbours and the edges between them."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int64

from graphpalace.domain.walking.graph_snapshot import KINDS, RELATES_TO, RELATIONS, GraphSnapshot
from graphpalace.domain.walking.surroundings import GraphEdge, GraphNode, Surroundings, SurroundingsRequest
from graphpalace.replica.places import find_node, names_of
from graphpalace.replica.snapshots import Snapshots
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.facts import FactStore


class ShowSurroundings:
    """Reads parts of the graph around single nodes, from the graph in memory."""

    def __init__(self, database: Database, snapshots: Snapshots) -> None:
        self._database = database
        self._snapshots = snapshots

    async def of(self, palace: str, asked: SurroundingsRequest) -> Surroundings:
        """Return a node, its neighbours, and the edges among them and to the nodes that are shown already.

        Nodes that are shown already and are gone by now are ignored.

        Raises:
            NotFound: If the node is not in the palace.
            InvalidInput: If its name fits several rooms.
        """
        snapshot = await self._snapshots.get(palace)
        middle = await find_node(self._database, snapshot, palace, asked.of, field="of")
        shown = {at for one in asked.shown if (at := snapshot.index_of.get(one)) is not None}
        chosen, left_out = nearest_neighbours(snapshot, middle, limit=asked.limit, shown=shown)
        nodes = [middle, *chosen]
        edges = edges_among(snapshot, nodes, shown)
        names = await names_of(self._database, snapshot, nodes)
        ids, kinds = snapshot.nodes.ids, snapshot.nodes.kind
        start = snapshot.ways.start
        said = await self._predicates(palace, snapshot, edges)
        return Surroundings(
            middle=ids[middle],
            nodes=[
                GraphNode(
                    kind=KINDS[kinds[node]],
                    id=ids[node],
                    name=names[node],
                    edges=int(start[node + 1] - start[node]),
                    exploitation=float(snapshot.nodes.exploitation[node]),
                    exploration=float(snapshot.nodes.exploration[node]),
                )
                for node in nodes
            ],
            edges=[_edge(snapshot, edge, said) for edge in edges.tolist()],
            left_out=left_out,
            cycle=snapshot.cycle,
        )

    async def _predicates(
        self, palace: str, snapshot: GraphSnapshot, edges: Int64[np.ndarray, " some"]
    ) -> dict[tuple[str, str], list[str]]:
        rows = snapshot.edges
        facts = edges[rows.relation[edges] == RELATES_TO].tolist()
        ids = snapshot.nodes.ids
        pairs = [(ids[rows.source[edge]], ids[rows.target[edge]]) for edge in facts]
        return await FactStore(self._database).predicates(palace, pairs) if pairs else {}


def nearest_neighbours(snapshot: GraphSnapshot, middle: int, *, limit: int, shown: set[int]) -> tuple[list[int], int]:
    """Return the neighbours of a node that are not shown yet, and the number of those beyond the limit.

    The types of edges take turns, so that a room shows its tunnels although it has hundreds of closets. Within a type,
    the edge with the lowest current cost comes first, then the neighbour with the lower id.
    """
    ways = snapshot.ways
    arcs = slice(ways.start[middle], ways.start[middle + 1])
    neighbours, edges = ways.neighbour[arcs], ways.edge[arcs]
    cheapest = np.lexsort((neighbours, snapshot.edges.current_cost[edges]))
    relation = snapshot.edges.relation[edges[cheapest]]
    turn = np.zeros(len(relation), np.int64)  # the place of each edge among the edges of its type
    for one in np.unique(relation):
        of_type = relation == one
        turn[of_type] = np.arange(of_type.sum())
    order = cheapest[np.argsort(turn, kind="stable")]
    fresh = [node for node in dict.fromkeys(neighbours[order].tolist()) if node != middle and node not in shown]
    return fresh[:limit], max(0, len(fresh) - limit)


def edges_among(snapshot: GraphSnapshot, nodes: list[int], shown: set[int]) -> Int64[np.ndarray, " some"]:
    """Return the edges that join two of the nodes, or one of them and a node that is shown, by type and ends."""
    near = np.zeros(len(snapshot.nodes), bool)
    near[nodes] = True
    near[list(shown)] = True
    ways = snapshot.ways
    arcs = [slice(ways.start[node], ways.start[node + 1]) for node in nodes]
    found = [ways.edge[some][near[ways.neighbour[some]]] for some in arcs]
    edges, rows = np.unique(np.concatenate(found)).astype(np.int64), snapshot.edges
    return edges[np.lexsort((rows.target[edges], rows.source[edges], rows.relation[edges]))]


def _edge(snapshot: GraphSnapshot, edge: int, said: dict[tuple[str, str], list[str]]) -> GraphEdge:
    rows, ids = snapshot.edges, snapshot.nodes.ids
    source, target = ids[rows.source[edge]], ids[rows.target[edge]]
    return GraphEdge(
        type=RELATIONS[rows.relation[edge]],
        source=source,
        target=target,
        predicates=said.get((source, target), []),
        base_cost=float(rows.base_cost[edge]),
        current_cost=float(rows.current_cost[edge]),
        success=float(rows.success[edge]),
        traversal=float(rows.traversal[edge]),
        recency=float(rows.recency[edge]),
    )

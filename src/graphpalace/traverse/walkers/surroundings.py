"""The neighbourhood of some nodes, as a smaller graph."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from jaxtyping import Int, Int64

from graphpalace.domain.graph.graph_snapshot import GraphSnapshot
from graphpalace.traverse.rows import arcs_of


def surroundings(
    snapshot: GraphSnapshot, centres: Int[np.ndarray, " centres"], *, hops: int = 2, widest: int = 256
) -> tuple[GraphSnapshot, Int64[np.ndarray, " chosen"]]:
    """Extract the subgraph of all nodes within some hops of the centres.

    The search does not continue from hubs, so that one large room does not bring in the whole palace. A hub that is
    reached is part of the subgraph, but edges between two hubs are left out.

    Args:
        centres: Indices of the nodes to start from.
        hops: Largest distance from a centre in steps, >= 0.
        widest: A node with more edges than this is a hub.

    Returns:
        The subgraph as a snapshot, its nodes in the same order, and the index of each of its nodes in `snapshot`.
    """
    adjacency = snapshot.adjacency
    degree = np.diff(adjacency.start)
    inside = np.zeros(len(snapshot.nodes), bool)
    edges: list[np.ndarray] = []
    latest = np.unique(centres)
    inside[latest] = True
    for _ in range(hops):
        arcs, _ = arcs_of(adjacency, latest[degree[latest] <= widest])
        edges.append(adjacency.edge[arcs])
        heads = np.unique(adjacency.neighbour[arcs])
        latest = heads[~inside[heads]]
        inside[latest] = True
    # The search did not look at the edges among the outermost nodes.
    arcs, _ = arcs_of(adjacency, latest[degree[latest] <= widest])
    edges.append(adjacency.edge[arcs[inside[adjacency.neighbour[arcs]]]])
    chosen = np.flatnonzero(inside)
    kept = np.unique(np.concatenate(edges))
    place = np.cumsum(inside) - 1
    nodes = snapshot.nodes
    edge = {field.name: getattr(snapshot.edges, field.name)[kept] for field in fields(snapshot.edges)}
    edge |= {end: place[edge[end]].astype(np.int32) for end in ("source", "target")}
    node = {name: getattr(nodes, name)[chosen] for name in ("kind", "exploitation", "exploration")}
    part = replace(
        snapshot,
        nodes=replace(nodes, ids=[nodes.ids[at] for at in chosen], **node),
        edges=replace(snapshot.edges, **edge),
    )
    return part, chosen

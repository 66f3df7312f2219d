"""The neighbourhood of some nodes, as a smaller graph."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from jaxtyping import Int, Int64

from graphpalace.domain.graph.graph_snapshot import ENTITY, RELATES_TO, GraphSnapshot
from graphpalace.traverse.rows import arcs_of


def surroundings(
    snapshot: GraphSnapshot,
    centres: Int[np.ndarray, " centres"],
    *,
    hops: int = 2,
    widest: int = 256,
    widest_name: int = 64,
) -> tuple[GraphSnapshot, Int64[np.ndarray, " chosen"]]:
    """Extract the subgraph of all nodes within some hops of the centres.

    The search does not continue from hubs, so that one large room or one frequent name does not bring in the whole
    palace. A hub that is reached is part of the subgraph, but edges between two hubs are left out. A fact that is
    reached in the last step leads on to the neighbours of its other name: without them it would lead nowhere.

    Args:
        centres: Indices of the nodes to start from.
        hops: Largest distance from a centre in steps, >= 0.
        widest: A node with more edges than this is a hub.
        widest_name: A name with more edges than this is one: rare names lead on, frequent ones do not.

    Returns:
        The subgraph as a snapshot, its nodes in the same order, and the index of each of its nodes in `snapshot`.
    """
    adjacency = snapshot.adjacency
    leads_on = np.diff(adjacency.start) <= np.where(snapshot.nodes.kind == ENTITY, widest_name, widest)
    inside = np.zeros(len(snapshot.nodes), bool)
    edges: list[np.ndarray] = []
    arcs = np.empty(0, np.int64)
    latest = np.unique(centres)
    inside[latest] = True
    for _ in range(hops):
        arcs, _ = arcs_of(adjacency, latest[leads_on[latest]])
        edges.append(adjacency.edge[arcs])
        heads = np.unique(adjacency.neighbour[arcs])
        latest = heads[~inside[heads]]
        inside[latest] = True
    facts = arcs[snapshot.edges.relation[adjacency.edge[arcs]] == RELATES_TO]
    others = np.unique(adjacency.neighbour[facts])
    arcs, _ = arcs_of(adjacency, others[leads_on[others]])
    edges.append(adjacency.edge[arcs])
    latest = np.union1d(latest, adjacency.neighbour[arcs])
    inside[latest] = True
    # The search did not look at the edges among the outermost nodes.
    arcs, _ = arcs_of(adjacency, latest[leads_on[latest]])
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

"""References to nodes and edges, and the path on which a deposit is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graphpalace.domain.graph.graph_snapshot import KINDS, RELATIONS, GraphSnapshot


class NodeRef(NamedTuple):
    """Identifies a node by kind and id."""

    kind: str
    id: str


class EdgeRef(NamedTuple):
    """Identifies an edge by type and end nodes, in the direction in which the database stores it."""

    type: str
    source: str
    target: str


class Trail(NamedTuple):
    """A path through a palace: its edges in walking order, and all of its nodes."""

    edges: Sequence[EdgeRef]
    nodes: Sequence[NodeRef]


def node_refs(snapshot: GraphSnapshot, nodes: Iterable[int]) -> list[NodeRef]:
    """Convert node indices of a snapshot to references."""
    return [NodeRef(KINDS[snapshot.nodes.kind[node]], snapshot.nodes.ids[node]) for node in nodes]


def edge_refs(snapshot: GraphSnapshot, edges: Iterable[int]) -> list[EdgeRef]:
    """Convert edge indices of a snapshot to references."""
    ids, rows = snapshot.nodes.ids, snapshot.edges
    return [EdgeRef(RELATIONS[rows.relation[edge]], ids[rows.source[edge]], ids[rows.target[edge]]) for edge in edges]

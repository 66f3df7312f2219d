"""What a deposit is laid on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graphpalace.domain.graph.graph_snapshot import KINDS, RELATIONS, GraphSnapshot


class NodeRef(NamedTuple):
    """A node by its kind and id."""

    kind: str
    id: str


class EdgeRef(NamedTuple):
    """An edge by its type and its ends, in the direction it is stored in."""

    type: str
    source: str
    target: str


class Trail(NamedTuple):
    """A walk: its edges in the order they were walked, and every node of it."""

    edges: Sequence[EdgeRef]
    nodes: Sequence[NodeRef]


def node_refs(snapshot: GraphSnapshot, nodes: Iterable[int]) -> list[NodeRef]:
    """Return nodes of a snapshot by kind and id."""
    return [NodeRef(KINDS[snapshot.nodes.kind[node]], snapshot.nodes.ids[node]) for node in nodes]


def edge_refs(snapshot: GraphSnapshot, edges: Iterable[int]) -> list[EdgeRef]:
    """Return edges of a snapshot by type and ends."""
    ids, rows = snapshot.nodes.ids, snapshot.edges
    return [EdgeRef(RELATIONS[rows.relation[edge]], ids[rows.source[edge]], ids[rows.target[edge]]) for edge in edges]

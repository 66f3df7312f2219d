"""A palace's graph as it was read from the database, which can be updated in part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphpalace.domain.graph.graph_snapshot import DRAWER, KINDS, RELATIONS
from graphpalace.store.connection.database import Row
from graphpalace.store.graph.graph_columns import EdgeColumns, NodeColumns

_NAME_EDGES = [RELATIONS.index(name) for name in ("REFERENCES", "RELATES_TO")]
_ENTITY = KINDS.index("Entity")
_DRAWER_EDGES = [RELATIONS.index(name) for name in ("HAS_DRAWER", "SIMILAR_TO", "REFERENCES")]


@dataclass(frozen=True, eq=False)
class StoredGraph:
    """The stored graph: nodes sorted by id, and the edges between them."""

    nodes: NodeColumns
    edges: EdgeColumns

    @classmethod
    def of(cls, nodes: Sequence[NodeColumns], edges: Sequence[EdgeColumns]) -> StoredGraph:
        joined = NodeColumns.joined(nodes)
        ordered = joined.kept(np.array(sorted(range(len(joined.id)), key=joined.id.__getitem__), np.int64))
        links = EdgeColumns.joined(edges)
        known = np.isin(links.source, ordered.key) & np.isin(links.target, ordered.key)
        return cls(ordered, links.kept(known))  # an end may have been deleted between two reads

    def without(self, changed: set[str]) -> tuple[NodeColumns, EdgeColumns]:
        """Return the drawers that did not change, and the drawer edges that do not touch a changed drawer."""
        drawers = self.nodes.kept(self.nodes.kind == DRAWER)
        stays = np.fromiter((node not in changed for node in drawers.id), bool, len(drawers.id))
        gone = drawers.key[~stays]
        touched = np.isin(self.edges.source, gone) | np.isin(self.edges.target, gone)
        return drawers.kept(stays), self.edges.kept(np.isin(self.edges.relation, _DRAWER_EDGES) & ~touched)

    def entities_of(self, edges: Sequence[EdgeColumns], *, besides: NodeColumns) -> NodeColumns:
        """Return the entities that some edges lead to, without those of `besides`, which were read again."""
        entities = self.nodes.kept(self.nodes.kind == _ENTITY)
        named = [part.kept(np.isin(part.relation, _NAME_EDGES)) for part in edges]
        used = np.concatenate([ends for part in named for ends in (part.source, part.target)])
        return entities.kept(np.isin(entities.key, used) & ~np.isin(entities.key, besides.key))

    @cached_property
    def _key_order(self) -> np.ndarray:
        return np.argsort(self.nodes.key)

    def rows_of(self, keys: np.ndarray) -> np.ndarray:
        """Return the rows of nodes by Neo4j's internal ids, all of which must be in the graph."""
        order = self._key_order
        return order[np.searchsorted(self.nodes.key, keys, sorter=order)].astype(np.int32)

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows of the source and of the target of each edge."""
        return self.rows_of(self.edges.source), self.rows_of(self.edges.target)

    def set_trails(self, read: Row) -> None:
        """Replace pheromones in place. Snapshots are not affected, as they have arrays of their own."""
        n, e = self.nodes, self.edges
        if read["nodes"]:
            keys, exploitation, exploration, cycles = zip(*read["nodes"], strict=True)
            rows = self.rows_of(np.array(keys))
            n.exploitation[rows], n.exploration[rows], n.cycle[rows] = exploitation, exploration, cycles
        wanted = {(a, b, RELATIONS.index(relation)): trail for a, b, relation, *trail in read["edges"]}
        near = np.flatnonzero(np.isin(e.source, [source for source, _, _ in wanted])) if wanted else ()
        for row in near:
            if trail := wanted.get((e.source[row], e.target[row], e.relation[row])):
                e.success[row], e.traversal[row], e.recency[row], e.cycle[row] = trail

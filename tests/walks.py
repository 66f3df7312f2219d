"""A small palace to walk in, and how to name its parts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from graphpalace.app import GraphPalace
from graphpalace.domain.walking.graph_snapshot import GraphSnapshot, Trail, edge_refs, node_refs
from graphpalace.operations.drawers.drawers import NewDrawer

TEXTS = {
    ("garden", "roses"): ("roses need pruning in spring", "roses like sun and clay soil"),
    ("garden", "tools"): ("a sharp pruning knife cuts roses cleanly", "oil the shears in autumn"),
    ("kitchen", "bread"): ("knead the dough for ten minutes", "sourdough needs time and a warm place"),
    ("kitchen", "tools"): ("a sharp bread knife cuts crust cleanly", "scales are better than cups"),
}


async def furnish(app: GraphPalace, palace: str) -> dict[str, str]:
    """Store the texts; return the id of each drawer by its text."""
    added = {}
    for (wing, room), texts in TEXTS.items():
        for text in texts:
            added[text] = (await app.drawers.add(palace, NewDrawer(text=text, wing=wing, room=room))).drawer.id
    return added


def trail_between(snapshot: GraphSnapshot, *ids: str) -> Trail:
    """Return the walk over these nodes, each next to the one before."""
    at = [snapshot.index_of[node] for node in ids]
    edges = snapshot.edges
    walked = []
    for a, b in pairwise(at):
        joins = ((edges.source == a) & (edges.target == b)) | ((edges.source == b) & (edges.target == a))
        walked.append(int(np.flatnonzero(joins)[0]))
    return Trail(edge_refs(snapshot, walked), node_refs(snapshot, at))


def way_to(snapshot: GraphSnapshot, drawer: str) -> Trail:
    """Return the walk from a drawer's wing down to it."""
    way = [drawer]
    edges = snapshot.edges
    for _ in range(3):
        here = snapshot.index_of[way[0]]
        above = (edges.target == here) & (edges.relation <= 2)
        way.insert(0, snapshot.nodes.ids[int(edges.source[np.flatnonzero(above)[0]])])
    return trail_between(snapshot, *way)

"""A palace of 200,000 nodes and 1,000,000 edges, or a smaller one, as a snapshot without a database."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32, Float64, Int64

from graphpalace.domain.vectors import unit_rows
from graphpalace.domain.walking.graph_snapshot import KINDS, RELATIONS, Edges, GraphSnapshot, Nodes
from graphpalace.pheromones.strength import edge_cost, pheromone_factor

SIMILAR = 4.4  # SIMILAR_TO for each drawer
_DIMENSION = 32  # of the vectors that closeness is measured with
_WARM = 0.05  # share of the nodes and edges that carry pheromones
_BASE_COST = {"HAS_ROOM": 0.3, "HAS_CLOSET": 0.3, "HAS_DRAWER": 0.3, "HALL": 0.5, "TUNNEL": 0.7, "REFERENCES": 0.5}

_Pairs = tuple[Int64[np.ndarray, " edges"], Int64[np.ndarray, " edges"]]


@dataclass(frozen=True, slots=True)
class PalaceSize:
    """How many there are of everything.

    Attributes:
        largest_room: Closets of one room; the rest is spread over the others.
        edges: All that are not of another type are REFERENCES.
    """

    wings: int = 10
    rooms: int = 200
    closets: int = 12_000
    entities: int = 9_790
    drawers: int = 178_000
    largest_room: int = 2_000
    halls: int = 500
    tunnels: int = 300
    edges: int = 1_000_000

    @classmethod
    def of_drawers(cls, drawers: int) -> PalaceSize:
        """Return a palace of some drawers: as many of everything else for each, but fewer rooms of fewer closets."""
        share = drawers / cls().drawers
        root = share**0.5
        return cls(
            wings=max(2, round(10 * root)),
            rooms=max(4, round(200 * root)),
            closets=round(12_000 * share),
            entities=round(9_790 * share),
            drawers=drawers,
            largest_room=round(2_000 * share),
            halls=max(4, round(500 * root)),
            tunnels=max(2, round(300 * root)),
            edges=round(1_000_000 * share),
        )

    @property
    def nodes(self) -> int:
        """All of them."""
        return self.wings + self.rooms + self.closets + self.drawers + self.entities


@dataclass(frozen=True, eq=False)
class PalaceGraph:
    """A snapshot and the vectors of its nodes.

    Attributes:
        vectors: Of length one for rooms and drawers, all zero for the other nodes.
    """

    snapshot: GraphSnapshot
    vectors: Float32[np.ndarray, "nodes dimension"]

    def closeness(self, goal: int) -> Float64[np.ndarray, " nodes"]:
        """Return the cosine of each node to the vector of one; 0 where a node has none."""
        return np.clip((self.vectors @ self.vectors[goal]).astype(np.float64), -1, 1)

    def drawers(self) -> Int64[np.ndarray, " drawers"]:
        """Return the indices of the drawers."""
        return np.flatnonzero(self.snapshot.nodes.kind == KINDS.index("Drawer"))


def palace_graph(size: PalaceSize = PalaceSize()) -> PalaceGraph:
    """Make wings of rooms of closets of drawers, halls and tunnels, similar drawers, and entities they refer to.

    Closets are of very different sizes, as documents are. Ids are hashes after the name of the kind, so what is near in
    the graph is not near in memory, here as in a real palace.
    """
    rng = np.random.default_rng(20_260_202)
    room_of = np.concatenate(
        [np.zeros(size.largest_room, np.int64), rng.integers(1, size.rooms, size.closets - size.largest_room)]
    )
    sizes = rng.lognormal(2.4, 1.0, size.closets)
    closet_of = np.sort(
        np.searchsorted(np.cumsum(sizes / sizes.sum()), rng.random(size.drawers)).clip(0, size.closets - 1)
    )
    room, closet, drawer, entity = np.cumsum([size.wings, size.rooms, size.closets, size.drawers])
    pairs: dict[str, _Pairs] = {
        "HAS_ROOM": (np.arange(size.rooms) % size.wings, room + np.arange(size.rooms)),
        "HAS_CLOSET": (room + room_of, closet + np.arange(size.closets)),
        "HAS_DRAWER": (closet + closet_of, drawer + np.arange(size.drawers)),
        "HALL": _among(rng, room, size, size.halls),
        "TUNNEL": _among(rng, room, size, size.tunnels),
    }
    first, second = _similar(rng, closet_of, room_of, size, round(SIMILAR * size.drawers))
    pairs["SIMILAR_TO"] = drawer + first, drawer + second
    left = size.edges - sum(len(source) for source, _ in pairs.values())
    popular = (size.entities * rng.random(left) ** 2).astype(np.int64)
    pairs["REFERENCES"] = drawer + rng.integers(0, size.drawers, left), entity + popular
    vectors = _vectors(rng, closet_of, room_of, size)
    kind = np.repeat([0, 1, 2, 3, 4], [size.wings, size.rooms, size.closets, size.drawers, size.entities]).astype(
        np.uint8
    )
    return _shuffled(rng, kind, vectors, pairs, size)


def _among(rng: np.random.Generator, first: int, size: PalaceSize, count: int) -> _Pairs:
    ends = rng.integers(0, size.rooms, (2, count))
    return first + ends[0], first + (ends[1] + (ends[0] == ends[1])) % size.rooms


def _similar(
    rng: np.random.Generator,
    closet_of: Int64[np.ndarray, " drawers"],
    room_of: Int64[np.ndarray, " closets"],
    size: PalaceSize,
    count: int,
) -> _Pairs:
    """Return pairs of drawers: a third of one closet, half of one room, the rest from anywhere."""
    by_room = np.argsort(room_of[closet_of], kind="stable")
    place = np.argsort(by_room)
    first = rng.integers(0, size.drawers, count)
    near = first + rng.integers(1, 12, count)
    same_room = by_room[(place[first] + rng.integers(1, min(400, size.drawers // size.rooms), count)) % size.drawers]
    anywhere = rng.integers(0, size.drawers, count)
    which = rng.random(count)
    second = np.where(which < 0.33, near % size.drawers, np.where(which < 0.83, same_room, anywhere))
    return first, np.where(second == first, (first + 1) % size.drawers, second)


def _vectors(
    rng: np.random.Generator,
    closet_of: Int64[np.ndarray, " drawers"],
    room_of: Int64[np.ndarray, " closets"],
    size: PalaceSize,
) -> Float32[np.ndarray, "nodes dimension"]:
    """Return vectors around a direction of each room, and within it around one of each closet."""

    def noise(count: int) -> Float32[np.ndarray, "count dimension"]:
        return unit_rows(rng.standard_normal((count, _DIMENSION)).astype(np.float32))

    rooms = noise(size.rooms)
    closets = unit_rows(rooms[room_of] + 0.8 * noise(size.closets))
    drawers = unit_rows(closets[closet_of] + 0.8 * noise(size.drawers))
    without = [np.zeros((count, _DIMENSION), np.float32) for count in (size.wings, size.closets, size.entities)]
    return np.concatenate([without[0], rooms, without[1], drawers, without[2]])


def _shuffled(
    rng: np.random.Generator,
    kind: np.ndarray,
    vectors: Float32[np.ndarray, "nodes dimension"],
    pairs: dict[str, _Pairs],
    size: PalaceSize,
) -> PalaceGraph:
    by_name = np.argsort(KINDS)  # ids begin with the name of their kind
    old = np.lexsort((rng.random(size.nodes), np.argsort(by_name)[kind]))
    new = np.argsort(old)
    counts = [len(source) for source, _ in pairs.values()]
    relation = np.repeat([RELATIONS.index(name) for name in pairs], counts).astype(np.uint8)
    base_cost = np.repeat([_BASE_COST.get(name, 0.0) for name in pairs], counts)
    similar = relation == RELATIONS.index("SIMILAR_TO")
    base_cost[similar] = 1 - rng.uniform(0.6, 0.95, int(similar.sum()))
    success, traversal, recency = (_pheromone(rng, size.edges) for _ in range(3))
    factor = pheromone_factor(success, traversal, recency)
    edges = Edges(
        new[np.concatenate([source for source, _ in pairs.values()])].astype(np.int32),
        new[np.concatenate([target for _, target in pairs.values()])].astype(np.int32),
        relation,
        success,
        traversal,
        recency,
        factor,
        base_cost,
        edge_cost(base_cost, factor),
    )
    exploitation, exploration = (_pheromone(rng, size.nodes) for _ in range(2))
    nodes = Nodes([f"n{index:06}" for index in range(size.nodes)], kind[old], exploitation, exploration)
    return PalaceGraph(GraphSnapshot(revision=1, cycle=0, nodes=nodes, edges=edges), vectors[old])


def _pheromone(rng: np.random.Generator, count: int) -> Float64[np.ndarray, " carriers"]:
    return rng.exponential(0.5, count) * (rng.random(count) < _WARM)

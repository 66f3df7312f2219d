"""Which arc an agent prefers, and with which probability it takes it: a softmax over the arcs of each node.

An agent prefers the arc of edge e to node v by

    max(0, closeness[v]) + 0.5 min(1, exploitation[v]) - 0.3 min(1, exploration[v] + mark x visits[v]) - current_cost[e]

where `visits` counts the visits of this colony so far, and `mark` is the exploration pheromone that each leaves (0.3 in
seed 003). So agents are drawn to nodes that answered earlier searches, along edges with pheromones, and away from each
other.

Seed 003 gives a node the expected free energy -(1 / precision + max(0, closeness) + 0.5 exploitation - 0.3
exploration). The term 1 / precision is left out: nodes of a palace have no precision of their own, and a term that is
the same for all neighbours does not change a softmax.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float, Float32, Float64, Int, Int32, Int64, UInt

from graphpalace.domain.walking.graph_snapshot import GraphSnapshot, Nodes
from graphpalace.errors import InvalidInput
from graphpalace.traverse.adjacency import SHIFT, WIDTH, ArcBlocks

EXPLOITATION_WEIGHT = 0.5
EXPLORATION_WEIGHT = 0.3
EXPLORATION_MARK = 0.3
_Drawn = tuple[Int64[np.ndarray, " agents"], Int64[np.ndarray, " agents"]]


class NodeAppeal:
    """The appeal of each node to agents: the preference above without the edge's cost. It falls with each visit.

    Unlike the other parts of a walk, it changes in place: copying it at each step would take longer than the step.

    Args:
        closeness: Cosine of each node to the goal, clipped to -1 to 1; 0 for nodes without a vector.
        mark: Exploration pheromone that a visit leaves, >= 0.

    Attributes:
        values: Current appeal of each node, -0.3 to 1.5.

    Raises:
        InvalidInput: If `closeness` does not have one value for each node.
    """

    def __init__(self, nodes: Nodes, closeness: Float[np.ndarray, " nodes"], *, mark: float = EXPLORATION_MARK) -> None:
        if closeness.shape != (len(nodes),):
            raise InvalidInput(
                f"closeness has shape {closeness.shape}; it must have one value for each of {len(nodes)} nodes",
                field="closeness",
            )
        pull = closeness.astype(np.float32)
        np.clip(pull, 0.0, 1.0, out=pull)
        pull += EXPLOITATION_WEIGHT * np.minimum(nodes.exploitation, 1.0)
        self._least: Float32[np.ndarray, " nodes"] = pull - np.float32(EXPLORATION_WEIGHT)
        self.values: Float32[np.ndarray, " nodes"] = pull
        self.values -= EXPLORATION_WEIGHT * np.minimum(nodes.exploration, 1.0)
        self._mark = np.float32(EXPLORATION_WEIGHT * mark)

    def visit(self, nodes: Int[np.ndarray, " agents"]) -> None:
        """Mark the nodes that agents have reached, once for each agent."""
        if self._mark > 0:
            np.subtract.at(self.values, nodes, self._mark)
            self.values[nodes] = np.maximum(self.values.take(nodes), self._least.take(nodes))


def arc_preference(snapshot: GraphSnapshot, closeness: Float[np.ndarray, " nodes"]) -> Float64[np.ndarray, " arcs"]:
    """Return the preference for each arc of a snapshot before the colony has left any marks.

    Args:
        closeness: Cosine of each node to the goal, clipped to -1 to 1; 0 for nodes without a vector.

    Raises:
        InvalidInput: If `closeness` does not have one value for each node.
    """
    appeal = NodeAppeal(snapshot.nodes, closeness).values.astype(np.float64)
    return appeal[snapshot.adjacency.neighbour] - snapshot.edges.current_cost[snapshot.adjacency.edge]


@dataclass(frozen=True, eq=False)
class Chances:
    """The transition probabilities of some rows. A row is a node, a temperature and a neighbour to avoid.

    Weights are relative to the best arc of their row, so they do not underflow at low temperatures. Most rows have one
    block. The first blocks of all rows come first, in the order of rows, and all further blocks after them.

    Attributes:
        rows: Number of rows.
        block: Indices of the blocks in `ArcBlocks`.
        head: The node that each slot leads to.
        within: Cumulative weights of the slots of each block, including the slot itself.
        long: The rows with further blocks, ascending.
        begin, end: For each row in `long`, the range of its blocks among the further blocks.
        summed: Cumulative weights of the further blocks, excluding the block itself; the last value is the total.
    """

    rows: int
    block: Int64[np.ndarray, " blocks"]
    head: Int32[np.ndarray, "width blocks"]
    within: Float32[np.ndarray, "width blocks"]
    long: Int64[np.ndarray, " long"]
    begin: Int64[np.ndarray, " long"]
    end: Int64[np.ndarray, " long"]
    summed: Float64[np.ndarray, " further_and_one"]

    @classmethod
    def of(
        cls,
        blocks: ArcBlocks,
        appeal: Float32[np.ndarray, " nodes"],
        node: Int64[np.ndarray, " rows"],
        *,
        more: UInt[np.ndarray, " rows"],
        coldness: Float32[np.ndarray, " rows"],
        avoid: Int64[np.ndarray, " rows"] | None = None,
    ) -> Chances:
        """Compute the transition probabilities of some rows.

        Args:
            appeal: Appeal of each node. The preference for an arc is the appeal of its head minus its cost.
            node: The node of each row.
            more: Number of further blocks of each row's node, as in `blocks.more`.
            coldness: 1 / temperature of each row.
            avoid: A neighbour of each row's node that must not be chosen; -1 for none. The node must have another one.
        """
        long = more.nonzero()[0]
        more = more.take(long).astype(np.int64)
        end = more.cumsum()
        begin = end - more
        further = (blocks.beyond.take(node.take(long)) - begin).repeat(more)
        further += np.arange(len(further))
        owner = long.repeat(more)
        block = np.concatenate([node, further])
        # From here on, slots are the first axis and blocks the second: a loop over slots is a few long operations.
        table = blocks.table.take(block, axis=0).T.copy()
        head = table[:WIDTH]
        weight = appeal.take(head)
        weight -= table.view(np.float32)[WIDTH:]
        if avoid is not None:
            weight[head == _for_blocks(avoid.astype(np.int32), owner)] = -np.inf
        best = weight.max(axis=0)
        np.maximum.at(best, owner, best[len(node) :])
        weight -= _for_blocks(best[: len(node)], owner)
        weight *= _for_blocks(coldness, owner)
        np.exp(weight, out=weight)
        for before, these in pairwise(weight):
            np.add(before, these, out=these)
        summed = np.zeros(len(further) + 1)
        weight[-1, len(node) :].cumsum(out=summed[1:])
        return cls(len(node), block, head, weight, long, begin, end, summed)

    def draw(self, rng: np.random.Generator, rows: Int[np.ndarray, " agents"] | None = None) -> _Drawn:
        """Draw a slot for each agent at random, and return the slots and the nodes that they lead to.

        Args:
            rows: The row of each agent; None means one agent for each row, in order.
        """
        within = self.within[:, : self.rows] if rows is None else self.within.take(rows, axis=1)
        block = np.arange(self.rows) if rows is None else rows
        first = within[-1].astype(np.float64)
        whole = first.copy() if rows is None else self.within[-1, : self.rows].astype(np.float64)
        whole[self.long] += self.summed.take(self.end) - self.summed.take(self.begin)
        # Above 0 and at most the total, so that no slot of weight 0 is drawn.
        point = whole.take(block) * (1.0 - rng.random(len(block)))
        place = _place(within, np.minimum(point, first))
        if len(beyond := (point > first).nonzero()[0]):
            row = self.long.searchsorted(block.take(beyond))
            begin = self.begin.take(row)
            point = point.take(beyond) - first.take(beyond) + self.summed.take(begin)
            at = np.minimum(np.maximum(self.summed.searchsorted(point) - 1, begin), self.end.take(row) - 1)
            block = block.copy()
            block[beyond] = at + self.rows
            within = self.within.take(at + self.rows, axis=1)
            place[beyond] = _place(within, np.minimum(point - self.summed.take(at), within[-1]))
        return (self.block.take(block) << SHIFT) + place, self.head.take(place * len(self.block) + block).astype(
            np.int64
        )


def _for_blocks(values: np.ndarray, owner: Int64[np.ndarray, " further"]) -> np.ndarray:
    """Expand values of rows to values of blocks."""
    return np.concatenate([values, values.take(owner)])


def _place(within: Float32[np.ndarray, "width agents"], point: Float64[np.ndarray, " agents"]) -> np.ndarray:
    """Return, for each column of cumulative weights, the first position that reaches the point."""
    return (within < point.astype(np.float32)).view(np.int8).sum(axis=0, dtype=np.int8).astype(np.int64)

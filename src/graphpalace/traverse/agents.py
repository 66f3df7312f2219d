"""The agents of a colony: which arc each prefers, how likely it takes it, and a step of all."""

from __future__ import annotations

from dataclasses import dataclass, replace
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


_CROWD = 2  # mean number of further blocks per agent; above it, agents on the same large node share a computation
_LARGE = 4  # a node with more further blocks than this is large
_TRIES = 3


@dataclass(frozen=True, eq=False)
class WalkingAgents:
    """The state of all agents: where they are, and how they got there.

    Attributes:
        node: The node of each agent.
        slot: The slot of `ArcBlocks` by which each agent arrived; -1 if it was placed there.
        avoid: The node each agent came from, to which it does not return directly; -1 if there is none or no other
            neighbour. None if all agents may turn back.
        kind: Index into `temperature` of each agent.
        temperature: The distinct temperatures of the agents, > 0.
    """

    node: Int64[np.ndarray, " agents"]
    slot: Int64[np.ndarray, " agents"]
    avoid: Int64[np.ndarray, " agents"] | None
    kind: Int64[np.ndarray, " agents"]
    temperature: Float32[np.ndarray, " kinds"]

    @classmethod
    def placed(
        cls, node: Int64[np.ndarray, " agents"], temperature: Float[np.ndarray, " agents"], *, turn_back: bool = False
    ) -> WalkingAgents:
        """Place agents on nodes.

        Args:
            node: The node of each agent.
            temperature: The temperature of each agent, > 0.
            turn_back: Whether agents may return directly to the node they came from.
        """
        kinds, kind = np.unique(temperature, return_inverse=True)
        nowhere = np.full(len(node), -1, np.int64)
        return cls(node, nowhere, None if turn_back else nowhere, kind, kinds.astype(np.float32))

    def put(self, who: Int64[np.ndarray, " some"], node: Int64[np.ndarray, " some"]) -> WalkingAgents:
        """Move some agents to other nodes, as if they started there.

        Args:
            who: Indices of the agents to move.
            node: The new node of each.
        """
        at, slot = self.node.copy(), self.slot.copy()
        at[who], slot[who] = node, -1
        avoid = None if self.avoid is None else self.avoid.copy()
        if avoid is not None:
            avoid[who] = -1
        return replace(self, node=at, slot=slot, avoid=avoid)

    def moved(
        self, blocks: ArcBlocks, appeal: Float32[np.ndarray, " nodes"], *, heat: float, rng: np.random.Generator
    ) -> WalkingAgents:
        """Let each agent walk one step, and return the new state.

        An agent of temperature T follows arc a with a probability proportional to exp(preference[a] / (heat x T)),
        among all arcs that do not lead directly back.

        Args:
            appeal: Appeal of each node, as in `preference.NodeAppeal.values`.
            heat: Factor on all temperatures, > 0.
        """
        coldness = (1.0 / (heat * self.temperature)).astype(np.float32)
        more = blocks.more.take(self.node)
        if more.sum() <= _CROWD * len(more):
            chances = Chances.of(
                blocks, appeal, self.node, more=more, coldness=coldness.take(self.kind), avoid=self.avoid
            )
            slot, node = chances.draw(rng)
        else:
            slot, node = self._drawn_in_a_crowd(blocks, appeal, coldness, more, rng)
        avoid = None if self.avoid is None else np.where(blocks.dead_end.take(node), -1, self.node)
        return replace(self, node=node, slot=slot, avoid=avoid)

    def _drawn_in_a_crowd(
        self,
        blocks: ArcBlocks,
        appeal: Float32[np.ndarray, " nodes"],
        coldness: Float32[np.ndarray, " kinds"],
        more: UInt[np.ndarray, " agents"],
        rng: np.random.Generator,
    ) -> tuple[Int64[np.ndarray, " agents"], Int64[np.ndarray, " agents"]]:
        """Draw the next step of all agents, computing a large node only once for all agents of the same temperature.

        An agent that draws the way back draws again, which does not change the ratios of the other probabilities. After
        some tries, for example if the way back has nearly all the weight, the probabilities are computed without it,
        once for all agents that came from the same node.
        """
        slot, node = np.empty_like(self.node), np.empty_like(self.node)
        avoid = np.full_like(node, -1) if self.avoid is None else self.avoid
        large = more > _LARGE

        def draw(who: Int64[np.ndarray, " some"], *keys: Int64[np.ndarray, " agents"], avoiding: bool) -> None:
            """Draw for some agents. Agents with equal keys share a row of probabilities."""
            _, first, rows = np.unique(
                np.stack([key[who] for key in keys]), axis=1, return_index=True, return_inverse=True
            )
            one = who[first]
            chances = Chances.of(
                blocks,
                appeal,
                self.node[one],
                more=more[one],
                coldness=coldness.take(self.kind[one]),
                avoid=avoid[one] if avoiding else None,
            )
            for _ in range(1 if avoiding else _TRIES):
                slot[who], node[who] = chances.draw(rng, rows)
                again = node[who] == avoid[who]
                who, rows = who[again], rows[again]
            if len(who):
                draw(who, self.node, self.kind, avoid, avoiding=True)

        for some, keys, avoiding in (
            (np.flatnonzero(~large), (np.arange(len(node)),), True),
            (np.flatnonzero(large), (self.node, self.kind), False),
        ):
            if len(some):
                draw(some, *keys, avoiding=avoiding)
        return slot, node

"""The walking agents of a colony, and one step of all of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Float32, Int64, UInt

from graphpalace.traverse.adjacency import ArcBlocks
from graphpalace.traverse.walkers.chances import Chances

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

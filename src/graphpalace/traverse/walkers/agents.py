"""Agents and one step of all of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Float32, Int64, UInt

from graphpalace.traverse.arc_blocks import ArcBlocks
from graphpalace.traverse.walkers.chances import Chances

_CROWD = 2  # further blocks an agent has to look at on average; beyond, agents on one large node share its chances
_LARGE = 4  # further blocks of a large node
_TRIES = 3


@dataclass(frozen=True, eq=False)
class Agents:
    """Where all agents are, and how they came there.

    Attributes:
        node: Where each agent is.
        slot: The slot of `ArcBlocks` that each came by; -1 for one that was put there.
        avoid: The node each came from, to which it does not go straight back; -1 if there is none or no other way.
            None: agents may turn back.
        kind: The agents' temperatures, distinct ones by number.
        temperature: Of each kind, > 0.
    """

    node: Int64[np.ndarray, " agents"]
    slot: Int64[np.ndarray, " agents"]
    avoid: Int64[np.ndarray, " agents"] | None
    kind: Int64[np.ndarray, " agents"]
    temperature: Float32[np.ndarray, " kinds"]

    @classmethod
    def placed(
        cls, node: Int64[np.ndarray, " agents"], temperature: Float[np.ndarray, " agents"], *, turn_back: bool = False
    ) -> Agents:
        """Return agents of some temperatures, each > 0, that were put on some nodes."""
        kinds, kind = np.unique(temperature, return_inverse=True)
        nowhere = np.full(len(node), -1, np.int64)
        return cls(node, nowhere, None if turn_back else nowhere, kind, kinds.astype(np.float32))

    def put(self, who: Int64[np.ndarray, " some"], node: Int64[np.ndarray, " some"]) -> Agents:
        """Return the agents with some of them put on other nodes, as if they had just begun there."""
        at, slot = self.node.copy(), self.slot.copy()
        at[who], slot[who] = node, -1
        avoid = None if self.avoid is None else self.avoid.copy()
        if avoid is not None:
            avoid[who] = -1
        return replace(self, node=at, slot=slot, avoid=avoid)

    def moved(
        self, blocks: ArcBlocks, appeal: Float32[np.ndarray, " nodes"], *, heat: float, rng: np.random.Generator
    ) -> Agents:
        """Return the agents after one step each.

        An agent of temperature T walks arc a with a probability proportional to exp(preference[a] / (heat x T)), over
        all arcs that do not lead straight back.

        Args:
            appeal: What each node offers (`preference.Appeal`).
            heat: What the temperatures are multiplied with, > 0.
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
        """Let agents of one kind on one large node share its chances.

        One that draws the way back draws again, which leaves the other probabilities in their proportions. After some
        tries, as where one arc has nearly all the weight, those that came from the same node share chances without it.
        """
        slot, node = np.empty_like(self.node), np.empty_like(self.node)
        avoid = np.full_like(node, -1) if self.avoid is None else self.avoid
        large = more > _LARGE

        def draw(who: Int64[np.ndarray, " some"], *keys: Int64[np.ndarray, " agents"], avoiding: bool) -> None:
            """Draw for some agents; those with equal keys share a row."""
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

"""Keep the graph of each palace in memory, up to date with the database.

A snapshot contains everything that was committed before it was requested, whichever service wrote it, because the
palace's change feed is read first. A snapshot never changes, so a search never sees a mix of old and new.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float64, Int64

from graphpalace.domain.deadline import left_s, to_the_end
from graphpalace.domain.pheromones.pheromones import DecayRates
from graphpalace.domain.walking.graph_snapshot import Edges, GraphSnapshot, Nodes
from graphpalace.errors import NotFound, TookTooLong
from graphpalace.pheromones.strength import decayed, edge_cost, pheromone_factor
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.walking import GraphState, SnapshotStore, StoredGraph

_ANSWER_S = 0.25  # of a request's time, for the error that says that the graph is still being read
_MOST_READS = 4  # of what changed, if others keep writing
_NOTHING = np.zeros(1)
_LOOK_SHARE = 0.1  # largest share of the time that is spent looking for manual edits


@dataclass
class _Entry:
    born: str = ""  # time of creation, which differs if the palace was dropped and created again
    revision: int = -1
    settled: int = -1
    commits: str = ""  # mark of the database's commits when the whole palace was last read
    looked_at: float = 0.0
    look_s: float = 0.0
    stored: StoredGraph | None = None
    snapshot: GraphSnapshot | None = None
    stale: bool = False
    update: asyncio.Lock = field(default_factory=asyncio.Lock)

    def at(self, state: GraphState, stored: StoredGraph) -> None:
        """Record the stored graph at a state of the palace."""
        self.stored, self.revision, self.settled, self.stale = stored, state.revision, state.settled, True


class Snapshots:
    """The snapshots of the palaces that this process uses."""

    def __init__(self, database: Database, *, rates: DecayRates, cycle_seconds: float) -> None:
        self._palaces = PalaceStore(database)
        self._graphs = SnapshotStore(database, cycle_seconds=cycle_seconds)
        self._rates = rates
        self._entries: dict[str, _Entry] = {}

    async def get(self, palace: str) -> GraphSnapshot:
        """Return the current snapshot of a palace.

        Raises:
            NotFound: If the palace does not exist.
            TookTooLong: If its graph is read for the first time, and takes longer than the request may.
        """
        entry = self._entries.setdefault(palace, _Entry())
        reading = to_the_end(lambda: self._up_to_date(palace, entry))
        left = left_s() if entry.snapshot is None else None
        limit = asyncio.timeout(None if left is None else max(0.0, left - _ANSWER_S))
        try:
            async with limit:
                return await reading
        except TimeoutError:
            if not limit.expired():
                raise
            raise TookTooLong(
                f"the graph of palace {palace!r} is being read into memory, which goes on: ask again in some seconds, "
                "or in a minute if the palace has a million drawers",
                palace=palace,
            ) from None

    async def _up_to_date(self, palace: str, entry: _Entry) -> GraphSnapshot:
        async with entry.update:
            state = await self._state(palace, entry)
            # A commit in the middle of a read may be seen in part. Then the state has moved on: read again.
            for _ in range(_MOST_READS):
                if state.revision == entry.revision and state.settled == entry.settled:
                    break
                await self._follow(palace, entry, state)
                state = await self._state(palace, entry)
            if entry.snapshot is None or entry.stale or entry.snapshot.cycle != state.cycle:
                assert entry.stored
                entry.snapshot = await asyncio.to_thread(
                    self._built, entry.stored, entry.snapshot, revision=entry.revision, cycle=state.cycle
                )
                entry.stale = False
            return entry.snapshot

    async def look(self) -> None:
        """Read palaces again if they may have been edited by hand, as such edits are not in the change feed.

        Any commit to the database since the last look may be such an edit. The whole palace is read then. To keep this
        cheap, it takes at most a tenth of the time.
        """
        commits = await self._graphs.commit_mark()
        for palace, entry in list(self._entries.items()):
            if entry.snapshot is None or commits == entry.commits:
                continue
            started = time.monotonic()
            if started - entry.looked_at < entry.look_s / _LOOK_SHARE:
                continue
            try:
                async with entry.update:
                    state = await self._state(palace, entry)
                    await self._load(palace, entry, state)
                    entry.commits = commits
                await self.get(palace)
            except NotFound:
                continue
            entry.looked_at = time.monotonic()
            entry.look_s = entry.looked_at - started

    def forget(self, palace: str) -> None:
        """Free what is in memory of a palace."""
        self._entries.pop(palace, None)

    async def _state(self, palace: str, entry: _Entry) -> GraphState:
        state = await self._graphs.state(palace, since=entry.revision if entry.revision >= 0 else None)
        if state is None:
            self.forget(palace)
            await self._palaces.get(palace)  # its error says what to do
            raise NotFound(f"palace {palace!r} was just dropped", palace=palace)
        if state.born != entry.born:
            entry.born, entry.revision, entry.snapshot = state.born, -1, None
        return state

    async def _follow(self, palace: str, entry: _Entry, state: GraphState) -> None:
        """Bring the stored graph up to date by the feed; read all of it if nothing is loaded or the feed has a gap."""
        changes = state.changes
        if entry.stored is None or entry.revision < 0 or len(changes) != state.revision - entry.revision:
            await self._load(palace, entry, state)
        elif all(change.nodes or change.edges for change in changes) and state.settled == entry.settled:
            await self._read_trails(palace, entry, state, entry.stored)
        else:
            changed = {drawer for change in changes for drawer in (*change.stored, *change.removed, *change.named)}
            stored = await self._graphs.load_changed(palace, entry.stored, changed)
            await self._read_trails(palace, entry, state, stored)

    async def _load(self, palace: str, entry: _Entry, state: GraphState) -> None:
        entry.at(state, await self._graphs.load(palace))

    async def _read_trails(self, palace: str, entry: _Entry, state: GraphState, stored: StoredGraph) -> None:
        """Read the pheromones of the nodes and edges that received deposits."""
        nodes = {node for change in state.changes for node in change.nodes}
        edges = {edge for change in state.changes for edge in change.edges}
        if nodes or edges:
            await self._graphs.read_trails(palace, stored, nodes=nodes, edges=edges)
        entry.at(state, stored)

    def _built(self, stored: StoredGraph, last: GraphSnapshot | None, *, revision: int, cycle: int) -> GraphSnapshot:
        """Return a snapshot of the stored graph, with every pheromone decayed to the cycle."""
        rates, n, e = self._rates, stored.nodes, stored.edges
        success = _now(e.success, e.cycle, cycle, rate=rates.success)
        traversal = _now(e.traversal, e.cycle, cycle, rate=rates.traversal)
        recency = _now(e.recency, e.cycle, cycle, rate=rates.recency)
        warm = np.flatnonzero((success > 0) | (traversal > 0) | (recency > 0))
        factor, current_cost = np.zeros(len(success)), edge_cost(e.base_cost, _NOTHING)
        factor[warm] = pheromone_factor(success[warm], traversal[warm], recency[warm])
        current_cost[warm] = edge_cost(e.base_cost[warm], factor[warm])
        nodes = Nodes(
            ids=n.id.tolist(),
            kind=n.kind,
            exploitation=_now(n.exploitation, n.cycle, cycle, rate=rates.exploitation),
            exploration=_now(n.exploration, n.cycle, cycle, rate=rates.exploration),
        )
        edges = Edges(
            source=stored.ends[0],
            target=stored.ends[1],
            relation=e.relation,
            success=success,
            traversal=traversal,
            recency=recency,
            factor=factor,
            base_cost=e.base_cost,
            current_cost=current_cost,
        )
        if last is not None and last.edges.source is edges.source:
            return last.with_trails(revision=revision, cycle=cycle, nodes=nodes, edges=edges)
        return GraphSnapshot(revision=revision, cycle=cycle, nodes=nodes, edges=edges)


def _now(
    stored: Float64[np.ndarray, " elements"], since: Int64[np.ndarray, " elements"], cycle: int, *, rate: float
) -> Float64[np.ndarray, " elements"]:
    """Return what is left of each pheromone at a cycle. Most are 0, and cost nothing.

    Args:
        since: Cycle of each stored value; -1: it does not fade.
    """
    left, warm = np.zeros(len(stored)), np.flatnonzero(stored)
    age = np.where(since[warm] < 0, 0, cycle - since[warm])
    left[warm] = decayed(stored[warm], rate=rate, cycles=age)
    return left

"""The graph of each palace in memory, in step with the database.

Who asks for a snapshot gets the palace as it was committed before the question, whichever service wrote it: the
change feed tells what is new. A snapshot never changes, so a search that holds one sees no mix of old and new.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from graphpalace.domain.graph_snapshot import KINDS, Edges, GraphSnapshot, Nodes
from graphpalace.domain.pheromones import DecayRates
from graphpalace.errors import NotFound
from graphpalace.pheromones.cost import edge_cost, pheromone_factor
from graphpalace.pheromones.decay import decayed
from graphpalace.store.database import Database, Row
from graphpalace.store.graph_columns import EdgeColumns, NodeColumns
from graphpalace.store.palaces import get_palace
from graphpalace.store.stored_graph import StoredGraph

_LOOK_SHARE = 0.1  # of the time at most goes to looking for what was edited by hand


@dataclass
class _Entry:
    born: str = ""  # a palace that was dropped and made anew has another time of birth
    revision: int = -1
    settled: int = -1
    commits: str = ""  # of the whole database, when the palace was last read as a whole
    looked_at: float = 0.0
    look_s: float = 0.0
    stored: StoredGraph | None = None
    snapshot: GraphSnapshot | None = None
    stale: bool = False
    update: asyncio.Lock = field(default_factory=asyncio.Lock)

    def at(self, state: Row, stored: StoredGraph) -> None:
        """Note what is stored at a state of the palace."""
        self.stored, self.revision, self.settled, self.stale = stored, state["revision"], state["settled"], True


class Snapshots:
    """The snapshots of the palaces that this process walks."""

    def __init__(self, database: Database, *, rates: DecayRates, cycle_seconds: float) -> None:
        self._database = database
        self._rates = rates
        self._cycle_seconds = cycle_seconds
        self._entries: dict[str, _Entry] = {}

    async def get(self, palace: str) -> GraphSnapshot:
        """Return the palace as it is now.

        Raises:
            NotFound: If there is no such palace.
        """
        entry = self._entries.setdefault(palace, _Entry())
        async with entry.update:
            state = await self._state(palace, entry)
            if state["revision"] != entry.revision or state["settled"] != entry.settled:
                await self._follow(palace, entry, state)
            if entry.snapshot is None or entry.stale or entry.snapshot.cycle != state["cycle"]:
                assert entry.stored
                entry.snapshot = await asyncio.to_thread(
                    self._built, entry.stored, entry.snapshot, revision=entry.revision, cycle=state["cycle"]
                )
                entry.stale = False
            return entry.snapshot

    async def look(self) -> None:
        """Read again what may have been edited by hand: edits made without GraphPalace tell no change feed.

        Any commit in the database that came since the last look may be such an edit. A palace is read as a whole
        then, and so that this stays cheap, looking takes at most a tenth of the time.
        """
        commits = await self._database.commit_mark()
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
        """Free the memory of a palace."""
        self._entries.pop(palace, None)

    async def _state(self, palace: str, entry: _Entry) -> Row:
        rows = await self._database.read(
            "snapshot/read_state",
            palace=palace,
            seen=max(entry.revision, 0),
            loaded=entry.revision >= 0,
            cycle_seconds=self._cycle_seconds,
        )
        if not rows:
            self.forget(palace)
            await get_palace(self._database, palace)  # says what to do about it
            raise NotFound(f"palace {palace!r} was just dropped", palace=palace)
        if rows[0]["born"] != entry.born:
            entry.born, entry.revision, entry.snapshot = rows[0]["born"], -1, None
        return rows[0]

    async def _follow(self, palace: str, entry: _Entry, state: Row) -> None:
        """Bring what is stored up to date with the feed; read all of it if nothing is loaded or the feed has a gap."""
        changes = state["changes"]
        if entry.stored is None or entry.revision < 0 or len(changes) != state["revision"] - entry.revision:
            await self._load(palace, entry, state)
        elif all(change["nodes"] or change["edges"] for change in changes) and state["settled"] == entry.settled:
            await self._read_trails(palace, entry, state, changes)
        else:
            await self._read_changed(palace, entry, state, changes)

    async def _load(self, palace: str, entry: _Entry, state: Row) -> None:
        drawers, edges, places, place_edges = await asyncio.gather(
            *(
                self._database.read(name, palace=palace)
                for name in (
                    "snapshot/load_drawers",
                    "snapshot/load_drawer_edges",
                    "snapshot/load_places",
                    "snapshot/load_place_edges",
                )
            )
        )
        stored = await asyncio.to_thread(
            lambda: StoredGraph.of(
                [NodeColumns.of(drawers), NodeColumns.of(places)], [EdgeColumns.of(edges), EdgeColumns.of(place_edges)]
            )
        )
        entry.at(state, stored)

    async def _read_changed(self, palace: str, entry: _Entry, state: Row, changes: Sequence[Row]) -> None:
        """Read the drawers that changed with their edges, and all that is no drawer."""
        old = entry.stored
        assert old
        changed = {drawer for change in changes for drawer in (*change["stored"], *change["removed"])}
        ids = sorted(changed)
        drawers, edges, places, place_edges = await asyncio.gather(
            self._database.read("snapshot/load_some_drawers", palace=palace, ids=ids),
            self._database.read("snapshot/load_some_drawer_edges", palace=palace, ids=ids),
            self._database.read("snapshot/load_places", palace=palace),
            self._database.read("snapshot/load_place_edges", palace=palace),
        )

        def merged() -> StoredGraph:
            kept, kept_edges = old.without(changed)
            return StoredGraph.of(
                [kept, NodeColumns.of(drawers), NodeColumns.of(places)],
                [kept_edges, EdgeColumns.of(edges), EdgeColumns.of(place_edges)],
            )

        entry.at(state, await asyncio.to_thread(merged))
        await self._read_trails(palace, entry, state, changes)

    async def _read_trails(self, palace: str, entry: _Entry, state: Row, changes: Sequence[Row]) -> None:
        """Read the pheromones of the nodes and edges that somebody deposited on."""
        stored = entry.stored
        assert stored
        touched = {node for change in changes for node in change["nodes"]}
        trails = {edge for change in changes for edge in change["edges"]}
        if touched or trails:
            rows = [row for row, node in enumerate(stored.nodes.id) if node in touched]
            (read,) = await self._database.read(
                "snapshot/load_some_trails",
                palace=palace,
                nodes=[{"kind": KINDS[stored.nodes.kind[row]], "id": stored.nodes.id[row]} for row in rows],
                edges=[dict(zip(("type", "from", "to"), trail.split(" "), strict=True)) for trail in sorted(trails)],
            )
            await asyncio.to_thread(stored.set_trails, read)
        entry.at(state, stored)

    def _built(self, stored: StoredGraph, last: GraphSnapshot | None, *, revision: int, cycle: int) -> GraphSnapshot:
        """Return the snapshot of what is stored, every pheromone as it is at the cycle."""
        rates, n, e = self._rates, stored.nodes, stored.edges
        node_age = np.where(n.cycle < 0, 0, cycle - n.cycle)
        edge_age = np.where(e.cycle < 0, 0, cycle - e.cycle)
        success = decayed(e.success, rate=rates.success, cycles=edge_age)
        traversal = decayed(e.traversal, rate=rates.traversal, cycles=edge_age)
        recency = decayed(e.recency, rate=rates.recency, cycles=edge_age)
        factor = pheromone_factor(success, traversal, recency)
        nodes = Nodes(
            ids=n.id.tolist(),
            kind=n.kind,
            exploitation=decayed(n.exploitation, rate=rates.exploitation, cycles=node_age),
            exploration=decayed(n.exploration, rate=rates.exploration, cycles=node_age),
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
            current_cost=edge_cost(e.base_cost, factor),
        )
        if last is not None and last.edges.source is edges.source:
            return last.with_trails(revision=revision, cycle=cycle, nodes=nodes, edges=edges)
        return GraphSnapshot(revision=revision, cycle=cycle, nodes=nodes, edges=edges)

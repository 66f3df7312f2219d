"""The `code` lane: drawers of documents with the wanted classification codes. Source: seed 004, 6.2 C."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import numpy as np

from graphpalace.domain.search.answer import Ranking
from graphpalace.domain.search.fusion_plan import Profile
from graphpalace.fuse.codes import CodeTable, matches, overlap, weights_of
from graphpalace.operations.search.lanes.lane import LaneQuery
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.store.connection.database import Database
from graphpalace.store.search.drawer_columns import ClosetFactStore, RoomClosets
from graphpalace.vectors.drawer_rows import Filter


class _Match(NamedTuple):
    room: str
    closet: str
    share: float


class CodeLane:
    """Ranks drawers by g(d), the weighted share of the wanted codes that their document matches, 0 to 1."""

    name = "code"
    needs_vector = False

    def __init__(self, database: Database, indexes: DrawerIndexes, *, broader_share: float) -> None:
        self._facts = ClosetFactStore(database)
        self._indexes = indexes
        self._broader_share = broader_share

    async def rank(self, palace: str, asked: LaneQuery) -> Ranking:
        """Return the drawers of the documents that match a wanted code; none if no code is wanted."""
        if not asked.profile:
            return Ranking(self.name, (), ())
        found = await asyncio.to_thread(self._matching, await self._facts.of(palace), asked.profile)
        take = asked.depth
        while True:
            # Ties at the cut are broken by id, so all documents with the same share must be included.
            least = found[min(take, len(found)) - 1].share if found else 0.0
            part = [match for match in found if match.share >= least]
            chosen = await self._drawers(palace, part, asked.only)
            if len(chosen) >= asked.depth or len(part) == len(found):
                break
            take *= 4
        ranking = Ranking.of(self.name, chosen)
        return Ranking(self.name, ranking.ids[: asked.depth], ranking.scores[: asked.depth])

    async def _drawers(self, palace: str, part: list[_Match], only: Filter) -> list[tuple[str, float]]:
        """Return the drawers of the matching documents that pass the filter, with their document's share."""
        shares = {(match.room, match.closet): match.share for match in part}
        rooms: dict[str, list[str]] = {}
        for match in part:
            rooms.setdefault(match.room, []).append(match.closet)
        found = await self._facts.drawers(palace, rooms)
        drawers = [(drawer, shares[each.room_id, each.closet_id]) for each in found for drawer in each.drawers]
        async with self._indexes.reading(palace) as matrix:
            passes = matrix.passing([drawer for drawer, _ in drawers], only)
        return [one for one, passed in zip(drawers, passes, strict=True) if passed]

    def _matching(self, rooms: list[RoomClosets], profile: Profile) -> list[_Match]:
        """Return all documents that match a wanted code, best first."""
        places: list[tuple[str, str]] = [(room.room_id, closet.id) for room in rooms for closet in room.closets]
        table = CodeTable.of([tuple(closet.codes) for room in rooms for closet in room.closets])
        shares = overlap(matches(table, profile, broader_share=self._broader_share), weights_of(profile))
        shares = shares.round(12)  # so that equal shares do not differ by the order of summation
        order = np.flatnonzero(shares > 0)
        order = order[np.argsort(-shares[order], kind="stable")]
        return [_Match(places[at][0], places[at][1], float(shares[at])) for at in order.tolist()]

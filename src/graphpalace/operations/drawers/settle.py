"""Settle a palace shortly after the last write: divide its common rooms by topics; compute centroids and tunnels."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic

import numpy as np
import structlog

from graphpalace.domain.drawers.records import RoomRecord
from graphpalace.domain.palaces.places import ClosetContents, Room
from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.errors import GraphPalaceError, NotFound
from graphpalace.ingest.link import RoomMean, halls, tunnels
from graphpalace.ingest.place import COMMON_ROOM, folder_name
from graphpalace.ingest.topic_words import TopicDocument
from graphpalace.ingest.topics import NEAR, SMALLEST, compared, topics
from graphpalace.operations.drawers.compose import room_record
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.drawers.rooms import RoomStore, SettledRooms, SettledRoomStore
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.telemetry import metrics
from graphpalace.telemetry.work_ids import background, background_task, current_id

_BEGINNING = 3  # drawers of a closet that say what it is about


async def settle(
    database: Database,
    indexes: DrawerIndexes,
    *,
    palace: str,
    rooms: str | None = None,
    tunnel_threshold: float = 0.7,
) -> None:
    """Update rooms, halls and tunnels to match the stored drawers.

    Does nothing if nothing was stored since the last time. The result depends only on what is stored, so after a run
    that was killed, the next run does all of the work. Drawers that are stored during a run count as not settled.

    Args:
        rooms: Mode in which an ingest finds rooms; `auto` and `clusters` divide common rooms. None: no closet is moved.
        tunnel_threshold: Least cosine of two rooms for a tunnel.

    Raises:
        NotFound: If the palace does not exist, or was dropped meanwhile.
    """
    state = await PalaceStore(database).get(palace)
    revision = state.revision
    if state.settled_revision >= revision and (rooms is None or state.divided_revision >= revision):
        return
    if rooms is not None:
        revision += await _arrange(database, indexes, palace, divides=rooms in ("auto", "clusters"))
    # The revision was read before the drawers, so it never covers a drawer that is missing here.
    async with indexes.reading(palace) as matrix:
        means = await asyncio.to_thread(matrix.room_means)
    known = [
        RoomMean(room.id, room.name, room.wing_id, means[room.id][2])
        for room in await RoomStore(database).rooms(palace)
        if room.id in means
    ]
    settled = SettledRooms(
        state.born,
        revision,
        divided=rooms is not None,
        centroids={room.id: room.mean for room in known},
        halls=halls(known),
        tunnels=tunnels(known, threshold=tunnel_threshold),
    )
    await SettledRoomStore(database).write(palace, settled)


async def _arrange(database: Database, indexes: DrawerIndexes, palace: str, *, divides: bool) -> int:
    """Divide common rooms and remove empty rooms; return by how much this raised the revision."""
    store = RoomStore(database)
    listed = await store.rooms(palace)
    moves = 0
    for room in listed:
        if divides and room.name == COMMON_ROOM:
            moves += await _divide(database, indexes, palace, room, [other for other in listed if other is not room])
    for wing in sorted({room.wing_id for room in listed}):
        await store.sweep(palace, wing)
    return moves


async def _divide(database: Database, indexes: DrawerIndexes, palace: str, common: Room, others: list[Room]) -> bool:
    """Move closets of a common room into nearby rooms; if there are enough others, find their topics.

    A topic is a room. What belongs to no topic goes to a room that is named as its folder. Returns whether any closet
    was moved.
    """
    store = RoomStore(database)
    closets = await store.filed_closets(palace, common.id)
    async with indexes.reading(palace) as matrix:
        means = matrix.room_means()
        sums = [matrix.vectors_of(closet.drawers).sum(axis=0) for closet in closets]
    if not closets:
        return False
    vectors = unit_rows(np.stack(sums).astype(np.float32))
    siblings = [room for room in others if room.wing_id == common.wing_id]
    clusters = [room for room in siblings if room.found_by == "cluster" and room.id in means]
    target: dict[str, RoomRecord] = {}
    if clusters:
        cosines = vectors @ np.stack([means[room.id][2] for room in clusters]).T
        for closet, row in zip(closets, cosines, strict=True):
            if row.max() >= NEAR:
                target[closet.id] = _record(clusters[int(row.argmax())])
    rest = [at for at, closet in enumerate(closets) if closet.id not in target]
    if len(rest) >= SMALLEST:
        named = {room.name.casefold(): _record(room) for room in siblings}
        groups = await _groups(database, palace, [closets[at] for at in rest], vectors[rest])
        for name, members in groups.items():
            found = room_record(palace, common.wing, name, [text for _, text in members], found_by="cluster")
            record = named.setdefault(name.casefold(), found)
            target.update((closet.id, record) for closet, _ in members)
    if target:
        await store.move_closets(palace, target, from_room=common.id, wing_id=common.wing_id)
    return bool(target)


def _record(room: Room) -> RoomRecord:
    return RoomRecord(room.id, room.name, room.wing_id, room.wing)


async def _groups(
    database: Database, palace: str, closets: list[ClosetContents], vectors: Matrix
) -> dict[str, list[tuple[ClosetContents, str]]]:
    """Return closets with the beginnings of their texts by the names of their topics, or else of their folders.

    Closets that belong to no topic and lie in no folder are left out.
    """
    some = compared(len(closets))
    read = [drawer for at in some for drawer in closets[at].drawers[:_BEGINNING]]
    drawers = {drawer.id: drawer for drawer in await DrawerStore(database).read(palace, read)}
    documents: dict[int, TopicDocument] = {}
    for at in some:
        beginning = [drawers[drawer] for drawer in closets[at].drawers[:_BEGINNING] if drawer in drawers]
        headings = tuple(dict.fromkeys(heading for drawer in beginning for heading in drawer.headings))
        text = "\n\n".join(drawer.text for drawer in beginning)
        documents[at] = TopicDocument(closets[at].title, text, headings, tuple(closets[at].tags))
    name_of = {at: topic.name for topic in await asyncio.to_thread(topics, documents, vectors) for at in topic.members}
    groups: dict[str, list[tuple[ClosetContents, str]]] = {}
    for at, closet in enumerate(closets):
        name = name_of.get(at) or folder_name(closet.source_uri)
        if name is not None:
            groups.setdefault(name, []).append((closet, documents[at].text if at in documents else ""))
    return groups


_MOST_WAITS = 12  # if writes never pause, settle after this many times the usual wait
_MOST_BACK_OFF = 64  # after failures, settle after at most this many times the usual wait
_CLOSE_S = 10.0

_log = structlog.get_logger(__name__)


@dataclass(eq=False)
class _Unsettled:
    """A palace that was written to and is not settled yet; times are readings of `monotonic`.

    Attributes:
        again: Whether something was written since settling began.
        wait: How many times the usual wait to wait; it doubles with each failure.
        failed: Why settling failed last; "" if it did not.
    """

    first: float
    last: float
    again: bool = False
    wait: int = 1
    failed: str = ""
    at_once: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    async def quiet(self, after_s: float) -> None:
        """Wait until nothing was written for `after_s` seconds, or the longest wait has passed."""
        while not self.at_once.is_set():
            left = min(self.last + after_s, self.first + _MOST_WAITS * after_s) - monotonic()
            if left <= 0:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self.at_once.wait(), left)


class Settler:
    """Updates centroids, halls and tunnels after drawers were written one by one.

    Each palace has one task, which starts with a write and ends when everything is settled. Several services may settle
    the same palace: an older result never replaces a newer one.
    """

    def __init__(
        self, database: Database, indexes: DrawerIndexes, *, after_s: float, tunnel_threshold: float = 0.7
    ) -> None:
        """Create a settler.

        Args:
            after_s: Seconds from the last write to a palace until it is settled; 0: only ingests settle.
            tunnel_threshold: Least cosine of two rooms for a tunnel.
        """
        self._database = database
        self._indexes = indexes
        self._after_s = after_s
        self._tunnel_threshold = tunnel_threshold
        self._unsettled: dict[str, _Unsettled] = {}
        self._closing = False

    @property
    def waiting(self) -> list[str]:
        """Names of the palaces that are not settled yet."""
        return sorted(self._unsettled)

    def wrote(self, palace: str) -> None:
        """Schedule a palace to be settled, because it was just written to."""
        if not self._after_s or self._closing:
            return
        now = monotonic()
        known = self._unsettled.get(palace)
        if known is not None:
            known.last, known.again = now, True
            return
        known = self._unsettled[palace] = _Unsettled(now, now)
        known.task = background_task("settle", self._settle(palace, known))

    def forget(self, palace: str) -> None:
        """Cancel the settling of a palace."""
        known = self._unsettled.pop(palace, None)
        if known is not None and known.task is not None:
            known.task.cancel()

    async def close(self) -> None:
        """Settle all waiting palaces now, for at most 10 seconds.

        What is not settled by then is settled after the next write or ingest.
        """
        self._closing = True
        tasks = []
        for known in self._unsettled.values():
            known.at_once.set()
            tasks.append(known.task)
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=_CLOSE_S)
        if late:
            _log.warning("palaces_not_settled", palaces=self.waiting, reason=f"not done within {_CLOSE_S:g} s")
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _settle(self, palace: str, known: _Unsettled) -> None:
        try:
            while True:
                await known.quiet(known.wait * self._after_s)
                known.again = False
                failure = await self._failure(palace)
                if failure is None:
                    known.failed, known.wait = "", 1
                elif self._closing:
                    return
                else:
                    known.again, known.last = True, monotonic()
                    known.wait = min(2 * known.wait, _MOST_BACK_OFF)
                    if failure != known.failed:  # said once, and again when there is another reason
                        _log.warning("palace_not_settled", palace=palace, reason=failure)
                    known.failed = failure
                if not known.again:
                    return
                known.first = known.last
        finally:
            if self._unsettled.get(palace) is known:
                del self._unsettled[palace]

    async def _failure(self, palace: str) -> str | None:
        """Settle a palace; return why it failed and should be tried again, or None."""
        try:
            with background("settle", work_id=current_id(), palace=palace), metrics.SETTLE_SECONDS.time():
                await settle(self._database, self._indexes, palace=palace, tunnel_threshold=self._tunnel_threshold)
        except NotFound:  # it was dropped
            return None
        except Exception as error:  # this is a background task: no caller would see the error
            metrics.SETTLE_FAILURES.inc()
            return error.message if isinstance(error, GraphPalaceError) else repr(error)
        return None

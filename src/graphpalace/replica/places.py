"""Find wings, rooms and nodes by their names, and make the filters of all lanes from them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import date, datetime

import numpy as np

from graphpalace.domain.access.caller import Role, current_caller
from graphpalace.domain.drawers.drawer_text import drawer_name, one_line
from graphpalace.domain.moments import milliseconds
from graphpalace.domain.search.conditions import PLAIN_FIELDS, ClosetFacts, Condition, Group, passes, schemes_in
from graphpalace.domain.walking.graph_snapshot import PALACE, GraphSnapshot, node_refs
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.conversations import ConversationStore
from graphpalace.store.drawers.rooms import RoomStore
from graphpalace.store.palaces.palace_map import NodeNameStore
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.search.drawer_columns import ClosetFactStore, RoomClosets
from graphpalace.vectors.drawer_rows import Filter


async def find_node(database: Database, snapshot: GraphSnapshot, palace: str, name: str, *, field: str) -> int:
    """Return the index of a node by its name: an id, a wing, WING/ROOM, a room whose name is unique, or the palace.

    Args:
        field: Name of the field to mention in errors.

    Raises:
        NotFound: If nothing has this name.
        InvalidInput: If several places have this name; the message lists them.
    """
    if (at := snapshot.index_of.get(name)) is not None:
        return at
    found = await NodeNameStore(database).find_places(palace, name)
    meant = [place for place in found if place.exact] or found
    if not meant and name == palace and len(itself := np.flatnonzero(snapshot.nodes.kind == PALACE)):
        return int(itself[0])
    if len(meant) > 1:
        listed = ", ".join(repr(place.name) for place in meant)
        raise InvalidInput(f"{field} is {name!r}, which may be {listed}: name one of them", field=field, value=name)
    if not meant or (at := snapshot.index_of.get(meant[0].id)) is None:
        raise NotFound(
            f"{field} is {name!r}, which is not in palace {palace!r}; give a wing, WING/ROOM, or the id of any node",
            field=field,
            value=name,
        )
    return at


async def names_of(database: Database, snapshot: GraphSnapshot, nodes: Iterable[int]) -> dict[int, str]:
    """Return readable names of nodes, by index."""
    named = await _read(database, snapshot, nodes)
    return {node: drawer_name(text) if kind == "Drawer" else text for node, (kind, text) in named.items()}


async def first_words_of(database: Database, snapshot: GraphSnapshot, drawers: Iterable[int]) -> dict[int, str]:
    """Return the beginning of the texts of drawers as one line, by index."""
    return {node: one_line(text) for node, (_, text) in (await _read(database, snapshot, drawers)).items()}


async def _read(database: Database, snapshot: GraphSnapshot, nodes: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Return the kind of nodes, and their name or the beginning of their text, by index."""
    chosen = list(nodes)
    refs = dict(zip(chosen, node_refs(snapshot, chosen), strict=True))
    named = await NodeNameStore(database).names(list(refs.values()))
    return {node: (ref.kind, named.get(ref.id) or "") for node, ref in refs.items()}


async def find_place(
    database: Database, palace: str, *, wing: str | None, room: str | None
) -> tuple[str | None, list[str]]:
    """Return the id of a wing, and the ids of the rooms with a name, in this wing or in all wings.

    Raises:
        NotFound: If a wing or room of the name does not exist; the message lists the existing ones.
    """
    place = await RoomStore(database).named(palace, wing=wing, room=room)
    if (wing is not None and place.wing_id is None) or (room is not None and not place.room_ids):
        await PalaceStore(database).get(palace)
    if wing is not None and place.wing_id is None:
        seen = [name for name in place.wings if current_caller().may_in(Role.READ, palace, name)]
        raise NotFound(f"wing {wing!r} is not in palace {palace!r}; it has {_listed(seen)}", wing=wing)
    if room is not None and not place.room_ids:
        where = f"wing {wing!r}" if wing is not None else f"palace {palace!r}"
        raise NotFound(f"room {room!r} is not in {where}; it has {_listed(place.rooms)}", room=room)
    return place.wing_id, place.room_ids


def _listed(names: list[str]) -> str:
    return ", ".join(repr(name) for name in names) or "none yet"


_MOST_WINGS = 50  # in which the same conversation is filed
_COMMON_SCHEMES = {"ipc", "cpc", "fi", "ft"}


async def filter_of(
    database: Database,
    palace: str,
    *,
    wing: str | None = None,
    room: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    speaker: str | None = None,
    project: str | None = None,
    conversation: str | None = None,
    conditions: Sequence[Condition | Group] = (),
) -> Filter:
    """Return a filter of the drawers that may be found.

    Args:
        wing, room: Names. A room without a wing means all rooms of that name.
        since, until: Range of the drawers' `occurred_at`, or of the time when they were stored if that is missing.
            `since` is included, `until` is not. Times without a zone are local.
        speaker: Who said it.
        project: What the conversation was about.
        conversation: Id of the conversation, or `HOST/ID` where hosts use the same ids.
        conditions: Conditions on the closet of a drawer, evaluated from left to right.

    Raises:
        NotFound: If the wing or the room does not exist.
        InvalidInput: If a time is outside the years 1 to 9999 of UTC, or no document has codes of a given scheme.
    """
    wing_id, rooms = None, None
    if wing is not None or room is not None:
        wing_id, found = await find_place(database, palace, wing=wing, room=room)
        rooms = tuple(found) if room is not None else None
    times = milliseconds("since", since), milliseconds("until", until)
    drawers = await _drawers(database, palace, conditions, wing=wing) if conditions else None
    said = None
    if conversation is not None and "/" in conversation:
        said = await _said_in(database, palace, conversation, wing_id=wing_id)
    if said is not None:
        drawers, conversation = said if drawers is None else drawers & said, None
    return Filter(wing_id, rooms, *times, drawers, speaker, project, conversation)


async def _drawers(
    database: Database, palace: str, conditions: Sequence[Condition | Group], *, wing: str | None
) -> frozenset[str]:
    """Return the drawers, in a wing or in all of them, whose closets meet the conditions."""
    facts = ClosetFactStore(database)
    rooms = [room for room in await facts.of(palace) if wing is None or room.wing == wing]
    passing = await asyncio.to_thread(_passing, rooms, conditions)
    found = await facts.drawers(palace, passing)
    return frozenset(drawer for closet in found for drawer in closet.drawers)


async def _said_in(database: Database, palace: str, named: str, *, wing_id: str | None) -> frozenset[str] | None:
    """Return the drawers of a conversation that is named with its host; None if the name is no such conversation."""
    host, _, conversation = named.partition("/")
    stored = ConversationStore(database)
    page = await stored.page(palace, wing_id=wing_id, host=host, conversation=conversation, limit=_MOST_WINGS)
    if not page:
        return None
    return frozenset([piece.id for one, _ in page for piece in await stored.pieces(palace, one.id)])


def _passing(rooms: list[RoomClosets], conditions: Sequence[Condition | Group]) -> dict[str, list[str]]:
    """Return the closets that meet the conditions, by room. Rooms without such a closet are left out."""
    _check_schemes(rooms, schemes_in(conditions))
    found: dict[str, list[str]] = {}
    for room in rooms:
        closets: list[str] = []
        for closet, codes, published, assignee, country in room.closets:
            day = date.fromisoformat(published) if published else None
            if passes(conditions, ClosetFacts(tuple(codes), day, assignee, country, room.wing, room.room)):
                closets.append(closet)
        if closets:
            found[room.room_id] = closets
    return found


def _check_schemes(rooms: list[RoomClosets], asked: set[str]) -> None:
    """Raise `InvalidInput` if no document has codes of a scheme, because the name is probably mistyped."""
    own = asked - _COMMON_SCHEMES
    if not own:
        return
    here = {code.partition(":")[0] for room in rooms for closet in room.closets for code in closet.codes}
    if unknown := sorted(own - here):
        listed = ", ".join(sorted(here)) or "none yet"
        raise InvalidInput(
            f"field is {unknown[0]!r}; it must be one of {', '.join(PLAIN_FIELDS)}, or a scheme of codes that some "
            f"document has: {listed}",
            field="field",
            value=unknown[0],
        )

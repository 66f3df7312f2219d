"""Turn a wing, a room, times and conditions into the filter that every lane of a search applies."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date, datetime

from graphpalace.domain.moments import milliseconds
from graphpalace.domain.search.conditions import PLAIN_FIELDS, ClosetFacts, Condition, Group, passes, schemes_in
from graphpalace.errors import InvalidInput
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.conversations import ConversationStore
from graphpalace.store.search.drawer_columns import ClosetFactStore, RoomClosets
from graphpalace.vectors.drawer_rows import Filter

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

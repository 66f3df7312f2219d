# Written by `make client` from ../asynchronous/places.py; change that file.
"""The part of a palace that knows its places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.palaces.places import HallType, Room, Wing, WingType


class Places:
    """The part of a palace that knows its places."""

    _link: Link

    def wings(self) -> list[Wing]:
        """List the wings with the number of their rooms, closets and drawers.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.palaces import LIST_WINGS

        return self._link.call(LIST_WINGS)

    def add_wing(self, name: str, *, wing_type: WingType | str = "topic") -> bool:
        """Create an empty wing, and tell whether it is new or existed already.

        Args:
            name: One line of 1 to 200 characters.
            wing_type: What it is about: person, project, domain or topic.
        Raises:
            InvalidInput: If the name or the type is not valid.
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.palaces import ADD_WING

        return (self._link.call(ADD_WING, name=name, wing_type=wing_type)).created

    def drop_wing(self, name: str) -> int:
        """Delete a wing and everything in it, and tell how many drawers it had.

        Args:
            name: Of the wing.
        Raises:
            NotFound: If the palace or the wing does not exist.
        """
        from graphpalace.offers.palaces import DROP_WING

        return (self._link.call(DROP_WING, name=name)).deleted

    def rooms(self, *, wing: str | None = None) -> list[Room]:
        """List the rooms with their counts, halls and tunnels.

        Args:
            wing: Only rooms of this wing.
        Raises:
            NotFound: If the palace or the wing does not exist.
        """
        from graphpalace.offers.palaces import LIST_ROOMS

        return self._link.call(LIST_ROOMS, wing=wing)

    def add_room(self, wing: str, name: str, *, hall_type: HallType | str = "facts") -> bool:
        """Create an empty room, and tell whether it is new or existed already.

        Args:
            wing: An existing wing, or a new one.
            name: One line of 1 to 200 characters.
            hall_type: What most of its texts are: facts, events, discoveries, preferences or advice.
        Raises:
            InvalidInput: If a name or the type is not valid.
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.palaces import ADD_ROOM

        return (self._link.call(ADD_ROOM, wing=wing, name=name, hall_type=hall_type)).created

    def drop_room(self, wing: str, name: str) -> int:
        """Delete a room and everything in it, and tell how many drawers it had.

        Args:
            wing: The wing of the room.
            name: Of the room.
        Raises:
            NotFound: If the palace, the wing or the room does not exist.
        """
        from graphpalace.offers.palaces import DROP_ROOM

        return (self._link.call(DROP_ROOM, wing=wing, name=name)).deleted

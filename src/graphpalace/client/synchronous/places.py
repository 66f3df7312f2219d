# Written by `make client` from ../asynchronous/places.py; change that file.
"""The wings and rooms of a palace, and the palaces of a database."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

from graphpalace.client import wire
from graphpalace.client.synchronous.link import Link
from graphpalace.domain.room import HallType, WingType
from graphpalace.errors import ServiceUnavailable

if TYPE_CHECKING:
    from graphpalace.domain.database_status import DatabaseStatus
    from graphpalace.domain.places import Palace, Room, Wing
    from graphpalace.domain.reembedded import Reembedded, ReembedProgress


class Places:
    """The part of a palace that knows its places."""

    _link: Link

    def wings(self) -> builtins.list[Wing]:
        """Return the wings with the number of their rooms, closets and drawers.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.domain.places import Wing

        return self._link.get(list[Wing], "/v1/wings")

    def add_wing(self, name: str, *, wing_type: WingType | str = WingType.TOPIC) -> bool:
        """Make an empty wing; return False if it exists already.

        Args:
            name: 1 to 200 characters.
            wing_type: person, project, domain or topic.
        Raises:
            InvalidInput: If the name or the type is not possible.
        """
        from graphpalace.domain.receipts import Created

        return (self._link.post(Created, "/v1/wings", name=name, wing_type=wing_type)).created

    def drop_wing(self, name: str) -> int:
        """Remove a wing and everything in it; return how many drawers it had.

        Raises:
            NotFound: If the palace or the wing does not exist.
        """
        from graphpalace.domain.receipts import Deleted

        return (self._link.remove(Deleted, f"/v1/wings/{wire.segment('name', name)}")).deleted

    def rooms(self, *, wing: str | None = None) -> builtins.list[Room]:
        """Return the rooms of the palace or of a wing, with their counts, halls and tunnels.

        Raises:
            NotFound: If the palace or the wing does not exist.
        """
        from graphpalace.domain.places import Room

        return self._link.get(list[Room], "/v1/rooms", wing=wing)

    def add_room(self, wing: str, name: str, *, hall_type: HallType | str = HallType.FACTS) -> bool:
        """Make an empty room; return False if it exists already.

        Args:
            wing: An existing wing, or a new one.
            name: 1 to 200 characters.
            hall_type: facts, events, discoveries, preferences or advice.
        Raises:
            InvalidInput: If a name or the type is not possible.
        """
        from graphpalace.domain.receipts import Created

        made = self._link.post(Created, "/v1/rooms", wing=wing, name=name, hall_type=hall_type)
        return made.created

    def drop_room(self, wing: str, name: str) -> int:
        """Remove a room and everything in it; return how many drawers it had.

        Raises:
            NotFound: If the palace, the wing or the room does not exist.
        """
        from graphpalace.domain.receipts import Deleted

        return (self._link.remove(Deleted, f"/v1/rooms/{wire.segment('name', name)}", wing=wing)).deleted


class Palaces:
    """The palaces of a database."""

    def __init__(self, link: Link) -> None:
        """Use the transport of a palace, but not its name."""
        self._link = Link(link.transport, None, timeout_s=link.timeout_s)

    def list(self) -> builtins.list[Palace]:
        """Return every palace of the database with its counts."""
        from graphpalace.domain.places import Palace

        return self._link.get(list[Palace], "/v1/palaces")

    def status(self) -> DatabaseStatus:
        """Return whether Neo4j answers, its version, its schema and the palaces.

        Raises:
            DatabaseUnavailable: If the service does not reach the database.
        """
        from graphpalace.domain.database_status import DatabaseStatus

        return self._link.get(DatabaseStatus, "/v1/status")

    def create(self, name: str) -> bool:
        """Make a palace for the configured embedding model; return False if it exists already.

        Args:
            name: 1 to 63 characters of a-z, 0-9 and _, beginning with a letter.
        Raises:
            InvalidInput: If the name is not possible.
        """
        from graphpalace.domain.receipts import Created

        return (self._link.post(Created, "/v1/palaces", name=name)).created

    def reembed(self, name: str, *, progress: Callable[[ReembedProgress], object] | None = None) -> Reembedded:
        """Compute the vectors of a palace anew with the configured model. Until all are there, the old ones answer.

        To stop it, cancel the call or leave it with Ctrl-C: the same call goes on from there.

        Args:
            progress: Called now and then with how far it is.
        Raises:
            NotFound: If there is no such palace.
            EmbeddingFailed: If the model cannot be loaded.
            Conflict: If somebody began to change the palace to another model meanwhile.
        """
        from graphpalace.domain.reembedded import Reembedded, ReembedProgress

        with closing(self._link.stream("/v1/palaces/reembed", name=name)) as said:
            for line in said:
                if "result" in line:
                    return wire.read(wire.encoded(line["result"]), Reembedded)
                if progress is not None:
                    progress(wire.read(wire.encoded(line["progress"]), ReembedProgress))
        raise ServiceUnavailable("the service went away while it computed vectors; the same call goes on from there")

    def drop(self, name: str) -> int:
        """Remove a palace and everything in it; return how many nodes it had.

        Raises:
            NotFound: If there is no such palace.
        """
        from graphpalace.domain.receipts import Deleted

        removed = self._link.remove(Deleted, f"/v1/palaces/{wire.segment('name', name)}", confirm=name)
        return removed.deleted

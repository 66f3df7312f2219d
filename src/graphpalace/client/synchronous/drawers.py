# Written by `make client` from ../asynchronous/drawers.py; change that file.
"""Storing, reading, changing and removing drawers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from graphpalace.client import wire
from graphpalace.client.synchronous.link import Link
from graphpalace.client.write_keys import keyed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphpalace.domain.drawers.drawer import Drawer, DrawerWithPath


class Drawers:
    """The part of a palace that stores texts."""

    _link: Link

    def add(
        self,
        text: str,
        *,
        wing: str,
        room: str = "general",
        title: str | None = None,
        source_uri: str | None = None,
        author: str | None = None,
        occurred_at: datetime | None = None,
        importance: float = 0.5,
        embedding: Sequence[float] | None = None,
        language: str | None = None,
        unless_similar: float | None = None,
        key: str | None = None,
    ) -> DrawerWithPath:
        """Store a text word for word and return its drawer. A search finds it when this returns.

        Args:
            text: At least one word, at most a million characters.
            wing, room: Where to put it; both are made if they are missing.
            title: The title of its document; default: the notes of the room.
            source_uri: Names the document; texts of one document stand one after the other in one closet.
            author: Who said it.
            occurred_at: When it was said.
            importance: 0 to 1; above .5 lifts the drawer a little in answers.
            embedding: A vector of the palace's dimension; default: it is made from the text.
            language: The language of its wing, by which all words of the wing are stemmed, as an ISO 639-1 code such as
                de; default: as the settings say, or else it is guessed, once.
            unless_similar: Store it only if no drawer of its wing says the same, or has this cosine with it, 0 to 1;
                .9 is a good value. Otherwise the answer is the drawer that stands for it, with `created` false, and
                `similar` says why. Of several calls at the same time, one is stored.
            key: 1 to 200 visible ASCII characters, such as a UUID: the same call with the same key is done once, and
                answered again; default: a new one for each call.
        Raises:
            InvalidInput: If the text is blank, a name is empty, or a value is out of its range.
            TooLarge: If the text is too long.
            WrongDimension: If the embedding does not have the palace's dimension.
        """
        from graphpalace.domain.drawers.drawer import DrawerWithPath

        with keyed(key):
            return self._link.post(
                DrawerWithPath,
                "/v1/drawers",
                text=text,
                wing=wing,
                room=room,
                title=title,
                source_uri=source_uri,
                author=author,
                occurred_at=occurred_at,
                importance=importance,
                embedding=embedding,
                language=language,
                unless_similar=unless_similar,
            )

    def get(self, drawer: str) -> DrawerWithPath:
        """Return a drawer.

        Raises:
            NotFound: If it is not in the palace.
        """
        from graphpalace.domain.drawers.drawer import DrawerWithPath

        return self._link.get(DrawerWithPath, f"/v1/drawers/{wire.segment('drawer', drawer)}")

    def list(self, *, wing: str | None = None, room: str | None = None, page: int = 200) -> Iterator[Drawer]:
        """Yield all drawers of the palace, a wing or a room, in the order of their ids.

        Args:
            page: How many are fetched at a time, 1 to 200.
        Raises:
            NotFound: If the palace, the wing or the room does not exist.
        """
        from graphpalace.domain.drawers.drawer import DrawerPage

        after: str | None = ""
        while after is not None:
            found = self._link.get(DrawerPage, "/v1/drawers", wing=wing, room=room, after=after, limit=page)
            for drawer in found.drawers:
                yield drawer
            after = found.next

    def delete(self, drawer: str) -> None:
        """Remove a drawer.

        Raises:
            NotFound: If it is not in the palace.
        """
        self._link.remove(type(None), f"/v1/drawers/{wire.segment('drawer', drawer)}")

# Written by `make client` from ../asynchronous/single_drawers.py; change that file.
"""The part of a palace that stores, changes and deletes a text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from graphpalace.client.synchronous.link import Link
from graphpalace.client.wire import keyed

if TYPE_CHECKING:
    from graphpalace.domain.drawers.beside import BesideDrawer
    from graphpalace.domain.drawers.drawer import DrawerHistory, DrawerWithPath, Superseded
    from graphpalace.domain.drawers.new_drawer import DuplicateCheck


class SingleDrawers:
    """The part of a palace that stores, changes and deletes a text."""

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
        """Store a text word for word.

        It can be found as soon as this returns.

        With `unless_similar`, it is stored only if no drawer of its wing says the same or has that cosine with it; 0.9
        is a good value. Otherwise the answer is the drawer that stands for it, with `created` false, and `similar` says
        why. Of several calls at the same time, one is stored. `news` names older drawers that it is likely to be news
        on; supersede those that it is.

        Args:
            text: At least one word, at most a million characters.
            wing: Where to put it; it is made if it is missing.
            room: Of the wing; it is made if it is missing.
            title: Title of its document; default: the notes of the room.
            source_uri: Names the document; texts of one document stand one after the other in one closet.
            author: Who said it.
            occurred_at: When it was said.
            importance: Above 0.5 raises the drawer in answers, below 0.5 lowers it, 0 to 1.
            embedding: Vector of the palace's dimension; default: it is computed from the text.
            language: ISO 639-1 code of the language of its wing, such as de, by which all words of the wing are
                stemmed; default: as the settings say, or else it is guessed, once.
            unless_similar: Store it only if no drawer of its wing says the same or has this cosine with it, 0 to 1.
            key: 1 to 200 visible ASCII characters, such as a UUID: the same call with the same key is done once, and
                answered again; default: a new one for each call.
        Raises:
            InvalidInput: If the text is blank, a name is empty, or a value is out of its range.
            TooLarge: If the text is too long.
            WrongDimension: If the embedding does not have the palace's dimension.
        """
        from graphpalace.offers.drawers import ADD_DRAWER

        with keyed(key):
            return self._link.call(
                ADD_DRAWER,
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

    def update(
        self,
        drawer: str,
        *,
        text: str | None = None,
        title: str | None = None,
        author: str | None = None,
        occurred_at: datetime | None = None,
        importance: float | None = None,
        key: str | None = None,
    ) -> DrawerWithPath:
        """Change a drawer, which keeps its id and its place.

        What is left out stays as it is.

        The old text is kept in the `history` of the drawer. What was learned of it is kept if the new text has a
        similar meaning: if the cosine of the two is at least `[learning] same_meaning`.

        Args:
            text: At least one word, at most a million characters; it gets a new embedding and new neighbours.
            title: Title of the drawer's document.
            author: Who said it.
            occurred_at: When it was said.
            importance: Above 0.5 raises the drawer in answers, below 0.5 lowers it, 0 to 1.
            drawer: Id of the drawer.
            key: 1 to 200 visible ASCII characters, such as a UUID: the same call with the same key is done once, and
                answered again; default: a new one for each call.
        Raises:
            NotFound: If it is not in the palace.
            InvalidInput: If nothing is given, the text is blank, or a value is out of its range.
            TooLarge: If the text is too long.
        """
        from graphpalace.offers.drawers import UPDATE_DRAWER

        with keyed(key):
            return self._link.call(
                UPDATE_DRAWER,
                text=text,
                title=title,
                author=author,
                occurred_at=occurred_at,
                importance=importance,
                drawer=drawer,
            )

    def history(self, drawer: str) -> DrawerHistory:
        """Read the earlier texts of a drawer, the latest first.

        They go when the drawer is forgotten.

        Args:
            drawer: Id of the drawer.
        Raises:
            NotFound: If it is not in the palace.
        """
        from graphpalace.offers.drawers import READ_HISTORY

        return self._link.call(READ_HISTORY, drawer=drawer)

    def beside(self, drawer: str) -> BesideDrawer:
        """Show the drawers before and after a drawer in its document, the one that took its place, and its facts.

        Args:
            drawer: Id of the drawer.
        Raises:
            NotFound: If the palace does not exist, or the drawer is not in it.
        """
        from graphpalace.offers.drawers import BESIDE_DRAWER

        return self._link.call(BESIDE_DRAWER, drawer=drawer)

    def supersede(self, old: str, new: str) -> Superseded:
        """Let a drawer take the place of another from now on.

        Answers mark the old one as outdated and rank it below the new one.

        Args:
            old: Id of the drawer that is outdated.
            new: Id of the drawer that holds from now on.
        Raises:
            InvalidInput: If both are the same.
            NotFound: If one of them is not in the palace.
            Conflict: If the old one has itself taken the place of the new one.
        """
        from graphpalace.offers.drawers import SUPERSEDE_DRAWER

        return self._link.call(SUPERSEDE_DRAWER, old=old, new=new)

    def take_back_supersede(self, old: str) -> None:
        """Let a drawer count again that another one had taken the place of, or is supposed to be news on.

        Args:
            old: Id of the drawer that was taken to be outdated.
        Raises:
            NotFound: If it is not in the palace, or none has taken its place, nor is news on it.
        """
        from graphpalace.offers.drawers import TAKE_BACK_SUPERSEDE

        self._link.call(TAKE_BACK_SUPERSEDE, old=old)

    def delete(self, drawer: str) -> None:
        """Delete one drawer.

        Args:
            drawer: Id of the drawer.
        Raises:
            NotFound: If it is not in the palace.
        """
        from graphpalace.offers.drawers import DELETE_DRAWER

        self._link.call(DELETE_DRAWER, drawer=drawer)

    def check_duplicate(
        self, text: str, *, wing: str | None = None, threshold: float = 0.9, top_k: int = 5
    ) -> DuplicateCheck:
        """Find the drawers that have a text already or are near it.

        This stores nothing.

        Those with exactly this text stand first, then those that say the same (`same`), then those whose plain cosine
        reaches the threshold; nothing that was learned changes a cosine. Drawers that say the same are one entry, with
        the others in `also_at`.

        Args:
            text: At least one word, at most a million characters.
            wing: Only look in this wing.
            threshold: Least cosine of a similar drawer, 0 to 1.
            top_k: Largest number of drawers, 1 to 200.
        Raises:
            InvalidInput: If the text is blank, or a number is out of its range.
            NotFound: If the palace or the wing does not exist.
        """
        from graphpalace.offers.drawers import CHECK_DUPLICATE

        return self._link.call(CHECK_DUPLICATE, text=text, wing=wing, threshold=threshold, top_k=top_k)

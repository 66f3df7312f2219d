# Written by `make client` from ../asynchronous/drawers.py; change that file.
"""Reading and listing drawers, and storing many at once, beside what `single_drawers` does with one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graphpalace.client.batches import MOST_AT_ONCE, batches, drawers_of, error_of_all
from graphpalace.client.synchronous.link import Link
from graphpalace.client.synchronous.single_drawers import SingleDrawers
from graphpalace.client.wire import keyed
from graphpalace.errors import GraphPalaceError, InvalidInput

if TYPE_CHECKING:
    from graphpalace.domain.drawers.drawer import AddedDrawers, Drawer, DrawerWithPath


class Drawers(SingleDrawers):
    """The part of a palace that knows texts."""

    def get(self, drawer: str) -> DrawerWithPath:
        """Return a drawer.

        Raises:
            NotFound: If it is not in the palace.
        """
        from graphpalace.offers.drawers import READ_DRAWER

        return self._link.call(READ_DRAWER, drawer=drawer)

    def list(self, *, wing: str | None = None, room: str | None = None, page: int = 200) -> Iterator[Drawer]:
        """Yield all drawers of the palace, a wing or a room, in the order of their ids.

        Args:
            page: How many are fetched at a time, 1 to 200.
        Raises:
            NotFound: If the palace, the wing or the room does not exist.
        """
        from graphpalace.offers.drawers import LIST_DRAWERS

        after: str | None = ""
        while after is not None:
            found = self._link.call(LIST_DRAWERS, wing=wing, room=room, after=after, limit=page)
            for drawer in found.drawers:
                yield drawer
            after = found.next


class Bulk:
    """The part of a palace that stores many texts."""

    _link: Link

    def add_many(
        self,
        texts: Iterable[str | Mapping[str, Any]],
        *,
        wing: str,
        room: str = "general",
        embeddings: Iterable[Sequence[float]] | None = None,
        batch: int = 256,
        progress: Callable[[AddedDrawers], object] | None = None,
        key: str | None = None,
    ) -> AddedDrawers:
        """Store many texts word for word. Texts are read as they are needed, and sent in batches.

        Each batch is stored completely or not at all. If one fails, the batches before it stay stored.

        Args:
            texts: Texts, or mappings with the arguments of `add`, such as
                `{"text": "...", "title": "...", "source_uri": "..."}`, which take precedence over `wing` and `room`.
            wing, room: Where to put them; both are made if they are missing.
            embeddings: A vector for each text, for example an array with one row for each; default: they are made from
                the texts.
            batch: The largest number of texts that are sent together, 1 to 1000. A batch also ends at 4 MiB.
            progress: Called after each batch with what has been stored so far.
            key: 1 to 200 visible ASCII characters, such as a UUID: the same call with the same key is done once, and
                answered again; the batches after the first have `key.2`
                and so on; default: a new one for each batch.
        Returns:
            The drawer of each text, in their order, and how many are new.
        Raises:
            InvalidInput: If a text is blank, a name is empty, or a value is out of its range; the message names the
                text by its place, for example `texts.3.text`. Also if there are more or fewer embeddings than texts.
            TooLarge: If a text is too long.
            WrongDimension: If an embedding does not have the palace's dimension.
        """
        from graphpalace.domain.drawers.drawer import AddedDrawers
        from graphpalace.offers.drawers import ADD_DRAWERS

        done = AddedDrawers([], 0, 0)
        if not 1 <= batch <= MOST_AT_ONCE:
            raise InvalidInput(f"batch is {batch}; it must be 1 to {MOST_AT_ONCE}", field="batch", value=batch)
        with keyed(key):
            for drawers in batches(drawers_of(texts, embeddings, wing=wing, room=room), batch):
                try:
                    added = self._link.call(ADD_DRAWERS, drawers=drawers)
                except GraphPalaceError as error:
                    raise error_of_all(error, len(done.ids)) from None
                done = replace(
                    done, ids=[*done.ids, *added.ids], created=done.created + added.created, kept=done.kept + added.kept
                )
                if progress is not None:
                    progress(done)
        return done

"""Storing many drawers at once, and forgetting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graphpalace.client.asynchronous.link import AsyncLink
from graphpalace.client.batches import MOST_AT_ONCE, batches, drawers_of, error_of_all
from graphpalace.client.write_keys import keyed
from graphpalace.errors import GraphPalaceError, InvalidInput

if TYPE_CHECKING:
    from graphpalace.domain.drawers.drawer import AddedDrawers
    from graphpalace.domain.forgetting import ForgetReceipt, KeptReceipt


class AsyncBulk:
    """The part of a palace that stores and forgets many texts."""

    _link: AsyncLink

    async def add_many(
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
                    added = await self._link.call(ADD_DRAWERS, drawers=drawers)
                except GraphPalaceError as error:
                    raise error_of_all(error, len(done.ids)) from None
                done = replace(
                    done, ids=[*done.ids, *added.ids], created=done.created + added.created, kept=done.kept + added.kept
                )
                if progress is not None:
                    progress(done)
        return done

    async def forget(
        self,
        *,
        drawers: Sequence[str] | None = None,
        source: str | None = None,
        wing: str | None = None,
        room: str | None = None,
        conversation: str | None = None,
        name: str | None = None,
        pattern: str | None = None,
        regex: bool = False,
        dry_run: bool = False,
        by: str | None = None,
    ) -> ForgetReceipt:
        """Forget the drawers that meet everything that is given, and all that came from them; return what goes.

        Closets that become empty are deleted too, and a wing or room that is given alone. A name or a pattern that is
        given alone also deletes what has it outside of drawers: kept questions, diary entries, and names with their
        facts.

        Args:
            drawers: Ids, at most 10,000.
            source: The URI of their source. That of a file also means its parts, which have `#` in their URIs.
            wing, room: Their place; a room needs its wing.
            conversation: Their conversation, as HOST/ID.
            name: A name that they mention. Its aliases and the names that were merged into it count too.
            pattern: A text that they have, in capitals or small letters.
            regex: Whether the pattern is a regular expression of RE2. None can take long.
            dry_run: Change nothing, and return what would be deleted, with the first places.
            by: Who asks, for the receipt.
        Raises:
            InvalidInput: If nothing is chosen, a room without its wing, or the pattern is not valid.
            NotFound: If the palace, the wing or the room does not exist.
        """
        from graphpalace.domain.forgetting import ForgetReceipt

        return await self._link.post(
            ForgetReceipt,
            "/v1/forget",
            drawers=drawers,
            source=source,
            wing=wing,
            room=room,
            conversation=conversation,
            name=name,
            pattern=pattern,
            regex=regex,
            dry_run=dry_run,
            by=by,
        )

    async def forget_receipts(self, *, after: str = "", limit: int = 50) -> Sequence[KeptReceipt]:
        """Return what was forgotten, newest first: when, how much, and which ids. A receipt has no text.

        Args:
            after: Id of the last receipt that is known already; empty: begin with the newest.
            limit: The largest number of receipts, 1 to 1000.
        Raises:
            InvalidInput: If the limit is out of its range.
        """
        from graphpalace.domain.forgetting import ListedReceipts

        return (await self._link.get(ListedReceipts, "/v1/forget/receipts", after=after, limit=limit)).receipts

# Written by `make client` from ../asynchronous/forgetting.py; change that file.
"""The part of a palace that forgets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.forgetting import ForgetReceipt, KeptReceipt


class Forgetting:
    """The part of a palace that forgets."""

    _link: Link

    def forget(
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
        """Forget the drawers that meet everything that is given, and everything derived from them, and tell what goes.

        Closets that become empty are deleted too, and a wing or a room that is given alone. A name or a pattern that is
        given alone also deletes what has it outside of drawers: kept questions, diary entries, and names with their
        facts. With `dry_run`, nothing changes, and the answer has the first places.

        Args:
            drawers: Ids of the drawers, at most 10,000.
            source: URI of their source; that of a file also means its parts, which have `#` in their URIs.
            wing: Name of their wing.
            room: Name of their room, which needs a wing.
            conversation: Their conversation, as HOST/ID.
            name: A name that they mention; its aliases and other ways of writing it count too.
            pattern: Text that they have, whether in capitals or small letters.
            regex: Whether the pattern is a regular expression of RE2; none takes long.
            dry_run: Only answer what would be deleted.
            by: Who asks, for the receipt.
        Raises:
            InvalidInput: If nothing is chosen, a room without its wing, or the pattern is not valid.
            NotFound: If the palace, the wing or the room does not exist.
        """
        from graphpalace.offers.forgetting import FORGET

        return self._link.call(
            FORGET,
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

    def forget_receipts(self, *, after: str = "", limit: int = 50) -> Sequence[KeptReceipt]:
        """List what was forgotten page by page, newest first: when, how much, and which ids.

        A receipt has no text.

        Args:
            after: Id of the last receipt that is known already; empty: begin with the newest.
            limit: Largest number of receipts, 1 to 1000.
        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If the limit is out of its range.
        """
        from graphpalace.offers.forgetting import LIST_RECEIPTS

        return (self._link.call(LIST_RECEIPTS, after=after, limit=limit)).receipts

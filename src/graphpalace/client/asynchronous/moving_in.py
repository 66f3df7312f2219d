"""Moving in from another memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphpalace.client.asynchronous.conversations import AsyncConversations
from graphpalace.client.asynchronous.drawers import AsyncBulk
from graphpalace.client.asynchronous.facts import AsyncFacts
from graphpalace.errors import InvalidInput

if TYPE_CHECKING:
    from graphpalace.client.moving_in.records import ForeignConversation, ForeignDrawer, Origin
    from graphpalace.domain.transfer.answers import MovedIn, TransferProgress

_BATCH = 500  # texts at once
_MESSAGES = 1000  # that one request files


class AsyncMovingIn(AsyncBulk, AsyncFacts):
    """The part of a palace that takes in what another memory keeps."""

    conversations: AsyncConversations

    async def move_in(
        self,
        path: str | Path,
        origin: Origin,
        *,
        wing: str | None = None,
        progress: Callable[[TransferProgress], object] | None = None,
    ) -> MovedIn:
        """Store what another memory keeps, word for word, with its times. Doing it again doubles nothing.

        No language model is needed. This process reads the files, and changes none of them.

        Args:
            path: A folder or a file of the other memory.
            origin: `mempalace` (the folder of a palace, with its Chroma or SQLite store), `mem0` (a JSON file of
                memories) or `claude` (the folder of Claude's export, or a file of it).
            wing: Put everything into this wing; default: wings of the same names. Of Claude, projects keep their own.
            progress: Called after each batch with how many texts, turns and facts there are so far.
        Raises:
            NotFound: If the palace or the path does not exist.
            InvalidInput: If the origin is not known, or the files are not of it.
        """
        from graphpalace.client.moving_in.origins import read_origin
        from graphpalace.client.moving_in.records import ForeignConversation, ForeignDrawer, ForeignFact
        from graphpalace.domain.transfer.answers import MovedIn, TransferProgress

        counts, skipped, masked = Counter[str](), Counter[str](), Counter[str]()
        ids: dict[str, str] = {}
        waiting: list[ForeignDrawer] = []

        def tell() -> None:
            if progress is not None:
                progress(TransferProgress(origin, counts.total(), None))

        for record in read_origin(Path(path), origin, wing=wing):
            if isinstance(record, ForeignDrawer):
                waiting.append(record)
                if len(waiting) == _BATCH:
                    await self._take(waiting, ids, counts)
                    tell()
            elif isinstance(record, ForeignConversation):
                await self._file(record, wing, counts, skipped, masked)
                tell()
            elif isinstance(record, ForeignFact):
                await self._take(waiting, ids, counts)
                known = ids.get(record.drawer or "")
                try:
                    await self.add_fact(**record.fact, drawers=[] if known is None else [known])
                except InvalidInput:
                    skipped["facts that cannot hold"] += 1
                else:
                    counts["facts"] += 1
            else:
                skipped["blank texts"] += 1
        await self._take(waiting, ids, counts)
        tell()
        return MovedIn(**counts, skipped=dict(skipped), masked=dict(masked))

    async def _take(self, waiting: list[ForeignDrawer], ids: dict[str, str], counts: Counter[str]) -> None:
        """Store the texts that wait, and note which drawers they are in."""
        if not waiting:
            return
        done = await self.add_many([record.drawer for record in waiting], wing="unknown", batch=_BATCH)
        ids.update((record.key, id) for record, id in zip(waiting, done.ids, strict=True) if record.key is not None)
        counts["drawers"] += done.created
        counts["kept"] += done.kept
        waiting.clear()

    async def _file(
        self,
        record: ForeignConversation,
        wing: str | None,
        counts: Counter[str],
        skipped: Counter[str],
        masked: Counter[str],
    ) -> None:
        if not record.messages:
            skipped["empty conversations"] += 1
            return
        for start in range(0, len(record.messages), _MESSAGES):
            some: list[Any] = list(record.messages[start : start + _MESSAGES])
            done = await self.conversations.file_messages(
                some, host="claude", conversation=record.id, wing=wing or "claude"
            )
            counts["turns"] += done.turns
            masked.update(done.masked)
        counts["conversations"] += 1

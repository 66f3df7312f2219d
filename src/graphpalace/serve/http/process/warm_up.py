"""Does in advance what the first search and the first wake-up need, and gives free memory back to the system."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import re
import sys

import structlog

from graphpalace.app import GraphPalace
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.wake_up import WakeUpRequest
from graphpalace.errors import GraphPalaceError, NotFound
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.telemetry.work_ids import background_task


async def give_back_memory() -> None:
    """Let the C library return what it keeps for later, some 15 MiB after a model was loaded. Only glibc can.

    It takes some milliseconds, in a thread.
    """
    if not sys.platform.startswith("linux"):
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        await asyncio.to_thread(trim, 0)


_LOG = structlog.get_logger("graphpalace.service")
_WORD = re.compile(r"[^\W\d_]{3,}")
_WORDS = (5, 1, 10)  # of a text that are asked, one text each


class WarmUp:
    """Loads the embedding model, and asks what is usually asked; retries until this succeeds.

    Neo4j plans each query when it is first sent, and again for lists of other sizes. So questions of several lengths
    are asked that find something: the beginnings of some texts of the palace. The wake-up comes last, when the service
    is ready already: a second or two of it are Neo4j's planning.
    """

    def __init__(self, *, retry_s: float = 5.0) -> None:
        self._retry_s = retry_s
        self._state = "loading"
        self._done = False
        self._task: asyncio.Task[None] | None = None

    @property
    def state(self) -> str:
        """State of the embedding model: `loading`, `loaded`, or `failed: ` with the reason."""
        return self._state

    @property
    def done(self) -> bool:
        """Whether the model is loaded and the first answer will be as quick as later ones."""
        return self._done

    def start(self, wired: GraphPalace, palace: str) -> None:
        """Start, on the running event loop."""
        self._task = background_task("warm-up", self._run(wired, palace))

    async def stop(self) -> None:
        """Stop retrying."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self, wired: GraphPalace, palace: str) -> None:
        while not self.done:
            try:
                await asyncio.to_thread(wired.embedder.embed_questions, ["warm up"])
                self._state = "loaded"
                with contextlib.suppress(NotFound):  # the palace was dropped meanwhile
                    await _ask(wired, palace)
                self._done = True
            except (
                Exception
            ) as error:  # whatever the error is, full-text search works and readiness reports what is missing
                state = f"failed: {error.message if isinstance(error, GraphPalaceError) else repr(error)}"
                if state != self._state:
                    _LOG.warning("warm_up_failed", reason=state)
                self._state = state
                await asyncio.sleep(self._retry_s)
        _LOG.info("warm", palace=palace)
        await give_back_memory()
        with contextlib.suppress(Exception):  # a wake-up that fails says so itself
            await wired.waking_up.now(palace, WakeUpRequest())


async def _ask(wired: GraphPalace, palace: str) -> None:
    """Search as callers do; nothing of it is kept."""
    async with wired.replica.indexes.reading(palace) as matrix:
        first = list(matrix.ids[: len(_WORDS)])
    drawers = await DrawerStore(wired.database).read(palace, first)  # the query by which a search reads its hits
    texts = [_WORD.findall(drawer.text)[:words] for drawer, words in zip(drawers, _WORDS, strict=False)]
    for text in ["warm up", *(" ".join(words) for words in texts if words)]:
        await wired.recall.search(palace, SearchRequest(query=text, kept=False))

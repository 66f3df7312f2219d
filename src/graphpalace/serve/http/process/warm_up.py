"""Does in advance what the first search and the first wake-up need, so that they are as fast as later ones."""

from __future__ import annotations

import asyncio
import contextlib

import structlog

from graphpalace.app import GraphPalace
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.wake_up import WakeUpRequest
from graphpalace.errors import GraphPalaceError, NotFound

_LOG = structlog.get_logger("graphpalace.service")
_QUESTION = SearchRequest(query="warm up", top_k=1, kept=False)


class WarmUp:
    """Loads the embedding model, and searches and wakes up once; retries until this succeeds."""

    def __init__(self, *, retry_s: float = 5.0) -> None:
        self._retry_s = retry_s
        self._state = "loading"
        self._task: asyncio.Task[None] | None = None

    @property
    def state(self) -> str:
        """`loading`, `loaded`, or `failed: ` with the reason."""
        return self._state

    @property
    def done(self) -> bool:
        """Whether everything is loaded."""
        return self._state == "loaded"

    def start(self, wired: GraphPalace, palace: str) -> None:
        """Start, on the running event loop."""
        self._task = asyncio.create_task(self._run(wired, palace))

    async def stop(self) -> None:
        """Stop retrying."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self, wired: GraphPalace, palace: str) -> None:
        while not self.done:
            try:
                await asyncio.to_thread(wired.embedder.embed_questions, [_QUESTION.query])
                with contextlib.suppress(NotFound):  # the palace was dropped meanwhile
                    await wired.recall.search(palace, _QUESTION)
                    await wired.waking_up.now(palace, WakeUpRequest())
                self._state = "loaded"
            except (
                Exception
            ) as error:  # whatever the error is, full-text search works and readiness reports what is missing
                state = f"failed: {error.message if isinstance(error, GraphPalaceError) else repr(error)}"
                if state != self._state:
                    _LOG.warning("warm_up_failed", reason=state)
                self._state = state
                await asyncio.sleep(self._retry_s)
        _LOG.info("warm", palace=palace)

"""Does what the first question would have to wait for, so that it is answered as quickly as the next."""

from __future__ import annotations

import asyncio
import contextlib

import structlog

from graphpalace.errors import GraphPalaceError, NotFound
from graphpalace.graph_palace import GraphPalace
from graphpalace.operations.question import Question

_LOG = structlog.get_logger("graphpalace.service")
_QUESTION = Question(query="warm up", top_k=1, kept=False)


class WarmUp:
    """Loads the embedding model and asks the palace once; tries again for as long as that fails."""

    def __init__(self, *, retry_s: float = 5.0) -> None:
        self._retry_s = retry_s
        self._state = "loading"
        self._task: asyncio.Task[None] | None = None

    @property
    def state(self) -> str:
        """`loading`, `loaded`, or `failed: ` and why."""
        return self._state

    @property
    def done(self) -> bool:
        """Whether the first question is as quick as the next."""
        return self._state == "loaded"

    def start(self, wired: GraphPalace, palace: str) -> None:
        """Begin, on the running event loop."""
        self._task = asyncio.create_task(self._run(wired, palace))

    async def stop(self) -> None:
        """Stop trying."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self, wired: GraphPalace, palace: str) -> None:
        while not self.done:
            try:
                await asyncio.to_thread(wired.embedder.embed, [_QUESTION.query])
                with contextlib.suppress(NotFound):  # somebody has dropped it meanwhile: nothing to warm
                    await wired.recall.search(palace, _QUESTION)
                self._state = "loaded"
            except Exception as error:  # whatever it is, words can be searched, and the service says what is missing
                state = f"failed: {error.message if isinstance(error, GraphPalaceError) else repr(error)}"
                if state != self._state:
                    _LOG.warning("warm_up_failed", reason=state)
                self._state = state
                await asyncio.sleep(self._retry_s)
        _LOG.info("warm", palace=palace)

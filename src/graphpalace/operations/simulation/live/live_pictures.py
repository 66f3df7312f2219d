"""Show a live simulation to its subscribers: pictures, with the documents that they show."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from graphpalace.domain.deadline import without_deadline
from graphpalace.domain.simulation.simulations import Finding
from graphpalace.errors import GraphPalaceError
from graphpalace.operations.simulation.corpus import Corpus
from graphpalace.operations.simulation.live.session import RankedRows, SwarmSession
from graphpalace.operations.simulation.live.stepper import RenderedStep
from graphpalace.operations.simulation.live.subscribers import Subscribers


class LivePictures:
    """Writes pictures of a simulation and sends them to subscribers."""

    def __init__(self, corpus: Corpus, course: SwarmSession, audience: Subscribers) -> None:
        self._corpus = corpus
        self._course = course
        self._audience = audience
        self._drawn: RenderedStep | None = None
        self._showing: asyncio.Task[None] | None = None
        self._others: set[asyncio.Task[None]] = set()

    async def findings(self, ranked: RankedRows) -> list[Finding]:
        """Return ranked rows together with their documents."""
        documents = await self._corpus.documents(ranked.rows)
        columns = zip(documents, ranked.scores, ranked.similarities, ranked.visits, ranked.keywords, strict=True)
        return [Finding(*row) for row in columns]

    async def messages(self, drawn: RenderedStep) -> list[tuple[str, bytes]]:
        """Return the messages `snapshot` and `results` for a rendered step."""
        picture, query = drawn.picture, self._course.settings.query
        documents = await self._corpus.documents(picture.rows)
        found = [finding.as_json() for finding in await self.findings(drawn.best)]

        def written() -> list[tuple[str, bytes]]:
            results = {"step": picture.step, "query": query, "results": found}
            data = {"snapshot": picture.as_json(documents), "results": results}
            return [(kind, self._audience.message(kind, one)) for kind, one in data.items()]

        return await asyncio.to_thread(written)

    def show(self, drawn: RenderedStep) -> None:
        """Send a picture in the background. If several are waiting, only the newest is sent."""
        self._drawn = drawn
        if self._showing is None or self._showing.done():
            self._showing = without_deadline(self._show_newest())

    def show_stable(self, rule: str, best: RankedRows, *, step: int) -> None:
        """Inform subscribers in the background that a rule of convergence has started to hold."""
        task = without_deadline(self._tell_stable(rule, best, step=step))
        self._others.add(task)
        task.add_done_callback(self._others.discard)

    async def shown(self) -> None:
        """Wait until everything has been sent."""
        if waiting := {task for task in (self._showing, *self._others) if task}:
            await asyncio.wait(waiting)

    async def _show_newest(self) -> None:
        while self._drawn is not None:
            drawn, self._drawn = self._drawn, None
            with suppress(GraphPalaceError):  # skip the picture if its texts cannot be read
                for kind, message in await self.messages(drawn):
                    self._audience.pass_on(kind, message)

    async def _tell_stable(self, rule: str, best: RankedRows, *, step: int) -> None:
        found = [finding.as_json() for finding in await self.findings(best)]
        data = {"step": step, "rule": rule, "query": self._course.settings.query, "results": found}
        self._audience.tell("results_stable", data)

"""Show a live simulation to the clients that watch it: messages, pictures with their documents, and reports."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from typing import Any

import structlog
from pydantic_core import to_json

from graphpalace.domain.deadline import without_deadline
from graphpalace.domain.simulation.simulations import Finding, FoundTrail, Report, ReportInput
from graphpalace.errors import GraphPalaceError
from graphpalace.operations.simulation.corpus import Corpus
from graphpalace.operations.simulation.reports.reports import ReportWriter
from graphpalace.operations.simulation.session import RankedRows, ReportMaterial, SwarmSession
from graphpalace.operations.simulation.stepper import RenderedStep

_IN_ROW = ("log", "metrics")  # kinds whose messages are queued; of other kinds only the newest is kept
_MOST_LINES = 100  # queued messages of one kind for a client


class Subscriber:
    """The messages that wait for one client: the newest of each kind, and the last 100 of `log` and `metrics`."""

    def __init__(self) -> None:
        self._waiting: dict[str, bytes] = {}
        self._there = asyncio.Event()
        self._lines = dict.fromkeys(_IN_ROW, 0)

    def put(self, kind: str, message: bytes) -> None:
        """Add a message. It replaces a waiting one of the same kind, except for `log` and `metrics`."""
        if kind in _IN_ROW:
            self._lines[kind] += 1
            self._waiting.pop(f"{kind} {self._lines[kind] - _MOST_LINES}", None)
            kind = f"{kind} {self._lines[kind]}"
        self._waiting.pop(kind, None)  # so that the message moves to the end
        self._waiting[kind] = message
        self._there.set()

    async def take(self) -> list[bytes]:
        """Wait for messages and return them in the order of their arrival."""
        await self._there.wait()
        self._there.clear()
        taken, self._waiting = list(self._waiting.values()), {}
        return taken


class Subscribers:
    """All clients that watch one simulation."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._seats: set[Subscriber] = set()

    def __len__(self) -> int:
        return len(self._seats)

    @contextmanager
    def seat(self) -> Iterator[Subscriber]:
        """Subscribe a client for the duration of the `with` statement."""
        seat = Subscriber()
        self._seats.add(seat)
        try:
            yield seat
        finally:
            self._seats.discard(seat)

    def tell(self, type_: str, data: Any, *, kind: str | None = None) -> None:
        """Send a message to all clients.

        Args:
            kind: A newer message of the same kind replaces this one; None: its type is its kind.
        """
        if self._seats:
            self.pass_on(type_, self.message(type_, data), kind=kind)

    def pass_on(self, type_: str, message: bytes, *, kind: str | None = None) -> None:
        """Send an encoded message to all clients."""
        for seat in self._seats:
            seat.put(kind or type_, message)

    def log(self, level: str, message: str) -> None:
        """Send a log line to all clients."""
        self.tell("log", {"level": level, "message": message})

    def message(self, type_: str, data: Any) -> bytes:
        """Return a message as JSON in UTF-8. May be called from any thread."""
        return to_json({"type": type_, "simulation": self._name, "data": data}, inf_nan_mode="null")


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


_LOG = structlog.get_logger("graphpalace.simulation")


class LiveReports:
    """Writes reports and sends them to subscribers.

    Args:
        ids: Ids of the documents, by row.
        findings: Returns ranked rows together with their documents.

    Attributes:
        latest: The latest report; None before the first.
    """

    def __init__(
        self,
        writer: ReportWriter,
        audience: Subscribers,
        ids: Sequence[str],
        findings: Callable[[RankedRows], Awaitable[list[Finding]]],
    ) -> None:
        self.latest: Report | None = None
        self._writer = writer
        self._audience = audience
        self._ids = ids
        self._findings = findings
        self._task: asyncio.Task[None] | None = None
        self._due: ReportMaterial | None = None
        self._step: int | None = None  # the step of the last report

    def ask(self, material: ReportMaterial) -> None:
        """Write a report in the background. If several are waiting, only the newest is written."""
        self._due = material
        if self._task is None or self._task.done():
            self._task = without_deadline(self._write_due())

    def ask_last(
        self,
        step: Callable[[], int],
        material: Callable[[], Awaitable[ReportMaterial]],
        *,
        keep: Callable[[], Awaitable[None]],
    ) -> None:
        """Write the report on the last step, unless it was written already, and then call `keep`."""
        self._task = without_deadline(self._last(self._task, step, material, keep))

    async def written(self) -> None:
        """Wait for the report that is being written, if any."""
        if self._task:
            await asyncio.shield(self._task)

    def give_up(self) -> None:
        """Cancel the report that is being written."""
        if self._task:
            self._task.cancel()

    async def _write_due(self) -> None:
        while self._due is not None:
            due, self._due = self._due, None
            await self._write(due)

    async def _last(
        self,
        earlier: asyncio.Task[None] | None,
        step: Callable[[], int],
        material: Callable[[], Awaitable[ReportMaterial]],
        keep: Callable[[], Awaitable[None]],
    ) -> None:
        if earlier:
            await asyncio.wait({earlier})
        if self._step != step():
            await self._write(await material())
        await keep()

    async def _write(self, material: ReportMaterial) -> None:
        """Write a report. A failure is only logged."""
        self._step = material.metrics.step
        try:
            self.latest = report = await self._writer.write(await self._input(material))
            self._audience.tell("report", asdict(report))
        except GraphPalaceError as error:
            _LOG.warning("report_failed", reason=error.message)
            self._audience.log("warning", f"no report: {error.message}")

    async def _input(self, material: ReportMaterial) -> ReportInput:
        trails = [FoundTrail(self._ids[one], self._ids[two], strength) for one, two, strength in material.trails]
        return ReportInput(
            query=material.query,
            mode=material.mode,
            step=material.metrics.step,
            findings=await self._findings(material.best),
            trails=trails,
            metrics=material.metrics.figures(),
        )

"""The reports of a live simulation: written beside its steps, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict

import structlog

from graphpalace.domain.simulation.simulations import Finding, FoundTrail, Report, ReportInput
from graphpalace.errors import GraphPalaceError
from graphpalace.operations.simulation.live.session import RankedRows, ReportMaterial
from graphpalace.operations.simulation.live.subscribers import Subscribers
from graphpalace.operations.simulation.reports.reports import ReportWriter

_LOG = structlog.get_logger("graphpalace.simulation")


class LiveReports:
    """Has reports written and tells of them.

    Args:
        ids: Of the documents, by row.
        findings: Says what is known of documents.

    Attributes:
        latest: None before the first.
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
        self._step: int | None = None  # the last report's

    def ask(self, material: ReportMaterial) -> None:
        """Have a report written; of those that wait for a slow endpoint only the newest is."""
        self._due = material
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_due())

    def ask_last(
        self,
        step: Callable[[], int],
        material: Callable[[], Awaitable[ReportMaterial]],
        *,
        keep: Callable[[], Awaitable[None]],
    ) -> None:
        """Have a report on the end written, unless that step had its turn, and keep it."""
        self._task = asyncio.create_task(self._last(self._task, step, material, keep))

    async def written(self) -> None:
        """Wait for the report that is being written."""
        if self._task:
            await asyncio.shield(self._task)

    def give_up(self) -> None:
        """Write no further."""
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
        """Write a report; a failure is a line of the log."""
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

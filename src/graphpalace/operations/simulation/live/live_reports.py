"""Write the reports of a live simulation in the background, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict

import structlog

from graphpalace.domain.deadline import without_deadline
from graphpalace.domain.simulation.simulations import Finding, FoundTrail, Report, ReportInput
from graphpalace.errors import GraphPalaceError
from graphpalace.operations.simulation.live.session import RankedRows, ReportMaterial
from graphpalace.operations.simulation.live.subscribers import Subscribers
from graphpalace.operations.simulation.reports.reports import ReportWriter

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

"""Write reports on what a simulation found, with a language model if one is configured, and without one otherwise."""

from __future__ import annotations

import asyncio

from graphpalace.domain.simulation.simulations import Report, ReportInput
from graphpalace.endpoints import ChatEndpoint, ChatSettings
from graphpalace.errors import ReportFailed
from graphpalace.operations.simulation.reports.report_answer import report_of
from graphpalace.operations.simulation.reports.report_prompts import report_messages
from graphpalace.operations.simulation.reports.structural_report import structural_report
from graphpalace.settings.sections.reports import ReportSettings


class ReportWriter:
    """Writes reports. Several simulations can use one writer at the same time.

    Args:
        settings: The language model to ask, if any, and its limits.
        retries: How often to retry a failed connection.

    Raises:
        SettingsInvalid: If the address is not a URL, or the key cannot be sent in a header.
    """

    def __init__(self, settings: ReportSettings | None = None, *, retries: int = 2) -> None:
        chosen = settings or ReportSettings()
        self._most_findings = chosen.most_findings
        self._model = chosen.model
        self._endpoint: ChatEndpoint | None = None
        if chosen.base_url:
            reached = ChatSettings(
                chosen.base_url,
                chosen.api_key.get_secret_value(),
                chosen.model,
                chosen.timeout_s,
                chosen.max_output_tokens,
                named="reports.",
                url_named="reports.base_url",
            )
            self._endpoint = ChatEndpoint(reached, what="report", failed=ReportFailed, retries=retries)

    async def write(self, given: ReportInput) -> Report:
        """Write a report.

        Raises:
            ReportFailed: If the endpoint cannot be reached, does not answer in time, refuses, or its answer is not a
                report.
        """
        structural = await asyncio.to_thread(structural_report, given, most_findings=self._most_findings)
        if self._endpoint is None or not structural.items:
            return structural.report
        answer = await self._endpoint.ask(report_messages(structural))
        report = None
        if answer.content is not None:
            report = await asyncio.to_thread(report_of, answer.content, structural, model=self._model)
        if report is None and answer.cut_off:
            raise self._endpoint.failed("cut off its answer: raise reports.max_output_tokens", status=answer.status)
        if report is None:
            raise self._endpoint.failed("answered without the requested JSON object", status=answer.status)
        return report

    async def close(self) -> None:
        """Close all connections."""
        if self._endpoint is not None:
            await self._endpoint.close()

"""Write reports on what a simulation found, with a language model if one is configured, and without one otherwise."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from graphpalace.domain.simulation.simulations import Report, ReportInput
from graphpalace.errors import ReportFailed, SettingsInvalid
from graphpalace.operations.simulation.reports.report_answer import report_of
from graphpalace.operations.simulation.reports.report_prompts import report_messages
from graphpalace.operations.simulation.reports.structural_report import structural_report
from graphpalace.settings.sections.reports import ReportSettings

_REFUSED = (400, 422)


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
        self._timeout_s = chosen.timeout_s
        self._options: dict[str, Any] = {
            "response_format": {"type": "json_object"},
            "max_tokens": chosen.max_output_tokens,
        }
        self._client: httpx.AsyncClient | None = None
        if not chosen.base_url:
            return
        api_key = chosen.api_key.get_secret_value()
        if not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
            raise SettingsInvalid(
                "reports.api_key has a character that a header cannot contain; it must be printable ASCII, no spaces",
                field="reports.api_key",
            )
        try:
            self._client = httpx.AsyncClient(
                base_url=chosen.base_url.rstrip("/") + "/",
                headers={"Authorization": f"Bearer {api_key}"} if api_key else {},
                timeout=chosen.timeout_s,
                transport=httpx.AsyncHTTPTransport(retries=retries),
            )
        except httpx.InvalidURL as error:
            raise SettingsInvalid(f"reports.base_url is not a URL: {error}", field="reports.base_url") from None
        self._url = str(self._client.base_url.copy_with(userinfo=b"").join("chat/completions"))

    async def write(self, given: ReportInput) -> Report:
        """Write a report.

        Raises:
            ReportFailed: If the endpoint cannot be reached, does not answer in time, refuses, or its answer is not a
                report.
        """
        structural = await asyncio.to_thread(structural_report, given, most_findings=self._most_findings)
        if self._client is None or not structural.items:
            return structural.report
        try:
            answer = await asyncio.wait_for(self._asked(self._client, report_messages(structural)), self._timeout_s)
        except (TimeoutError, httpx.TimeoutException):
            raise self._failed(f"gave no answer in {self._timeout_s:g} s (reports.timeout_s)") from None
        except httpx.HTTPError as error:  # only its type: its text may contain headers, and so the key
            raise self._failed(f"failed: {type(error).__name__}") from None
        report = await asyncio.to_thread(self._read, answer, structural)
        if report is None:
            raise self._failed("answered without the requested JSON object", status=answer.status_code)
        return report

    async def close(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.aclose()

    async def _asked(self, client: httpx.AsyncClient, messages: list[dict[str, str]]) -> httpx.Response:
        """Return the endpoint's answer. An option that the endpoint refuses is not sent again."""
        while True:
            asked = {"model": self._model, "messages": messages, **self._options}
            answer = await client.post("chat/completions", json=asked)
            if answer.status_code not in _REFUSED or not self._gave_up_option(asked, answer.text):
                break
        if not answer.is_success:
            raise self._failed(f"answered with status {answer.status_code}", status=answer.status_code)
        return answer

    def _gave_up_option(self, asked: dict[str, Any], refusal: str) -> bool:
        if "max_tokens" in asked and "max_completion_tokens" in refusal:  # the newer name of the same limit
            name, instead = "max_tokens", {"max_completion_tokens": asked["max_tokens"]}
        elif "response_format" in asked and "response_format" in refusal:
            name, instead = "response_format", {}
        else:
            return False
        self._options = {option: value for option, value in self._options.items() if option != name} | instead
        return True

    def _read(self, answer: httpx.Response, structural: Any) -> Report | None:
        try:
            choice = answer.json()["choices"][0]
            content, ended = choice["message"]["content"], choice.get("finish_reason")
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            return None
        report = report_of(content, structural, model=self._model) if isinstance(content, str) else None
        if report is None and ended == "length":
            raise self._failed("cut off its answer: raise reports.max_output_tokens", status=answer.status_code)
        return report

    def _failed(self, what: str, **detail: Any) -> ReportFailed:
        return ReportFailed(f"the report endpoint {self._url} {what}", url=self._url, **detail)

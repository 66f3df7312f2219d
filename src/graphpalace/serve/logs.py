"""Structured logs: readable lines in a terminal, JSON otherwise."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

from graphpalace.domain.texts import visible
from graphpalace.telemetry.spans import trace_id
from graphpalace.telemetry.work_ids import current_id


class _StandardError(logging.StreamHandler[TextIO]):
    """Writes to the current standard error, even if it was redirected after the start."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        self.stream = sys.stderr
        super().emit(record)


def _spelled_out(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Let no text that is logged steer the terminal."""
    return {name: visible(value) if isinstance(value, str) else value for name, value in event.items()}


def _with_ids(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Say for which request or work a line was written, and in which trace."""
    for name, value in (("request_id", current_id()), ("trace_id", trace_id())):
        if value:
            event.setdefault(name, value)
    return event


_SHARED = [
    structlog.contextvars.merge_contextvars,
    _with_ids,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]
# Loggers keep the list that they were first used with, so each configuration has the same one.
_PROCESSORS = [*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter]


def configure(log_format: str = "auto", *, libraries: str = "INFO") -> None:
    """Send the logs of GraphPalace and of its libraries to standard error, in one format.

    Args:
        libraries: The lowest level of the libraries' records that are shown.
    """
    as_json = log_format == "json" or (log_format == "auto" and not sys.stderr.isatty())
    lines = [structlog.processors.JSONRenderer()] if as_json else [_spelled_out, structlog.dev.ConsoleRenderer()]
    only = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler = _StandardError(sys.stderr)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[only, *lines], foreign_pre_chain=_SHARED))
    logging.basicConfig(handlers=[handler], level=libraries, force=True)
    logging.getLogger("graphpalace").setLevel(logging.INFO)
    # The service reports retries itself, and one line for each request is enough.
    for name, level in (
        ("neo4j", "ERROR"),
        ("apscheduler", "WARNING"),
        ("httpx", "WARNING"),
        ("uvicorn.access", "WARNING"),
    ):
        logging.getLogger(name).setLevel(level)
    structlog.configure(
        processors=_PROCESSORS,
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )

"""What operators are told of queries: each is timed, counted and traced by its name, and a slow one is logged.

Nothing of it has a parameter of the query.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, Self

import structlog

from graphpalace.telemetry import metrics
from graphpalace.telemetry.spans import span
from graphpalace.telemetry.work_ids import current_id

_LOG = structlog.get_logger("graphpalace.database")


def transaction_metadata() -> dict[str, Any]:
    """Return what Neo4j shows of a transaction in SHOW TRANSACTIONS and its query log: whose it is, and for what."""
    work_id = current_id()
    return {"app": "graphpalace", "request_id": work_id} if work_id else {"app": "graphpalace"}


class QueryWatch:
    """Watches one query while it runs, as a context manager.

    Attributes:
        rows: How many were read, which the caller counts.
    """

    __slots__ = ("_begun", "_name", "_palace", "_slow_s", "_span", "rows")

    def __init__(self, name: str, palace: str | None, *, slow_s: float) -> None:
        """Prepare to watch a query.

        Args:
            name: Name of its file below `cypher`.
            slow_s: From how many seconds on it is slow; 0: never.
        """
        self._name = name
        self._palace = palace or ""
        self._slow_s = slow_s
        self.rows = 0

    def __enter__(self) -> Self:
        """Begin."""
        self._span = span("query", leaf=True, query=self._name, palace=self._palace)
        self._span.__enter__()
        self._begun = perf_counter()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Count it, and log it if it was slow."""
        seconds = perf_counter() - self._begun
        metrics.QUERY_SECONDS.labels(self._name).observe(seconds)
        if self.rows:
            metrics.QUERY_ROWS.labels(self._name).inc(self.rows)
        if isinstance(error, Exception):
            metrics.QUERY_ERRORS.labels(self._name).inc()
        self._span.note(rows=self.rows)
        self._span.__exit__(kind, error, trace)
        if self._slow_s and seconds >= self._slow_s:
            metrics.SLOW_QUERIES.labels(self._name).inc()
            shown = {"palace": self._palace} if self._palace else {}
            _LOG.warning("slow_query", query=self._name, seconds=round(seconds, 3), rows=self.rows, **shown)

    def paused(self, seconds: float) -> None:
        """Leave out time in which somebody else worked on the rows."""
        self._begun += seconds

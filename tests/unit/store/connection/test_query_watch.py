"""A query is counted by its name; a slow one is logged by it, with the request's id and without its parameters."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest
from prometheus_client import REGISTRY
from tests.traces import kept_traces

from graphpalace.serve import logs
from graphpalace.store.connection.database import Transaction
from graphpalace.store.connection.query_watch import transaction_metadata
from graphpalace.telemetry.spans import root_span
from graphpalace.telemetry.work_ids import working_as

NAME = "ingest/lock_closets"


class _Driver:
    """Answers with two rows after a moment, or fails."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails

    async def run(self, _query: str, _params: dict[str, Any]) -> Any:
        await asyncio.sleep(0.01)
        if self.fails:
            raise ValueError("the secret is in the message")

        async def rows() -> Any:
            for row in ({"id": "a"}, {"id": "b"}):
                yield row

        return rows()


async def _asked(driver: _Driver, *, slow_query_s: float) -> None:
    transaction = Transaction(cast(Any, driver), "main", slow_query_s=slow_query_s)
    with working_as("request-1"):
        await transaction.run(NAME, closets=["my secret"])


def _count(name: str) -> float:
    return REGISTRY.get_sample_value(name, {"query": NAME}) or 0


async def test_a_slow_query_is_logged_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("json")
    before = _count("graphpalace_slow_queries_total")
    await _asked(_Driver(), slow_query_s=0.005)
    (line,) = map(json.loads, capsys.readouterr().err.splitlines())
    assert line["seconds"] >= 0.01
    known = {key: line[key] for key in ("event", "level", "query", "palace", "rows", "request_id")}
    assert known == {
        "event": "slow_query",
        "level": "warning",
        "query": NAME,
        "palace": "main",
        "rows": 2,
        "request_id": "request-1",
    }
    assert "secret" not in str(line)
    assert _count("graphpalace_slow_queries_total") == before + 1


@pytest.mark.parametrize("slow_query_s", [0, 60])
async def test_a_query_that_is_not_slow_and_one_that_nobody_asks_about_is_not_logged(
    slow_query_s: float, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("json")
    before = _count("graphpalace_slow_queries_total")
    await _asked(_Driver(), slow_query_s=slow_query_s)
    assert capsys.readouterr().err == ""
    assert _count("graphpalace_slow_queries_total") == before


async def test_each_query_is_counted_with_its_time_its_rows_and_its_failure() -> None:
    names = [f"graphpalace_query_{what}" for what in ("seconds_count", "rows_total", "errors_total")]
    before = [_count(name) for name in names]
    seconds = _count("graphpalace_query_seconds_sum")
    await _asked(_Driver(), slow_query_s=0)
    with pytest.raises(ValueError, match="secret"):
        await _asked(_Driver(fails=True), slow_query_s=0)
    assert [_count(name) - one for name, one in zip(names, before, strict=True)] == [2, 2, 1]
    assert _count("graphpalace_query_seconds_sum") - seconds >= 0.02


async def test_its_span_has_its_name_its_palace_and_its_rows() -> None:
    with kept_traces() as kept:
        with root_span("request"):
            await _asked(_Driver(), slow_query_s=0)
            with pytest.raises(ValueError, match="secret"):
                await _asked(_Driver(fails=True), slow_query_s=0)
        good, bad, _ = kept.get_finished_spans()
    about = {"graphpalace.query": NAME, "graphpalace.palace": "main"}
    assert good.attributes == about | {"graphpalace.rows": 2}
    assert bad.attributes == about | {"graphpalace.rows": 0, "error.type": "ValueError"}


def test_the_database_is_told_for_which_request_a_transaction_is() -> None:
    assert transaction_metadata() == {"app": "graphpalace"}
    with working_as("request-1"):
        assert transaction_metadata() == {"app": "graphpalace", "request_id": "request-1"}

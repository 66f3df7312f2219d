"""What the database does with parameters, without a database."""

from __future__ import annotations

import asyncio
import socket
import time
from typing import Any, cast

import pytest

from graphpalace.errors import DatabaseUnavailable
from graphpalace.store.connection import database as databases
from graphpalace.store.connection import failures as patience
from graphpalace.store.connection.database import Database, Transaction, palace_row


class _Driver:
    """Notes what it is asked, and finds nothing."""

    async def run(self, _query: str, params: dict[str, Any]) -> Any:
        self.params = params

        async def rows() -> Any:
            for row in ():
                yield row

        return rows()


async def test_the_driver_gets_all_values_in_one_map_that_does_not_spell_itself_out_in_its_log() -> None:
    driver = _Driver()
    rows = [{"id": "a", "name": "secret"}]
    await Transaction(cast(Any, driver), "main").run("ingest/lock_closets", closets=rows)
    assert driver.params == {"given": {"palace": "main", "closets": rows}}
    assert repr(driver.params["given"]) == "<2 values>"


async def test_a_query_without_one_of_its_values_is_not_run() -> None:
    with pytest.raises(ValueError, match="the query ingest/lock_closets lacks closets"):
        await Transaction(cast(Any, _Driver()), "main").run("ingest/lock_closets")


@pytest.mark.parametrize("listens", [True, False])
@pytest.mark.parametrize("how", ["read", "write"])
async def test_a_server_that_is_down_or_silent_is_told_before_the_deadline(
    monkeypatch: pytest.MonkeyPatch, how: str, listens: bool
) -> None:
    monkeypatch.setattr(databases, "CONNECT_S", 0.2)
    monkeypatch.setattr(patience, "REACH_S", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if listens:
            silent.listen()  # the system accepts connections, and nobody answers on them
        database = Database(uri=f"bolt://127.0.0.1:{silent.getsockname()[1]}", user="neo4j", password="any")
        begun = time.monotonic()
        try:
            async with asyncio.timeout(20):
                with pytest.raises(DatabaseUnavailable, match="cannot be reached"):
                    await (database.read if how == "read" else database.write)(None, "palaces/list_names")
        finally:
            await database.close()
    assert time.monotonic() - begun < 5  # 0.4 s where the machine has nothing else to do


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], None),
        ([{"born": "2026-01-01", "revision": 0, "changes": []}], {"born": "2026-01-01", "revision": 0, "changes": []}),
        ([{"born": "2026-01-01", "revision": None, "changes": []}], None),
        ([{"born": None, "revision": 3, "changes": []}], None),
    ],
)
def test_a_palace_that_is_deleted_while_its_properties_are_read_is_gone(
    rows: list[dict[str, Any]], expected: dict[str, Any] | None
) -> None:
    assert palace_row(rows) == expected

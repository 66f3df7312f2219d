"""What the database does with parameters, without a database."""

from __future__ import annotations

from typing import Any, cast

from graphpalace.store.database import Transaction


class _Driver:
    """Notes what it is asked, and finds nothing."""

    async def run(self, _query: str, params: dict[str, Any]) -> Any:
        self.params = params

        async def rows() -> Any:
            for row in ():
                yield row

        return rows()


async def test_the_driver_gets_whole_lists_that_do_not_spell_themselves_out_in_its_log() -> None:
    driver = _Driver()
    rows = [{"id": "a", "name": "secret"}]
    await Transaction(cast(Any, driver), "main").run("ingest/lock_closets", closets=rows)
    assert driver.params["closets"] == rows
    assert isinstance(driver.params["closets"], list)
    assert repr(driver.params["closets"]) == "<1 items>"

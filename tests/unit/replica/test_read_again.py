"""A read that Neo4j ends because others write is done again from its beginning."""

from __future__ import annotations

import pytest

from graphpalace.errors import DatabaseBusy
from graphpalace.replica.read_again import read_again


@pytest.mark.parametrize(("ended", "read"), [(0, True), (3, True), (4, False)])
async def test_a_read_is_repeated_a_few_times(monkeypatch: pytest.MonkeyPatch, ended: int, read: bool) -> None:
    monkeypatch.setattr("graphpalace.replica.read_again._PAUSE_S", 0)
    tries = 0

    async def rows() -> int:
        nonlocal tries
        tries += 1
        if tries <= ended:
            raise DatabaseBusy("The transaction read outdated data")
        return 7

    if read:
        assert await read_again(rows) == 7
    else:
        with pytest.raises(DatabaseBusy):
            await read_again(rows)
    assert tries == min(ended + 1, 4)

"""The names of a palace are loaded once, whoever waits for them and however long it takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import pytest

from graphpalace.domain.deadline import due_in
from graphpalace.domain.knowledge.entity import MentionChanges, MentionColumns, SpellingColumns
from graphpalace.domain.palaces.palaces import PalaceVersion
from graphpalace.errors import DatabaseFailed
from graphpalace.replica.known_names import KnownNames
from graphpalace.store.connection.database import Database

STATE = PalaceVersion("born", 0, 0, 0, 0, 1, 2, "model", 3)
ADA, OSLO = SpellingColumns(["a"], ["Ada"], ["ada"], [[]]), SpellingColumns(["o"], ["Oslo"], ["oslo"], [[]])


@dataclass
class Stored:
    """A database that sends its names only when it is let go on; it counts how often it is asked for all or some."""

    revision: int = 1
    may_go_on: asyncio.Event = field(default_factory=asyncio.Event)
    loads: int = 0
    some: list[list[str]] = field(default_factory=list)
    named: frozenset[str] = frozenset()
    fails: bool = False

    async def changes(self, _palace: str, *, since: int | None) -> MentionChanges:
        entries = 0 if since is None else self.revision - since
        return MentionChanges("born", self.revision, 0, entries, frozenset(), self.named if entries else frozenset())

    async def load(self, _palace: str) -> AsyncGenerator[tuple[SpellingColumns, MentionColumns], None]:
        self.loads += 1
        yield ADA, MentionColumns(["x"], ["a"], [False], [0.0], [-1])
        if self.fails:
            raise DatabaseFailed("it broke")
        await self.may_go_on.wait()
        yield OSLO, MentionColumns(["y"], ["o"], [False], [0.0], [-1])

    async def load_some(self, drawers: Sequence[str]) -> MentionColumns:
        self.some.append(list(drawers))
        return MentionColumns(list(drawers), ["a"] * len(drawers), [True], [0.0], [-1])

    async def spellings(self, names: Sequence[str]) -> SpellingColumns:
        return ADA if "a" in names else SpellingColumns()


@pytest.fixture
def stored() -> Stored:
    return Stored()


@pytest.fixture
def known(stored: Stored) -> KnownNames:
    known = KnownNames(cast(Database, None), rate=0.1)
    known._mentions = stored  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    return known


async def test_who_stops_waiting_does_not_throw_the_load_away(known: KnownNames, stored: Stored) -> None:
    for _ in range(3):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await known.of("p", STATE)
    with pytest.raises(TimeoutError), due_in(0.01, setting="a deadline"):
        async with asyncio.timeout(0.01):
            await known.load("p")
    assert not known.loaded("p")
    stored.may_go_on.set()
    index = await known.of("p", STATE)
    assert [index.named(name) for name in ("ada", "oslo")] == [0, 1]
    assert stored.loads == 1


async def test_questions_at_once_load_the_names_once(known: KnownNames, stored: Stored) -> None:
    waiting = [asyncio.create_task(known.load("p")), *(asyncio.create_task(known.of("p", STATE)) for _ in range(3))]
    await asyncio.sleep(0)
    stored.may_go_on.set()
    _, first, *others = await asyncio.gather(*waiting)
    assert all(other is first for other in others)
    assert stored.loads == 1


async def test_a_batch_that_was_ingested_is_read_alone(known: KnownNames, stored: Stored) -> None:
    stored.may_go_on.set()
    before = await known.of("p", STATE)
    stored.revision, stored.named = 2, frozenset(["z"])
    after = await known.of("p", replace(STATE, revision=2))
    assert stored.loads == 1
    assert stored.some == [["z"]]
    assert (before.row_of("z"), after.row_of("z")) == (None, 2)
    assert after.texts_with.tolist() == [1, 1]  # of the third drawer it is the title


async def test_a_load_that_broke_leaves_nothing_and_is_begun_anew(known: KnownNames, stored: Stored) -> None:
    stored.fails = True
    with pytest.raises(DatabaseFailed):
        await known.load("p")
    assert not known.loaded("p")
    stored.fails = False
    stored.may_go_on.set()
    await known.load("p")
    assert (await known.of("p", STATE)).texts_with.tolist() == [1, 1]

"""Names for palaces of which a test needs more than the one of the fixture `palace`.

When an index comes or goes, Neo4j plans every query anew, which takes seconds of the processor. So the indexes of a
dropped palace with such a name stay, those of its wings' languages too, and the next palace that needs a name gets it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from graphpalace import app as wiring
from graphpalace.errors import NotFound
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import ServerStore
from graphpalace.store.palaces.palaces import PalaceDrops, PalaceStore
from tests.words import WordEmbedder

FREE: list[str] = []  # names of palaces that are empty and have their indexes
UNTOUCHED: set[str] = set()  # names of palaces that changed their model, but not their vector index
_AT_ONCE = 10  # more are seldom used by the tests of one worker
_KEPT = {f"palaces/drop_{kind}_index" for kind in ("stems", "exact", "vector", "language")}
_forget: list[Callable[[str], None]] = []


async def indexes_made(section: dict[str, Any]) -> None:
    """Make the schema and the indexes of the first spare palaces, before Neo4j plans what it would then plan anew.

    Args:
        section: The section [neo4j] of the tests' server.
    """
    settings = Settings(neo4j=section)  # pyright: ignore[reportArgumentType]
    async with wiring.opened(settings, embedder=WordEmbedder()) as app:
        names = [f"spare{uuid.uuid4().hex[:12]}" for _ in range(_AT_ONCE)]
        literals = {"analyzer": settings.search.analyzer, "dimension": WordEmbedder.dimension}
        for name in names:
            for kind in ("stems", "exact", "vector"):
                await app.database.change_schema(name, f"palaces/create_{kind}_index", literals=literals)
        await ServerStore(app.database).await_indexes()
        FREE.extend(names)


@contextmanager
def forgotten_by(forget: Callable[[str], None]) -> Iterator[None]:
    """Tell each name that is given to something, so that it knows nothing of the palace that had the name before."""
    _forget.append(forget)
    yield
    _forget.remove(forget)


def spare_name() -> str:
    """Return a name for a palace of the tests' embedder."""
    name = FREE.pop() if FREE else f"spare{uuid.uuid4().hex[:12]}"
    UNTOUCHED.discard(name)  # the next one may change its index
    for forget in _forget:
        forget(name)
    return name


@contextmanager
def indexes_stay() -> Iterator[None]:
    """Let the indexes of spare palaces stay when they are dropped in this process."""
    drop, create, change_schema = PalaceDrops.drop, PalaceStore.create, Database.change_schema
    staying: set[str] = set()

    async def drop_and_keep(drops: PalaceDrops, name: str) -> int:
        with suppress(NotFound):
            state = await PalaceStore(drops._database).get(name)
            if name.startswith("spare") and (state.dimension == WordEmbedder().dimension or name in UNTOUCHED):
                staying.add(name)
        try:
            removed = await drop(drops, name)
            if name in staying and name not in FREE:
                FREE.append(name)
            return removed
        finally:
            staying.discard(name)

    async def create_again(palaces: PalaceStore, name: str, **given: Any) -> bool:
        if name in FREE:  # a test makes the palace again that it dropped
            FREE.remove(name)
        return await create(palaces, name, **given)

    async def change(database: Database, palace: str | None, name: str, /, **given: Any) -> None:
        if not (palace in staying and name in _KEPT):
            await change_schema(database, palace, name, **given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PalaceDrops, "drop", drop_and_keep)
        patch.setattr(PalaceStore, "create", create_again)
        patch.setattr(Database, "change_schema", change)
        yield

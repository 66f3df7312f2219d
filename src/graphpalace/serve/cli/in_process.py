"""Run an operation on a palace in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from graphpalace.errors import NotFound
from graphpalace.serve.cli.context import context, named

if TYPE_CHECKING:
    from graphpalace.app import GraphPalace
    from graphpalace.settings.load import Settings
    from graphpalace.store.connection.database import Database


def with_palace(
    work: Callable[[GraphPalace, str], Coroutine[Any, Any, Any]],
    palace: str | None,
    *,
    wing: str | None = None,
    room: str | None = None,
    any_model: bool = False,
) -> Any:
    """Run an operation on the database and the named palace.

    The palace, the wing and the room are looked up first, because loading the libraries takes seconds.

    Args:
        wing, room: A wing and a room that must exist.
        any_model: Whether to go on if the default palace has vectors of a model that the settings cannot make.

    Raises:
        NotFound: If the palace, the wing or the room does not exist.
    """
    settings = context.settings()
    name = named(palace, settings)

    async def run() -> Any:
        await check_place(settings, name, wing=wing, room=room)
        from graphpalace.app import opened

        async with opened(settings, any_model=any_model) as wired:
            return await work(wired, name)

    return asyncio.run(run())


def with_database(work: Callable[[Settings, Database, str], Coroutine[Any, Any, Any]], palace: str | None) -> Any:
    """Run an operation on the named palace without loading an embedding model."""
    settings = context.settings()
    name = named(palace, settings)

    async def run() -> Any:
        async with _verified(settings) as database:
            return await work(settings, database, name)

    return asyncio.run(run())


async def check_place(settings: Settings, palace: str, *, wing: str | None = None, room: str | None = None) -> None:
    """Check that a palace, a wing and a room exist; the default palace may be missing, since operations create it.

    Raises:
        NotFound: If one of them does not exist.
    """
    from graphpalace.replica.places import find_place
    from graphpalace.store.palaces.palaces import PalaceStore

    async with _verified(settings) as database:
        try:
            await PalaceStore(database).get(palace)
        except NotFound:
            if palace == settings.palace.name:
                return
            raise
        if wing is not None or room is not None:
            await find_place(database, palace, wing=wing, room=room)


@asynccontextmanager
async def _verified(settings: Settings) -> AsyncIterator[Database]:
    from graphpalace.app import open_database

    database = open_database(settings)
    try:
        await database.verify()
        yield database
    finally:
        await database.close()

"""Run an operation on a palace in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from graphpalace.errors import NotFound
from graphpalace.serve.cli.context import context, named

if TYPE_CHECKING:
    from graphpalace.settings.load import Settings
    from graphpalace.store.connection.database import Database


def with_database(work: Callable[[Settings, Database, str], Coroutine[Any, Any, Any]], palace: str | None) -> Any:
    """Run an operation on the named palace without loading an embedding model."""
    settings = context.settings()
    name = named(palace, settings)

    async def run() -> Any:
        async with _verified(settings) as database:
            return await work(settings, database, name)

    return asyncio.run(run())


def own_settings() -> Settings:
    """Return the settings with the default palace of the settings file, which is created if it is missing.

    One that the environment names must exist, as one that an option names must.
    """
    from graphpalace.settings.home import setting_text
    from graphpalace.settings.sections.palace import PalaceSettings

    own = setting_text("palace", "name", context.config, environment=False)
    default = PalaceSettings() if own is None else PalaceSettings(name=own)
    return context.settings().model_copy(update={"palace": default})


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

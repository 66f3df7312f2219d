"""The database for a command that does its work in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from graphpalace.app import managed_server
from graphpalace.errors import NotFound
from graphpalace.managed_neo4j.state import Running
from graphpalace.serve.cli import show
from graphpalace.serve.cli.context import context
from graphpalace.serve.cli.output import err
from graphpalace.settings.load import Settings

if TYPE_CHECKING:
    from graphpalace.store.connection.database import Database


def own_settings() -> Settings:
    """Return the settings with the default palace of the settings file, which is created if it is missing.

    One that the environment names must exist, as one that an option names must.
    """
    from graphpalace.settings.home import setting_text
    from graphpalace.settings.sections.section import PalaceSettings

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

    async with verified_database(settings) as database:
        try:
            await PalaceStore(database).get(palace)
        except NotFound:
            if palace == settings.palace.name:
                return
            raise
        if wing is not None or room is not None:
            await find_place(database, palace, wing=wing, room=room)


@asynccontextmanager
async def verified_database(settings: Settings) -> AsyncIterator[Database]:
    """Open the database, check that it answers, and close it in the end."""
    from graphpalace.app import open_database

    database = open_database(settings)
    try:
        await database.verify()
        yield database
    finally:
        await database.close()


@contextmanager
def running_neo4j(settings: Settings) -> Iterator[None]:
    """Start the managed Neo4j if it is not running, and stop it afterwards if this started it."""
    server = managed_server(settings)
    if settings.neo4j.uri or isinstance(server.status(), Running):
        yield
        return
    with show.download_progress(err) as progress:
        running = server.up(progress=progress, tell=partial(err.print, markup=False, highlight=False))
    try:
        yield
    finally:
        if not running.already_running:
            server.down()

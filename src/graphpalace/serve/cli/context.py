"""What all commands share: the settings, the consoles, and how an operation is run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from graphpalace.domain.identity import palace_name
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.settings import Settings, load

if TYPE_CHECKING:
    from graphpalace.graph_palace import GraphPalace
    from graphpalace.operations.question import Question
    from graphpalace.store.database import Database

out = Console(soft_wrap=True)  # a line stays one line: what is piped can be read by programs, an id can be copied
err = Console(stderr=True)

Palace = Annotated[str | None, typer.Option("--palace", help="Palace to use; default: the configured one.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@dataclass
class Context:
    """What the options before the command say."""

    config: Path | None = None

    def settings(self) -> Settings:
        """Read the settings."""
        return load(self.config)


context = Context()


def named(palace: str | None, settings: Settings) -> str:
    """Return the palace's checked name; the configured one if none is given."""
    return palace_name(palace if palace is not None else settings.palace.name)


def window_sizes(text: str) -> list[int] | None:
    """Return window sizes in lines; None if none are given.

    Raises:
        InvalidInput: If one is no number.
    """
    try:
        return [int(part) for part in text.split(",")] if text else None
    except ValueError:
        raise InvalidInput(f"--windows is {text!r}; give numbers of lines as 1000,2000,4000", field="windows") from None


def check_question(query: str, settings: Settings, **given: Any) -> Question:
    """Return a question that can be asked.

    Raises:
        EmptyQuery, InvalidInput: As a search; here, because a command loads the model before it searches.
    """
    from graphpalace.operations.question import Question, checked
    from graphpalace.options import search_options

    question = Question(query=query, **given)
    checked(question, search_options(settings))
    return question


def with_palace(
    work: Callable[[GraphPalace, str], Coroutine[Any, Any, Any]],
    palace: str | None,
    *,
    wing: str | None = None,
    room: str | None = None,
) -> Any:
    """Run an operation on the database and the named palace.

    Loading the libraries of the operation takes seconds, so what it names is looked up before.

    Args:
        wing, room: What must be there.

    Raises:
        NotFound: If the palace, the wing or the room is not there.
    """
    settings = context.settings()
    name = named(palace, settings)

    async def run() -> Any:
        await check_place(settings, name, wing=wing, room=room)
        from graphpalace.bootstrap import opened

        async with opened(settings) as wired:
            return await work(wired, name)

    return asyncio.run(run())


def with_database(work: Callable[[Settings, Database, str], Coroutine[Any, Any, Any]], palace: str | None) -> Any:
    """Run an operation that needs no embedding model on the named palace, so none is loaded."""
    settings = context.settings()
    name = named(palace, settings)

    async def run() -> Any:
        async with _verified(settings) as database:
            return await work(settings, database, name)

    return asyncio.run(run())


async def check_place(settings: Settings, palace: str, *, wing: str | None = None, room: str | None = None) -> None:
    """Look up what a command names; the default palace may be missing, since operations make it.

    Raises:
        NotFound: If the palace, the wing or the room is not there.
    """
    from graphpalace.operations.places import find_place
    from graphpalace.store.palaces import get_palace

    async with _verified(settings) as database:
        try:
            await get_palace(database, palace)
        except NotFound:
            if palace == settings.palace.name:
                return
            raise
        if wing is not None or room is not None:
            await find_place(database, palace, wing=wing, room=room)


@asynccontextmanager
async def _verified(settings: Settings) -> AsyncIterator[Database]:
    from graphpalace.bootstrap import open_database

    database = open_database(settings)
    try:
        await database.verify()
        yield database
    finally:
        await database.close()

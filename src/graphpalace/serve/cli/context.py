"""What all commands share: the settings, the consoles and a way to run an operation."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from graphpalace.domain.identity import palace_name
from graphpalace.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from graphpalace.app import GraphPalace
    from graphpalace.domain.search.request import SearchRequest
    from graphpalace.settings.load import Settings
    from graphpalace.store.connection.database import Database

out = Console(soft_wrap=True)  # a line stays one line: what is piped can be read by programs, an id can be copied
err = Console(stderr=True)

Palace = Annotated[str | None, typer.Option("--palace", help="Palace to use. Default: [palace] name in the settings.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@dataclass
class Context:
    """The options that stand before the command."""

    config: Path | None = None

    def settings(self) -> Settings:
        """Read and return the settings."""
        from graphpalace.settings.load import load

        return load(self.config)


context = Context()


def print_json(answer: Any) -> None:
    """Print an answer as JSON, as it is declared in `domain`."""
    from graphpalace.serve.render import as_json

    out.print_json(json.dumps(as_json(answer)))


def named(palace: str | None, settings: Settings) -> str:
    """Return the name of the palace after checking it; without one, the configured name."""
    return palace_name(palace if palace is not None else settings.palace.name)


def window_sizes(text: str) -> list[int] | None:
    """Return window sizes in lines, or None for an empty text.

    Raises:
        InvalidInput: If a size is not a whole number.
    """
    try:
        return [int(part) for part in text.split(",")] if text else None
    except ValueError:
        raise InvalidInput(
            f"--windows is {text!r}; give sizes in lines, for example 1000,2000,4000", field="windows"
        ) from None


def numbers(option: str, text: str, *, example: str) -> dict[str, float] | None:
    """Return numbers by name from an option such as `fulltext=2,semantic=0.5`, or None for an empty text.

    Raises:
        InvalidInput: If a part is not a name, `=` and a number.
    """
    if not text:
        return None
    try:
        return {name.strip(): float(value) for name, _, value in (part.partition("=") for part in text.split(","))}
    except ValueError:
        raise InvalidInput(f"--{option} is {text!r}; write it like {example}", field=option, value=text) from None


def check_question(query: str, settings: Settings, **given: Any) -> SearchRequest:
    """Return the question after checking it, so that a mistake is reported before the embedding model is loaded.

    Raises:
        EmptyQuery, InvalidInput: As a search raises them.
    """
    from graphpalace.domain.search.plan import plan_of
    from graphpalace.domain.search.request import SearchRequest

    question = SearchRequest(query=query, **given)
    plan_of(question, settings.search.plan, settings.search.plans)
    return question


def with_palace(
    work: Callable[[GraphPalace, str], Coroutine[Any, Any, Any]],
    palace: str | None,
    *,
    wing: str | None = None,
    room: str | None = None,
) -> Any:
    """Run an operation on the database and the named palace.

    The palace, the wing and the room are looked up first, because loading the libraries takes seconds.

    Args:
        wing, room: A wing and a room that must exist.

    Raises:
        NotFound: If the palace, the wing or the room does not exist.
    """
    settings = context.settings()
    name = named(palace, settings)

    async def run() -> Any:
        await check_place(settings, name, wing=wing, room=room)
        from graphpalace.app import opened

        async with opened(settings) as wired:
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

"""What all commands share: the settings, the consoles, and how an operation is run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from graphpalace.domain.identity import palace_name
from graphpalace.errors import InvalidInput
from graphpalace.settings import Settings, load

if TYPE_CHECKING:
    from graphpalace.graph_palace import GraphPalace
    from graphpalace.store.database import Database

out = Console()
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


def with_palace(work: Callable[[GraphPalace, str], Coroutine[Any, Any, Any]], palace: str | None) -> Any:
    """Run an operation on the database and the named palace."""
    from graphpalace.bootstrap import opened

    settings = context.settings()
    name = named(palace, settings)

    async def run() -> Any:
        async with opened(settings) as wired:
            return await work(wired, name)

    return asyncio.run(run())


def with_database(work: Callable[[Settings, Database, str], Coroutine[Any, Any, Any]], palace: str | None) -> Any:
    """Run an operation on the named palace that needs no embedding model, so none is loaded."""
    from graphpalace.bootstrap import open_database

    settings = context.settings()
    name = named(palace, settings)

    async def run() -> Any:
        database = open_database(settings)
        try:
            await database.verify()
            return await work(settings, database, name)
        finally:
            await database.close()

    return asyncio.run(run())

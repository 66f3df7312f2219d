"""The command that writes what Neo4j Browser can load."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.context import context
from graphpalace.serve.cli.output import out


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(browser)


def browser(
    folder: Annotated[Path, typer.Argument(help="Folder to write them into; it is created if necessary.")] = Path(
        "neo4j-browser"
    ),
) -> None:
    """Write the saved queries and the styles for Neo4j Browser, and a perspective for Bloom, into a folder.

    Drop the queries and the styles onto the window of Browser. They ask the palace of the settings.
    """
    from graphpalace.app.browser_files import write_browser_files

    try:
        written = write_browser_files(folder, context.settings().palace.name)
    except OSError as error:
        raise InvalidInput(
            f"folder is {str(folder)!r}, which cannot be written: {error.strerror}", field="folder", value=str(folder)
        ) from error
    for path in written:
        out.print(str(path), soft_wrap=True, markup=False, highlight=False)

"""The command that writes a data set of synthetic publications."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from graphpalace.domain.texts import counted
from graphpalace.errors import InvalidInput
from graphpalace.evaluation.dataset import dataset_lines
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.output import err

dataset = Commands(help="Write data sets to try out and to measure the search.")


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(dataset, name="dataset")


@dataset.callback()
def _group() -> None:
    """Keep `make` a subcommand, although it is the only one."""


@dataset.command()
def make(
    lane: Annotated[
        str,
        typer.Option(
            help="fulltext: texts on a topic share its words, so a full-text search finds them. semantic: they say "
            "the same in other words, so only a search by meaning finds them. Both kinds have the same fields."
        ),
    ] = "fulltext",
    count: Annotated[int, typer.Option(help="Number of publications, 1 to 900000.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Random seed, 0 or more. The same arguments write the same bytes.")] = 7,
    output: Annotated[Path | None, typer.Option(help="File to write. Default: standard output.")] = None,
) -> None:
    """Write synthetic publications as JSON Lines, with families and IPC, CPC, FI and F-term codes, ready for ingest."""
    lines = dataset_lines(lane, count=count, seed=seed)
    if output is None:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        sys.stdout.writelines(lines)
        return
    try:
        with output.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
    except OSError as error:
        raise InvalidInput(
            f"--output is {str(output)!r}, which cannot be written: {error.strerror}", field="output", value=str(output)
        ) from error
    err.print(f"wrote {counted(count, 'publication')} to {output}", markup=False, highlight=False, soft_wrap=True)

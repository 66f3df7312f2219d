"""The command that says what to know now."""

from __future__ import annotations

from typing import Annotated

import typer

from graphpalace.domain.wake_up import LEAST_BYTES, MOST_BYTES, USUAL_BYTES, WakeUpRequest
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.output import out, print_json
from graphpalace.serve.cli.reached import reached


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="wake-up")(wake_up)


def wake_up(
    wing: Annotated[str | None, typer.Option(help="Only about this wing. Default: about the whole palace.")] = None,
    budget_bytes: Annotated[
        int, typer.Option(help=f"Greatest length of the text in bytes, {LEAST_BYTES} to {MOST_BYTES}.")
    ] = USUAL_BYTES,
    agent: Annotated[
        str | None,
        typer.Option(help="Agent whose diary to include. Default: the entries of all agents that a search finds."),
    ] = None,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Print a short text on what to know now: facts, what helped, what is important, open questions and what is new."""
    WakeUpRequest(wing, budget_bytes, agent).check()
    with reached(palace, wing=wing) as found:
        told = found.wake_up(wing, budget_bytes, agent=agent)
    if as_json:
        print_json(told)
    else:
        out.print(told.text, end="", markup=False, highlight=False, soft_wrap=True)

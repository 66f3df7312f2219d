"""The command that says what to know now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from graphpalace.offers.wake_up import WAKE_UP
from graphpalace.serve.cli.offered import command
from graphpalace.serve.cli.output import out

if TYPE_CHECKING:
    from graphpalace.domain.wake_up import WakeUp, WakeUpRequest


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "wake-up", WAKE_UP)(_show)


def _show(told: WakeUp, _asked: WakeUpRequest) -> None:
    """Print a short text on what to know now: facts, what helped, what is important, open questions and what is new."""
    out.print(told.text, end="", markup=False, highlight=False, soft_wrap=True)

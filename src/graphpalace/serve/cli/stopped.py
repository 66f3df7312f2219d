"""What Ctrl-C leaves of a long command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from graphpalace.serve.cli.output import err

_CTRL_C = 130  # the exit code after Ctrl-C


@contextmanager
def stopped(left: str) -> Iterator[None]:
    """Say what Ctrl-C leaves, and end with its exit code. Who closes the connection stops the service's work, too.

    Args:
        left: For example `what is already stored is kept`.
    """
    try:
        yield
    except KeyboardInterrupt:
        err.print(f"stopped: {left}", soft_wrap=True)
        raise typer.Exit(_CTRL_C) from None

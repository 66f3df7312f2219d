"""The command line: parse, call one operation, print."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

from graphpalace.error_codes import EXIT, STATUS
from graphpalace.errors import GraphPalaceError

if TYPE_CHECKING:
    from types import FrameType

# How many rounds the threads of torch spin while they wait for work, and the logarithm of the cycles for which those of
# NumPy's OpenBLAS do. Products come one right after the other, so this is enough; by default they keep a core busy for
# 5 ms and for 40 ms after each.
SPINS, OPENBLAS_SPINS = "20000", "14"
_OF_THE_SERVICE = 500  # from this HTTP status on, an error is the service's, and its log may say more


def main() -> None:
    """Run a command. An error of GraphPalace prints one message to standard error and sets its exit code."""
    os.environ.setdefault("GOMP_SPINCOUNT", SPINS)  # before torch is imported, which reads it then
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", OPENBLAS_SPINS)  # before NumPy is imported
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end_as_ctrl_c)  # the services take both signals themselves
    if sys.argv[1:] == ["--version"]:  # without importing what parses a line
        from graphpalace.serve.cli.version import version_line

        print(version_line())
        sys.exit(0)
    from graphpalace.serve.cli.application import app

    try:
        app()
    except GraphPalaceError as error:
        from graphpalace.serve.cli.output import Line, err

        kind = Line(("error", "red"), " ", (error.code, "dim"), " ", error.message)
        err.print(kind, highlight=False, soft_wrap=True)
        if error.request_id and STATUS[error.code] >= _OF_THE_SERVICE:
            err.print(Line((f"the service's log has more under the request id {error.request_id}", "dim")))
        sys.exit(EXIT[error.code])


def _end_as_ctrl_c(number: int, frame: FrameType | None) -> None:
    """Stop as Ctrl-C does: asyncio cancels what runs, whereas an exception in a signal handler can hit any line."""
    ctrl_c = signal.getsignal(signal.SIGINT)
    (ctrl_c if callable(ctrl_c) else signal.default_int_handler)(number, frame)

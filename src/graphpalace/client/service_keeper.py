"""The small process that starts the service of a home, and starts it again if it is killed or crashes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType

from graphpalace.client import service_file
from graphpalace.client.ensure_service import alone
from graphpalace.client.service_process import command
from graphpalace.errors import GraphPalaceError
from graphpalace.settings.home import Home

_STEADY_S = 10.0  # a service that lived for this long is started again at once
_LONGEST_PAUSE_S = 60.0
_PAUSE_S = 0.05
_FOR_GOOD = (0, 2, 4)  # stopped; wrong settings, or another service that runs: trying again does not help


class ServiceKeeper:
    """Keeps the service of one home running until it is stopped.

    A service that is stopped removes its file; a process that had to kill it does so too. As long as the file names a
    process that was started here and has ended, nobody wanted its end.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._child: subprocess.Popen[bytes] | None = None
        self._started: set[int] = set()
        self._stopped = False

    def run(self) -> int:
        """Run until the service has ended for good, and return its exit code."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        pause_s, child = 0.0, self._start()
        while True:
            began = time.monotonic()
            code = child.wait()
            if code in _FOR_GOOD or not self._is_missed():
                return code
            pause_s = 0.0 if time.monotonic() - began > _STEADY_S else min(max(1.0, 2 * pause_s), _LONGEST_PAUSE_S)
            print(f"the service (process {child.pid}) ended with {code}; it starts again in {pause_s:g} s", flush=True)
            time.sleep(pause_s)
            with alone(self._home, timeout_s=-1):  # without an end
                if not self._is_missed():  # somebody has stopped it for good, or has started another one
                    return code
                child = self._start()
                while child.poll() is None and not self._has_announced(child.pid):  # others wait for this start
                    time.sleep(_PAUSE_S)

    def _start(self) -> subprocess.Popen[bytes]:
        # Its output is this process's. What ends the session of this process does not end it.
        self._child = child = subprocess.Popen(command(self._home), start_new_session=True)
        self._started.add(child.pid)
        if self._stopped:  # just now
            child.terminate()
        return child

    def _is_missed(self) -> bool:
        return not self._stopped and any(map(self._has_announced, self._started))

    def _has_announced(self, pid: int) -> bool:
        """Return whether the file of the home names this process."""
        with suppress(GraphPalaceError):
            found = service_file.read(self._home.folder)
            return found is not None and found.pid == pid
        return False

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopped = True
        if self._child is not None:
            self._child.terminate()


def main(folder: str, config: str = "") -> int:
    """Keep the service of a data folder running."""
    return ServiceKeeper(Home(folder=Path(folder), config=Path(config) if config else None)).run()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

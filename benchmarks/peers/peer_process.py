"""A peer in a process of its own, and requests to it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_DROPPED = ("GRAPHPALACE_", "MEMPAL", "NEURALCACHE_", "BASIC_MEMORY_", "MEM0_", "PYTHON", "VIRTUAL_ENV")
_SHOWN = 1500  # characters of what a peer wrote before it ended


class PeerFailed(Exception):
    """A peer ended, did not answer in time, or answered with an error."""


class PeerProcess:
    """A running process that speaks the protocol of the folder `processes`.

    Attributes:
        started_s: Seconds from its start until it was ready.
    """

    def __init__(
        self, python: Path, script: Path, folder: Path, environment: dict[str, str], *, timeout_s: float = 900
    ) -> None:
        """Start it and wait until it is ready.

        Args:
            folder: Its own, which it is given empty, as its home too; who made it removes it.
            environment: What it needs of the environment beside that.

        Raises:
            PeerFailed: If it is not ready in time.
        """
        folder.mkdir(parents=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_DROPPED)}
        # No hub of models is asked, and nobody is told that it is used.
        quiet = {"HF_HUB_OFFLINE": "1", "ANONYMIZED_TELEMETRY": "False", "DO_NOT_TRACK": "1"}
        own = {"HOME": str(folder), "MEMPALACE_CONFIG_DIR": str(folder)}
        self._log = folder / "stderr.log"
        self._timeout_s = timeout_s
        started = time.perf_counter()
        with self._log.open("wb") as errors:
            self._process = subprocess.Popen(
                [str(python), str(script), str(folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=kept | quiet | own | environment,
                cwd=folder,
            )
        self._unread = b""
        try:
            self._read()
        except BaseException:  # also if the benchmark is ended meanwhile
            self.close()
            raise
        self.started_s = time.perf_counter() - started

    def ask(self, op: str, **parts: Any) -> dict[str, Any]:
        """Send a request and return its answer.

        Raises:
            PeerFailed: If the answer is an error, or there is none.
        """
        assert self._process.stdin
        try:
            self._process.stdin.write(json.dumps({"op": op, **parts}).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise PeerFailed(f"it ended before {op}: {self._said()}") from error
        answer = self._read()
        if "error" in answer:
            raise PeerFailed(f"{op}: {answer['error']}")
        return answer

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout
        until = time.monotonic() + self._timeout_s
        while b"\n" not in self._unread:
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise PeerFailed(f"no answer in {self._timeout_s:g} s")
            part = os.read(self._process.stdout.fileno(), 1 << 16)
            if not part:
                raise PeerFailed(f"it ended: {self._said()}")
            self._unread += part
        line, _, self._unread = self._unread.partition(b"\n")
        return json.loads(line)

    def _said(self) -> str:
        return self._log.read_text("utf-8", "replace")[-_SHOWN:].strip()

    def close(self) -> None:
        """End it."""
        assert self._process.stdin
        try:
            self._process.stdin.close()  # it ends by itself after its last request
            self._process.wait(20)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        finally:
            if self._process.stdout:
                self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

"""Files transcripts in the background, because no host waits for that."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from graphpalace.domain.conversations import FiledConversation, TranscriptFile
from graphpalace.errors import GraphPalaceError, NotFound
from graphpalace.telemetry.work_ids import background, background_task, current_id

_CLOSE_S = 5.0  # what takes longer keeps its mark

FileTranscript = Callable[[str, TranscriptFile, str | None], Awaitable[FiledConversation | None]]


@dataclass(slots=True)
class _Work:
    """The filing of one transcript.

    Attributes:
        again: Whether it starts anew, because the transcript was handed over again meanwhile.
        marks: Files that ask for it, and are removed when it is done.
    """

    again: bool = True
    marks: set[Path] = field(default_factory=set)


class FilingBehind:
    """Files each transcript that is handed over, one after the other of the same conversation.

    Args:
        file: Files a transcript into a palace and a wing, None being that of its project.
        note: Is told how each filing ended: host, seconds, what was done, and the error or "".
    """

    def __init__(self, file: FileTranscript, note: Callable[[str, float, str, str], None]) -> None:
        self._file = file
        self._note = note
        self._work: dict[tuple[str, Path], _Work] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns = asyncio.Semaphore(2)

    @property
    def waiting(self) -> bool:
        """Whether there is something to file."""
        return bool(self._work)

    def hand_over(self, palace: str, file: TranscriptFile, *, wing: str | None, mark: Path | None = None) -> None:
        """File a transcript soon.

        Args:
            mark: A file that asks for it, and is removed when it is done, or can never be done.
        """
        key = (palace, file.path)
        if (work := self._work.get(key)) is not None:
            work.again = True
        else:
            work = self._work[key] = _Work()
            task = background_task("file-conversation", self._run(key, work, file, wing))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if mark is not None:
            work.marks.add(mark)

    def has(self, mark: Path) -> bool:
        """Return whether what a file asks for is being done."""
        return any(mark in work.marks for work in self._work.values())

    async def close(self) -> None:
        """Wait for what is being filed; what takes too long is given up, and its mark stays."""
        if not self._tasks:
            return
        _, late = await asyncio.wait(self._tasks, timeout=_CLOSE_S)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _run(self, key: tuple[str, Path], work: _Work, file: TranscriptFile, wing: str | None) -> None:
        try:
            while work.again:
                async with self._turns:
                    work.again = False
                    await self._once(key[0], work, file, wing)
        finally:
            del self._work[key]

    async def _once(self, palace: str, work: _Work, file: TranscriptFile, wing: str | None) -> None:
        started = time.monotonic()
        did, error, final = "nothing", "", True
        try:
            with background("file-conversation", work_id=current_id(), palace=palace):
                filed = await self._file(palace, file, wing)
            if filed is not None and filed.turns:
                masked = sum(filed.masked.values())
                did = f"{filed.turns} turns into {filed.wing}" + (f", {masked} secrets masked" if masked else "")
            elif filed is not None and filed.forgotten_at is not None:
                did = f"forgotten on {filed.forgotten_at[:10]}, not filed"
        except NotFound as missing:
            error = "" if "path" in missing.detail else missing.message
        except GraphPalaceError as failure:
            final, error = failure.retry_after_s is None, failure.message
        except Exception as failure:  # a mistake in the program must not end the service's other filings
            error = f"{type(failure).__name__}: {failure}"
        if final and not work.again:
            for mark in work.marks:
                with suppress(OSError):
                    mark.unlink(missing_ok=True)
            work.marks.clear()
        await asyncio.to_thread(
            self._note, file.host or "", time.monotonic() - started, "failed" if error else did, error
        )

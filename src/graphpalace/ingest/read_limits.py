"""How much time and memory the reading of one file may take."""

from __future__ import annotations

from dataclasses import dataclass

_MOST_TIMES = 10  # as much as a file of one MiB that a larger one may take
_WAIT = 4.0  # seconds on the clock for each second of a processor, which others use too
_START_S = 30.0  # more of them, until the process is there


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """The settings `read_limit_s` and `read_limit_mb` of `[ingest]`.

    Attributes:
        processor_s: Seconds of a processor for a file of up to 1 MiB, > 0; larger files have more, in proportion, up to
            ten times as many.
        memory_mb: MiB beyond what the reading process has before it reads a file, > 0. Where the system cannot limit a
            process, only the time is limited.
    """

    processor_s: float = 30.0
    memory_mb: int = 2048

    def processor_s_of(self, size_bytes: int) -> float:
        """Return the seconds of a processor that a file of some size may take.

        >>> limits = ReadLimits(processor_s=30)
        >>> [limits.processor_s_of(mib * 2**20) for mib in (0, 1, 3, 500)]
        [30.0, 30.0, 90.0, 300.0]
        """
        return self.processor_s * min(max(size_bytes / 2**20, 1.0), _MOST_TIMES)

    def wait_s_of(self, size_bytes: int) -> float:
        """Return the seconds on the clock after which the process is ended in any case."""
        return self.processor_s_of(size_bytes) * _WAIT + _START_S

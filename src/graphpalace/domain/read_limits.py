"""How much time and memory reading one file may take."""

from __future__ import annotations

from dataclasses import dataclass

_MOST_TIMES = 10  # a large file may take at most this many times as long as a file of one MiB
_WAIT = 4.0  # seconds on the clock for each second of processor time, since other programs use the processor too
_START_S = 30.0  # additional seconds for the start of the process


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """The settings `read_limit_s` and `read_limit_mb` of `[ingest]`.

    Attributes:
        processor_s: Processor time in seconds for a file of up to 1 MiB, > 0. Larger files get more, in proportion, up
            to ten times as much.
        memory_mb: Memory in MiB that the reading process may use in addition to what it has before a file, > 0. If the
            operating system cannot limit a process, only the time is limited.
    """

    processor_s: float = 30.0
    memory_mb: int = 2048

    def processor_s_of(self, size_bytes: int) -> float:
        """Return the processor time in seconds that a file of some size may take.

        >>> limits = ReadLimits(processor_s=30)
        >>> [limits.processor_s_of(mib * 2**20) for mib in (0, 1, 3, 500)]
        [30.0, 30.0, 90.0, 300.0]
        """
        return self.processor_s * min(max(size_bytes / 2**20, 1.0), _MOST_TIMES)

    def wait_s_of(self, size_bytes: int) -> float:
        """Return the seconds on the clock after which the process is stopped in any case."""
        return self.processor_s_of(size_bytes) * _WAIT + _START_S

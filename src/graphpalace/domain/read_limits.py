"""How much time and memory reading one file may take, and how much time the slow files of an ingest together."""

from __future__ import annotations

from dataclasses import dataclass

_MOST_TIMES = 10  # a large file may take at most this many times as long as a file of one MiB
_WAIT = 4.0  # seconds on the clock for each second of processor time, since other programs use the processor too
_START_S = 30.0  # additional seconds for the start of the process
_SHARE = 0.5  # of what is left for slow files that one of them may take
_LEAST_S = 2.0  # that each file may take, even if nothing is left
_USUAL_S = 1.0  # in which a file is read that is not slow, and additionally
_CHARS_S = 10_000  # characters of text that are read in a second, at least


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """The settings `read_limit_s`, `read_limit_mb` and `slow_limit_s` of `[ingest]`.

    Attributes:
        processor_s: Processor time in seconds for a file of up to 1 MiB, > 0. Larger files get more, in proportion, up
            to ten times as much.
        memory_mb: Memory in MiB that the reading process may use in addition to what it has before a file, > 0. If the
            operating system cannot limit a process, only the time is limited.
        slow_s: Processor time in seconds that all slow files of an ingest may take together, > 0.
    """

    processor_s: float = 30.0
    memory_mb: int = 2048
    slow_s: float = 600.0

    def processor_s_of(self, size_bytes: int) -> float:
        """Return the processor time in seconds that a file of some size may take.

        >>> limits = ReadLimits(processor_s=30)
        >>> [limits.processor_s_of(mib * 2**20) for mib in (0, 1, 3, 500)]
        [30.0, 30.0, 90.0, 300.0]
        """
        return self.processor_s * min(max(size_bytes / 2**20, 1.0), _MOST_TIMES)

    @staticmethod
    def wait_s_of(processor_s: float) -> float:
        """Return the seconds on the clock after which a process is stopped that may take some processor time."""
        return processor_s * _WAIT + _START_S


class SlowFiles:
    """The time that the slow files of one ingest have taken, and what is left for the next one.

    A file is slow by the time that it takes for what it gives: a folder of files that take long and give nothing must
    not keep an ingest busy for hours, and a folder of long books may. Each file may take at most half of what is
    left, so that several slow files find some time, and the sum is never more than the limit.
    """

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self.taken_s = 0.0

    def processor_s_of(self, size_bytes: int) -> float:
        """Return the processor time in seconds that a file of some size may take now.

        >>> slow = SlowFiles(ReadLimits(processor_s=30, slow_s=80))
        >>> slow.processor_s_of(0)
        30.0
        >>> slow.took(31.0, chars=0)
        >>> slow.processor_s_of(0)
        25.0
        """
        left = self._limits.slow_s - self.taken_s
        return min(self._limits.processor_s_of(size_bytes), max(left * _SHARE, _LEAST_S))

    def took(self, processor_s: float, *, chars: int) -> None:
        """Count a file that took some time and gave so many characters of text; 0 if it could not be read."""
        self.taken_s += max(0.0, processor_s - _USUAL_S - chars / _CHARS_S)

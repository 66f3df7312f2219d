"""Files that are ingested: their URIs, how much time and memory reading may take, and how passages are cut."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from graphpalace.errors import InvalidInput

LEAST_PASSAGE_CHARS, MOST_PASSAGE_CHARS = 200, 20_000
SMALLEST_WINDOW, LARGEST_WINDOW = 2, 100_000
MAX_WINDOWS = 8
RoomMode = Literal["auto", "folders", "headings", "clusters"]  # what rooms are made from

_MOST_TIMES = 10  # a large file may take at most this many times as long as a file of one MiB
_WAIT = 4.0  # seconds on the clock for each second of processor time, since other programs use the processor too
_START_S = 30.0  # additional seconds for the start of the process
_SHARE = 0.5  # of what is left for slow files that one of them may take
_LEAST_S = 2.0  # that each file may take, even if nothing is left
_USUAL_S = 1.0  # in which a file is read that is not slow, and additionally
_CHARS_S = 10_000  # characters of text that are read in a second, at least

_FILE = "file:///"


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """How documents are cut; its repr is part of every content hash.

    Attributes:
        max_chars: Longest passage in characters, 200 to 20000.
        overlap_chars: Most characters that two neighbouring passages of one section share, 0 to max_chars / 2.
        windows: Sizes in lines of the windows that cut source code, each 2 to 100000, at most 8 different ones,
            smallest first; () cuts code at its definitions instead.
    Raises:
        InvalidInput: If a value is outside its range.
    """

    max_chars: int = 1200
    overlap_chars: int = 0
    windows: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _in_range("max_chars", self.max_chars, LEAST_PASSAGE_CHARS, MOST_PASSAGE_CHARS)
        _in_range("overlap_chars", self.overlap_chars, 0, self.max_chars // 2)
        object.__setattr__(self, "windows", tuple(self.windows))
        for window in self.windows:
            _in_range("windows", window, SMALLEST_WINDOW, LARGEST_WINDOW)
        if len(self.windows) > MAX_WINDOWS:
            raise InvalidInput(
                f"windows has {len(self.windows)} sizes; it must have 0 to {MAX_WINDOWS}",
                field="windows",
                value=list(self.windows),
            )
        object.__setattr__(self, "windows", tuple(sorted(set(self.windows))))


def _in_range(field: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidInput(
            f"{field} is {value!r}; it must be a whole number from {low} to {high}", field=field, value=value
        )


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


def path_of(uri: str) -> Path | None:
    """Return the path of a file URI; None for other URIs, and for those that name no possible file."""
    path = unquote(uri.removeprefix("file://"), errors="surrogateescape")
    return Path(path) if uri.startswith(_FILE) and "\0" not in path else None


def as_text(path: Path) -> str:
    """Return a path as a text that JSON can carry: as it is, or as a URI if it has bytes that are no text.

    >>> as_text(Path("/notes/caf\\udce9.md"))
    'file:///notes/caf%E9.md'
    """
    text = str(path)
    try:
        text.encode()
    except UnicodeEncodeError:
        return path.as_uri()
    return text


_MOST_NAME_BYTES = 255  # of a file, as file systems have it


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file whose content a client sends.

    Attributes:
        path: Folders and name below where the client chose it, such as "boats/sails/new.md". The first folder is the
            one that was chosen.
        data: The content.
    Raises:
        InvalidInput: If the path is absolute, or has a part that no file can have.
    """

    path: str
    data: bytes = field(repr=False)

    def __post_init__(self) -> None:
        for part in self.path.split("/"):
            if part in ("", ".", "..") or "\0" in part or len(part.encode(errors="replace")) > _MOST_NAME_BYTES:
                raise InvalidInput(
                    f"path is {self.path[:200]!r}; it must be the name of a file, with its folders and / between them",
                    field="path",
                    value=self.path[:200],
                )

    @property
    def name(self) -> str:
        """Its name without folders."""
        return self.path.rpartition("/")[2]

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders below the one that was chosen."""
        return tuple(self.path.split("/")[1:-1])

    @property
    def uri(self) -> str:
        """What it is known by."""
        return f"stdin:{self.path}"

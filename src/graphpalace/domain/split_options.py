"""How documents are cut into passages."""

from __future__ import annotations

from dataclasses import dataclass

from graphpalace.errors import InvalidInput

LEAST_CHARS, MOST_CHARS = 200, 20_000
SMALLEST_WINDOW, LARGEST_WINDOW = 2, 100_000
MAX_WINDOWS = 8


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
        _in_range("max_chars", self.max_chars, LEAST_CHARS, MOST_CHARS)
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

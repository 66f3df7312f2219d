"""Splits source code into overlapping windows of lines of several sizes (seed 000, "windows")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphpalace.domain.document import Passage
from graphpalace.ingest.split import LineIndex


def line_ranges(lines: int, window: int) -> Iterator[tuple[int, int]]:
    """Yield first and last line, 1-based and inclusive, of each window over a file.

    Each window starts half a window after the previous one. The last window is the first that reaches the end.

    >>> list(line_ranges(9, 4))
    [(1, 4), (3, 6), (5, 8), (7, 9)]
    """
    for start in range(1, lines + 1, max(1, window // 2)):
        end = min(start + window - 1, lines)
        yield start, end
        if end == lines:
            return


def window_passages(text: str, relative_path: str, windows: Sequence[int]) -> tuple[Passage, ...]:
    """Return one passage for each window, the smallest windows first.

    The first line of each passage is the header `# file: REL | lines: A-B | window: W`; the rest is the source
    verbatim. If windows of several sizes cover the same lines, as in a short file, only the smallest is used. Blank
    windows are left out.

    Args:
        text: The source.
        relative_path: Its path below the ingested root, with `/`.
        windows: Sizes in lines, each >= 1.
    """
    lines = LineIndex(text)
    made: set[tuple[int, int]] = set()
    passages: list[Passage] = []
    for window in sorted(set(windows)):
        for first, last in line_ranges(len(lines), window):
            end = lines.start(last + 1) if last < len(lines) else len(text)
            body = text[lines.start(first) : end]
            if (first, last) in made or not body.strip():
                continue
            made.add((first, last))
            header = f"# file: {relative_path} | lines: {first}-{last} | window: {window}\n"
            passages.append(Passage(text=header + body, start_line=first, end_line=last))
    return tuple(passages)

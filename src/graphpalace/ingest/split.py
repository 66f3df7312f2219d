"""Cuts one section of a text into passages of bounded size, with exact lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from graphpalace.domain.document import Passage
from graphpalace.errors import InvalidInput
from graphpalace.ingest.languages import grammar

Kind = Literal["text", "markdown", "code"]

# A line ends as in text editors; str.splitlines would also break at form feeds and Unicode separators.
_NEWLINE = re.compile(r"\r\n|\n|\r")
_INDENT = re.compile(r"(?<=[\n\r])[ \t]+\Z")
_BRACKET = re.compile(r"[()\[\]{}]")
MAX_WINDOWS = 8

# The splitters' time grows faster than the length of a text, and than the depth of a syntax tree.
_BLOCK_CHARS = 65_536
_MAX_NESTING = 200


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
        _in_range("max_chars", self.max_chars, 200, 20_000)
        _in_range("overlap_chars", self.overlap_chars, 0, self.max_chars // 2)
        object.__setattr__(self, "windows", tuple(self.windows))
        for window in self.windows:
            _in_range("windows", window, 2, 100_000)
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


def tiny(options: SplitOptions) -> int:
    """Return the length in characters below which a passage is too small to stand alone."""
    return options.max_chars // 6


class Lines:
    """The lines of a text: tells the 1-based line of an offset, and the offset of a line."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]
        if len(self.starts) > 1 and self.starts[-1] == len(text):
            self.starts.pop()  # a final newline ends the last line and begins none

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, offset: int) -> int:
        """Return the 1-based line that holds the character at an offset."""
        return bisect_right(self.starts, offset)

    def start(self, line: int) -> int:
        """Return the offset at which a 1-based line begins."""
        return self.starts[line - 1]


def split_section(
    text: str,
    start_line: int,
    headings: tuple[str, ...],
    options: SplitOptions,
    *,
    kind: Kind = "text",
    language: str | None = None,
) -> list[Passage]:
    """Return the passages of one section, in order.

    Every passage is a substring of `text` of at most `max_chars` characters. Blank lines before it and blank
    characters after it are left out; nothing else is.

    Args:
        text: The section, with its newlines as in the source.
        start_line: 1-based line of the source at which it begins.
        headings: Titles above it, outermost first.
        options: How to cut.
        kind: What the cuts respect: sentences and paragraphs, Markdown blocks, or the syntax of `language`.
        language: Name of a grammar for `kind="code"`; without one the text is cut as plain text.
    Raises:
        InvalidInput: If the text has a lone surrogate, which no encoding can store.
    """
    try:
        spans = _spans(text, options, kind, language)
    except UnicodeEncodeError as error:
        raise InvalidInput("text has a lone surrogate; it must be valid Unicode", field="text") from error
    lines = Lines(text)
    passages: list[Passage] = []
    for start, end in spans:
        piece = text[start:end].rstrip()
        if not piece.strip():
            continue
        blank = len(piece) - len(piece.lstrip())
        newlines = list(_NEWLINE.finditer(piece, 0, blank))
        begin = newlines[-1].end() if newlines else 0
        passages.append(
            Passage(
                text=piece[begin:],
                start_line=start_line + lines.at(start + begin) - 1,
                end_line=start_line + lines.at(start + len(piece) - 1) - 1,
                headings=headings,
            )
        )
    return passages


def _spans(text: str, options: SplitOptions, kind: Kind, language: str | None) -> list[tuple[int, int]]:
    if len(text) <= options.max_chars:
        text.encode()  # the same complaint about surrogates as from the splitter
        return [(0, len(text))]
    nested = kind == "code" and _nested(text) > _MAX_NESTING
    splitter = _splitter("text" if nested else kind, language, options.max_chars, options.overlap_chars)
    spans = [
        (begin + start, begin + start + len(piece))
        for begin, end in _blocks(text)
        for start, piece in splitter.chunk_indices(text[begin:end])
    ]
    return spans if options.overlap_chars else _joined(text, spans, options)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a text that are split each for itself: at most 64 KiB, cut behind a line or word."""
    begin = 0
    while len(text) - begin > _BLOCK_CHARS:
        end = begin + _BLOCK_CHARS
        for mark in ("\n\n", "\n", " "):
            if (found := text.rfind(mark, begin + _BLOCK_CHARS // 2, end)) >= 0:
                end = found + len(mark)
                break
        else:
            end -= text[end - 1 : end + 1] == "\r\n"
        yield begin, end
        begin = end
    yield begin, len(text)


def _nested(text: str) -> int:
    """Return how deep brackets nest."""
    depth = deepest = 0
    for match in _BRACKET.finditer(text):
        depth += 1 if match.group() in "([{" else -1
        deepest = max(deepest, depth)
    return deepest


def _joined(text: str, spans: list[tuple[int, int]], options: SplitOptions) -> list[tuple[int, int]]:
    """Return adjacent spans with tiny ones joined to a neighbour, each line's indentation kept with the line."""
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        if kept:
            before, middle = kept[-1]
            small = min(middle - before, end - start) < tiny(options)
            if small and end - before <= options.max_chars:
                kept[-1] = (before, end)
                continue
            indent = _INDENT.search(text, before, middle)
            if indent and indent.start() > before and end - indent.start() <= options.max_chars:
                kept[-1] = (before, indent.start())
                kept.append((indent.start(), end))
                continue
        kept.append((start, end))
    return kept


@lru_cache(maxsize=64)
def _splitter(kind: Kind, language: str | None, max_chars: int, overlap: int) -> Any:
    from semantic_text_splitter import CodeSplitter, MarkdownSplitter, TextSplitter

    if kind == "code" and (found := grammar(language)) is not None:
        return CodeSplitter(found, max_chars, overlap=overlap, trim=False)
    chosen = MarkdownSplitter if kind == "markdown" else TextSplitter
    return chosen(max_chars, overlap=overlap, trim=False)

"""Splits one section of a text into passages of limited size, with exact line numbers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal

from graphpalace.domain.drawers.document import Passage
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.errors import InvalidInput
from graphpalace.ingest.syntax import grammar, syntax_tree
from graphpalace.ingest.tables import Table, markdown_tables, table_passages

Kind = Literal["text", "markdown", "code"]

# Lines end as in text editors; str.splitlines would also split at form feeds and Unicode separators.
_NEWLINE = re.compile(r"\r\n|\n|\r")
_INDENT = re.compile(r"(?<=[\n\r])[ \t]+\Z")
_BREAKS = (re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)+"), _NEWLINE, re.compile(r"[.!?]\s+"))
_BRACKET = re.compile(r"[()\[\]{}]")

# The time of the splitters grows faster than the length of a text and the depth of a syntax tree.
_BLOCK_CHARS = 65_536
_MAX_NESTING = 200


def least_chars(options: SplitOptions) -> int:
    """Return the length in characters below which a passage is too small to stand alone."""
    return options.max_chars // 6


class LineIndex:
    """The lines of a text, which map an offset to its 1-based line, and a line to its offset."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]
        if len(self.starts) > 1 and self.starts[-1] == len(text):
            self.starts.pop()  # a final newline does not start another line

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
    tables: Sequence[Table] | None = None,
) -> list[Passage]:
    """Return the passages of one section, in order.

    Every passage is a substring of `text` of at most `max_chars` characters, below the head of the table that it
    continues. Only blank lines before a passage and blank characters after it are left out.

    Args:
        text: The section, with its newlines as in the source.
        start_line: 1-based line of the source at which the section starts.
        headings: Titles above it, outermost first.
        options: How to split.
        kind: What the splits respect: sentences and paragraphs, Markdown blocks, or the syntax of `language`.
        language: Name of a grammar for `kind="code"`; without one, the text is split as plain text.
        tables: The tables of the section, ascending; None: those of Markdown, if that is its kind.
    Raises:
        InvalidInput: If the text has a lone surrogate, which no encoding can store.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("text has a lone surrogate; it must be valid Unicode", field="text") from error
    lines = LineIndex(text)
    if len(text) <= options.max_chars:
        tables = ()
    elif tables is None:
        tables = markdown_tables(text) if kind == "markdown" else ()
    passages: list[Passage] = []
    for start, end, table in _around_tables(len(text), tables, options):
        if table is not None:
            passages += table_passages(text, table, start, end, options, line_at=lines.at)
            continue
        for begin, stop in _spans(text[start:end], options, kind, language):
            piece = text[start + begin : start + stop].rstrip()
            if piece.strip():
                blank = len(piece) - len(piece.lstrip())
                newlines = list(_NEWLINE.finditer(piece, 0, blank))
                first = newlines[-1].end() if newlines else 0
                at = start + begin
                passages.append(Passage(piece[first:], lines.at(at + first), lines.at(at + len(piece) - 1)))
    above = start_line - 1
    return [
        replace(passage, start_line=passage.start_line + above, end_line=passage.end_line + above, headings=headings)
        for passage in passages
    ]


def _around_tables(
    length: int, tables: Sequence[Table], options: SplitOptions
) -> Iterator[tuple[int, int, Table | None]]:
    """Yield adjacent parts of a text: each table, and what stands between them.

    A few words before a table belong to its part, and so do a few after the last one. Tiny tables are like other text.
    """
    least = least_chars(options)
    large = [table for table in tables if table.end - table.start >= least]
    at = 0
    for table in large:
        begin = at if table.start - at < least else table.start
        end = length if table is large[-1] and length - table.end < least else table.end
        if begin > at:
            yield at, begin, None
        yield begin, end, table
        at = end
    if at < length:
        yield at, length, None


def _spans(text: str, options: SplitOptions, kind: Kind, language: str | None) -> list[tuple[int, int]]:
    if len(text) <= options.max_chars:
        return [(0, len(text))]
    nested = kind == "code" and _nested(text) > _MAX_NESTING
    spans: list[tuple[int, int]] = []
    for begin, end in _blocks(text):
        block = text[begin:end]
        # The splitter parses too, and does not give up.
        plain = nested or (kind == "code" and syntax_tree(block.encode(), language) is None)
        splitter = _splitter("text" if plain else kind, language, options.max_chars, options.overlap_chars)
        spans += [(begin + start, begin + start + len(piece)) for start, piece in splitter.chunk_indices(block)]
    if options.overlap_chars:
        return spans
    return _joined(text, _balanced(text, _joined(text, spans, options), options), options)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans of at most 64 KiB, each ending after a line or word, which are split one by one."""
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
    """Return the nesting depth of brackets."""
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
            small = min(middle - before, end - start) < least_chars(options)
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


def _balanced(text: str, spans: list[tuple[int, int]], options: SplitOptions) -> list[tuple[int, int]]:
    """Return adjacent spans in which a tiny one and its neighbour, too long to be joined, are divided in the middle."""
    even: list[tuple[int, int]] = []
    for start, end in spans:
        if even:
            before, middle = even[-1]
            small = min(middle - before, end - start) < least_chars(options)
            if small and (better := _middle(text, before, end, options)) is not None:
                even[-1] = (before, better)
                even.append((better, end))
                continue
        even.append((start, end))
    return even


def _middle(text: str, start: int, end: int, options: SplitOptions) -> int | None:
    """Return where a text is best divided: at the blank line, line or sentence nearest to its middle."""
    low, high = (
        max(start + least_chars(options), end - options.max_chars),
        min(end - least_chars(options), start + options.max_chars),
    )
    for mark in _BREAKS:
        found = [match.end() for match in mark.finditer(text, start, end) if low <= match.end() <= high]
        if found:
            return min(found, key=lambda at: abs(2 * at - start - end))
    return None


@lru_cache(maxsize=64)
def _splitter(kind: Kind, language: str | None, max_chars: int, overlap: int) -> Any:
    from semantic_text_splitter import CodeSplitter, MarkdownSplitter, TextSplitter

    if kind == "code" and (found := grammar(language)) is not None:
        return CodeSplitter(found, max_chars, overlap=overlap, trim=False)
    chosen = MarkdownSplitter if kind == "markdown" else TextSplitter
    return chosen(max_chars, overlap=overlap, trim=False)

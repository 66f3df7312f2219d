"""Splits tables between rows, so that each passage knows its columns: the head of the table is repeated above its rows.

A row that is too long for that, and a row below a head that is too long, becomes lines of the form `column: value`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from graphpalace.domain.drawers.document import Passage
from graphpalace.domain.drawers.files import SplitOptions

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_MOST_LABEL_CHARS = 80
_NEWLINE = re.compile(r"\r\n|\n|\r")
# The line between head and rows.
_RULE = re.compile(r"^[ \t>]*+(?:\|[ \t]*+)?:?-++:?[ \t]*+\|[ \t|:\r-]*+$", re.MULTILINE)
_BAR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Table:
    """A table in a text.

    Attributes:
        start: Offset of its first character.
        rows: Offset at which each row begins, ascending, at least one. What stands before the first is the head.
        end: Offset after its last character.
        columns: Their names; () for a table without a head.
        cells: Returns the cells of a row.
    """

    start: int
    rows: tuple[int, ...]
    end: int
    columns: tuple[str, ...]
    cells: Callable[[str], list[str]]

    def moved(self, by: int) -> Table:
        """Return the table at another offset."""
        return replace(self, start=self.start + by, rows=tuple(row + by for row in self.rows), end=self.end + by)


def table_passages(
    text: str, table: Table, start: int, end: int, options: SplitOptions, *, line_at: Callable[[int], int]
) -> Iterator[Passage]:
    """Yield the passages of a table, in order. Their lines are those of their rows, not of the repeated head.

    Args:
        text: The text with the table.
        table: The table.
        start: Offset of the first passage, at most that of the table. What stands between belongs to the first passage.
        end: Offset after the last passage, at least that of the table.
        options: How to split.
        line_at: Returns the 1-based line of an offset.
    """
    head = text[table.start : table.rows[0]]
    wide = len(head) > options.max_chars // 3
    begin, prefix = start, ""
    for row, row_end in zip(table.rows, (*table.rows[1:], table.end), strict=True):
        too_long = wide or len(head) + row_end - row > options.max_chars
        if begin < row and (too_long or len(prefix) + row_end - begin > options.max_chars):
            yield from _passages(text, prefix, begin, row, options, line_at)
            begin, prefix = row, head
        if too_long:
            lines = line_at(row), line_at(row + len(text[row:row_end].rstrip()) - 1)
            for piece in _labelled(table, text[row:row_end], options.max_chars):
                yield Passage(piece, *lines)
            begin = row_end
    last = "" if begin >= table.end else prefix
    yield from _passages(text, last, begin, end, options, line_at)


def _passages(
    text: str, prefix: str, begin: int, end: int, options: SplitOptions, line_at: Callable[[int], int]
) -> Iterator[Passage]:
    """Yield a piece of the text below a prefix: one passage, unless a head alone is longer than a passage may be."""
    piece = text[begin:end].rstrip()
    first = begin + len(piece) - len(piece.lstrip("\r\n"))
    if piece.strip():
        lines = line_at(first), line_at(begin + len(piece) - 1)
        for part in _parts(prefix + text[first : begin + len(piece)], options.max_chars):
            yield Passage(part, *lines)


def _labelled(table: Table, row: str, most: int) -> Iterator[str]:
    """Yield the cells of a row that are not empty, each after the name of its column, in pieces of limited length.

    Each piece after the first begins with the first cell again, if that is short, so that the row can be told.
    """
    fields: list[str] = []
    for number, cell in enumerate(table.cells(row)):
        name = " ".join(table.columns[number].split()) if number < len(table.columns) else ""
        label = f"{name[:_MOST_LABEL_CHARS] or f'column {number + 1}'}: "
        fields += [label + part for part in _parts(cell.strip(), most // 2)]
    if not fields:
        return
    key = f"{fields[0]}\n" if len(fields[0]) <= most // 6 else ""
    piece = ""
    for field in fields:
        if piece and len(piece) + len(field) > most:
            yield piece.rstrip("\n")
            piece = key
        piece += f"{field}\n"
    yield piece.rstrip("\n")


def _parts(text: str, most: int) -> Iterator[str]:
    """Yield the pieces of a text, each at most so long and ending at a blank if there is one in its second half."""
    while len(text) > most:
        cut = max(text.rfind(blank, most // 2, most) for blank in " \n")
        piece, text = (text[:cut], text[cut + 1 :]) if cut > 0 else (text[:most], text[most:])
        yield piece
    if text:
        yield text


def markdown_tables(text: str) -> list[Table]:
    """Return the tables that have rows, in order, each with the names of its columns.

    >>> table, = markdown_tables("| a | b |\\n|---|---|\\n| 1 | 2 |\\n")
    >>> table.columns, table.rows, table.cells("| 1 | 2 |")
    (('a', 'b'), (20,), ['1', '2'])
    """
    if not _RULE.search(text):  # most texts need no second parser
        return []
    starts = [0, *(match.end() for match in _NEWLINE.finditer(text)), len(text)]
    tables = []
    for token in _parser().parse(text):
        if token.type != "table_open" or token.map is None:
            continue
        first, after = token.map
        rows = starts[first + 2 : after]  # a head has one line, and a rule below it
        if rows:
            columns = _cells(text[starts[first] : starts[first + 1]])
            tables.append(Table(starts[first], tuple(rows), starts[after], tuple(columns), _cells))
    return tables


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("inline")


def _cells(row: str) -> list[str]:
    inner = row.strip().lstrip("> \t").removeprefix("|")
    return [cell.strip() for cell in _BAR.split(inner.removesuffix("|"))]

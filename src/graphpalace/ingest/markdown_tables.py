"""Finds the tables of a Markdown text."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from graphpalace.ingest.tables import Table

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_NEWLINE = re.compile(r"\r\n|\n|\r")
_RULE = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*\|[ \t|:\r-]*$", re.MULTILINE)  # the line between head and rows
_BAR = re.compile(r"(?<!\\)\|")


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

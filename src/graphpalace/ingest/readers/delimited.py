"""Reads tables in delimited text: CSV, TSV and their like."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mode
from typing import Literal

from graphpalace.domain.drawers.document import Document
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.split import split_section
from graphpalace.ingest.tables import Table

csv.field_size_limit(2**30)  # the library refuses fields above 128 KiB otherwise; files have a limit of their own
_DELIMITERS = "\t|;,"  # of two that fit, the one that is rarer in texts comes first
_SAMPLE = 200  # rows that tell the delimiter and the head
_MOST_LINES = 1000  # of one row; a longer one begins with a stray quotation mark
_MOST_TITLES = 20  # rows above the head, which have another number of fields
_LONGEST_NAME = 60  # characters in the name of a column
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_STATED = re.compile(r"sep=([^\r\n])(?:\r\n|\n|\r)", re.IGNORECASE)  # the line that spreadsheets read
_WORD_VALUES = frozenset({"true", "false", "yes", "no", "null", "none", "na", "n/a", "nan"})
_TABS = frozenset({".tsv", ".tab"})


def read_delimited(source: Source) -> Iterator[Document]:
    """Yield the one document of a table. It is split between rows, and each passage has the names of the columns.

    Text that is no table is split as plain text.

    Raises:
        UnreadableDocument: If the file is binary.
    """
    text = source.text()
    table = delimited_table(text, tabs=_has_tabs(source.path))
    tables = () if table is None else (table,)
    yield source.document(
        split_section(text, 1, (), source.options, tables=tables),
        media_type=delimited_media_type(source.path),
    )


def delimited_media_type(path: Path) -> str:
    """Return the media type of the document of a table."""
    return "text/tab-separated-values" if _has_tabs(path) else "text/csv"


def _has_tabs(path: Path) -> bool:
    return path.suffix.lower() in _TABS


class _Row(list[str]):
    """The fields of a row, and where it begins and ends in the text."""

    start: int
    end: int
    lines: int


def delimited_table(text: str, *, tabs: bool = False) -> Table | None:
    """Return the table that a text is; None if it has less than two columns or two rows.

    Quoted fields may contain delimiters and newlines. Quotation marks that do not match are taken as letters.

    Args:
        tabs: Whether fields are separated by tabs; else it is found out.
    """
    text_start = 0
    delimiter = "\t" if tabs else None
    if stated := _STATED.match(text):
        text_start, delimiter = stated.end(), stated[1]
    delimiter = delimiter or _delimiter(text)
    if delimiter is None:
        return None
    rows = list(_rows(text, text_start, delimiter, csv.QUOTE_MINIMAL))
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
    if any(row.lines > _MOST_LINES for row in rows) or (rows and text.count('"', rows[-1].start) % 2):
        quoting = csv.QUOTE_NONE
        rows = list(_rows(text, text_start, delimiter, quoting))
    usual = mode(len(row) for row in rows[:_SAMPLE]) if rows else 0
    # Where a delimiter ends each row, the head may do without.
    ended = all(not row[-1].strip() for row in rows[:_SAMPLE] if len(row) == usual)
    titles = next((at for at, row in enumerate(rows[:_MOST_TITLES]) if usual - ended <= len(row) <= usual), 0)
    rows = rows[titles:]
    if usual < 2 or len(rows) < 2:
        return None
    has_head = _has_head(rows[:_SAMPLE])
    body = rows[has_head:]
    return Table(
        rows[0].start,
        tuple(row.start for row in body),
        body[-1].end,
        tuple(name.strip() for name in rows[0]) if has_head else (),
        partial(_cells, delimiter=delimiter, quoting=quoting),
    )


def _delimiter(text: str) -> str | None:
    """Return the delimiter with which most rows have the same number of fields, two or more.

    One that leaves quotation marks within fields is probably a part of what they quote.
    """
    best, best_score = None, (0.0, 0)
    for delimiter in _DELIMITERS:
        rows = list(islice(_rows(text, 0, delimiter, csv.QUOTE_MINIMAL), _SAMPLE))
        fields, times = Counter(len(row) for row in rows).most_common(1)[0] if rows else (0, 0)
        whole = sum(not any(field[1:-1].count('"') % 2 for field in row) for row in rows)
        score = (times * whole / max(1, len(rows)) ** 2, fields)
        if fields > 1 and score > best_score:
            best, best_score = delimiter, score
    return best


def _rows(text: str, start: int, delimiter: str, quoting: Literal[0, 3]) -> Iterator[_Row]:
    """Yield the rows that are not blank."""
    ends = [start]

    def lines() -> Iterator[str]:
        for match in _LINE.finditer(text, start):
            ends.append(match.end())
            yield match.group()

    before = 0
    reader = csv.reader(lines(), delimiter=delimiter, quoting=quoting)
    for fields in reader:
        row = _Row(fields)
        row.start, row.end, row.lines = ends[before], ends[reader.line_num], reader.line_num - before
        before = reader.line_num
        if any(field.strip() for field in fields):
            yield row


def _cells(row: str, *, delimiter: str, quoting: Literal[0, 3]) -> list[str]:
    lines = (match.group() for match in _LINE.finditer(row))
    return next(csv.reader(lines, delimiter=delimiter, quoting=quoting), [])


def _has_head(rows: list[_Row]) -> bool:
    """Return whether the first row names the columns.

    It does not if a name is a value, such as a number, if it stands twice, or if it occurs again below. Years may name
    columns.
    """
    head = [name.strip() for name in rows[0]]
    names = [name for name in head if name]
    values = [name for name in names if _is_value(name)]
    if not names or len(set(names)) < len(names) or any(len(name) > _LONGEST_NAME for name in names):
        return False
    if values:
        years = [int(name) for name in values if re.fullmatch(r"(?:1[5-9]|20)\d\d", name)]
        return len(years) == len(values) < len(names) and years == sorted(years) and len(years) > 1
    below = [{row[column].strip() for row in rows[1:] if column < len(row)} for column in range(len(head))]
    return not any(name and name in values for name, values in zip(head, below, strict=True))


def _is_value(text: str) -> bool:
    """Return whether a text is a number, a time, an address or another value, and no name of a column."""
    if text.lower() in _WORD_VALUES or "@" in text or "://" in text:
        return True
    signs = [sign for sign in text if sign.isalnum()]
    return sum(sign.isdigit() for sign in signs) * 2 > len(signs)

"""Tables that never cut off an id, a number or a title.

If the output is not a terminal, each record is one line, so that programs can read it. In a terminal, a table is as
wide as the terminal, and texts wrap or are shortened to fit. If the table still does not fit, each record is printed
as a block of lines with one title and its value on each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from graphpalace.domain.hidden_signs import visible

_GAP = 2  # blanks between two columns
_LEAST_TEXT = 20  # a column of text is never narrower than this, in cells

Cell = str | Text


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        title: Heading of the column.
        right: Whether the values are aligned to the right, as numbers are.
        text: How the column may be made narrower: not at all (None), by wrapping, or by cutting off the end.
    """

    title: str
    right: bool = False
    text: Literal["wraps", "cut"] | None = None


def figures(*titles: str) -> list[Column]:
    """Return columns of numbers, aligned to the right."""
    return [Column(title, right=True) for title in titles]


def shortened(text: str, most_chars: int) -> str:
    """Return a text as one line of at most this many characters, with an ellipsis at the end if it was longer."""
    words = " ".join(text.split())
    return words if len(words) <= most_chars else f"{words[: most_chars - 1]}…"


def show_table(
    console: Console,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
    *,
    title: str = "",
    titles: bool = True,
    indent: int = 0,
) -> None:
    """Print records.

    Args:
        rows: Plain or styled values, one for each column. Markup in plain values is printed as it is.
        title: Title of the whole table.
        titles: Whether to show the titles of the columns.
        indent: Number of blanks before each line.
    """
    records = [[_line(cell) for cell in row] for row in rows]
    widths = [
        max([cell_len(column.title) if titles else 0, *(record[at].cell_len for record in records)])
        for at, column in enumerate(columns)
    ]
    if title:
        console.print(Text(" " * indent + title, "italic"))
    if not console.is_terminal:
        head = [Text(column.title) for column in columns]
        for record in [head, *records] if titles else records:
            cells = [_padded(cell, column, width) for cell, column, width in zip(record, columns, widths, strict=True)]
            console.file.write(" " * indent + visible((" " * _GAP).join(cells)).rstrip() + "\n")
    elif fitting := _fitted(columns, widths, console.width - indent - _GAP * (len(columns) - 1)):
        grid = _grid(columns, fitting, records, titles=titles)
        console.print(Padding(grid, (0, 0, 0, indent), expand=False), soft_wrap=False)
    else:
        _print_blocks(console, columns, records, indent=indent)


def _line(cell: Cell) -> Text:
    text = cell.copy() if isinstance(cell, Text) else Text(visible(cell))
    return Text(" ").join(text.split("\n")) if "\n" in text.plain else text


def _padded(cell: Text, column: Column, width: int) -> str:
    blanks = " " * (width - cell.cell_len)
    return blanks + cell.plain if column.right else cell.plain + blanks


def _fitted(columns: Sequence[Column], widths: Sequence[int], available: int) -> list[int] | None:
    """Return a width for each column, or None if the columns cannot fit. The widest texts are made narrower first.

    Args:
        widths: Width in cells that each column needs to show its values whole.
        available: Cells for all columns together.
    """
    fitting = list(widths)
    least = [max(cell_len(column.title), _LEAST_TEXT) for column in columns]
    texts = [at for at, column in enumerate(columns) if column.text]
    while (excess := sum(fitting) - available) > 0:
        loose = [at for at in texts if fitting[at] > least[at]]
        if not loose:
            return None
        widest = max(loose, key=lambda at: fitting[at])
        others = [fitting[at] for at in loose if fitting[at] < fitting[widest]]
        fitting[widest] = max(least[widest], fitting[widest] - excess, max(others, default=0) - 1)
    return fitting


def _grid(
    columns: Sequence[Column], widths: Sequence[int], records: Sequence[Sequence[Text]], *, titles: bool
) -> Table:
    grid = Table(box=None, header_style="bold", show_header=titles, padding=(0, _GAP, 0, 0), pad_edge=False)
    for column, width in zip(columns, widths, strict=True):
        grid.add_column(
            Text(column.title),
            justify="right" if column.right else "left",
            no_wrap=column.text != "wraps",
            overflow="ellipsis" if column.text == "cut" else "fold",
            width=width,
        )
    for record in records:
        grid.add_row(*record)
    return grid


def _print_blocks(
    console: Console, columns: Sequence[Column], records: Sequence[Sequence[Text]], *, indent: int
) -> None:
    width = max(cell_len(column.title) for column in columns)
    for number, record in enumerate(records):
        if number:
            console.print()
        for column, cell in zip(columns, record, strict=True):
            name = Text(" " * indent + column.title + " " * (width - cell_len(column.title) + _GAP), "bold")
            console.print(name + cell, soft_wrap=True)

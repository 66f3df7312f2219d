"""Tables in which no id, no figure and no title is ever cut.

Where the output is no terminal, each record is one whole line, as programs and the clipboard want it. In a terminal a
table is as wide as the terminal: texts wrap or are shortened to what is left. If even so not all fits, each record
becomes a block of lines, a title and its value on each.
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

_GAP = 2  # blanks between two columns
_LEAST_TEXT = 20  # cells below which a text is not worth a column

Cell = str | Text


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        title: Stands above it.
        right: Whether its values end below each other, as figures do.
        text: What may be done to make it narrower: nothing (None), wrap it, or cut its end off.
    """

    title: str
    right: bool = False
    text: Literal["wraps", "cut"] | None = None


def figures(*titles: str) -> list[Column]:
    """Return columns of figures."""
    return [Column(title, right=True) for title in titles]


def shortened(text: str, most_chars: int) -> str:
    """Return a text as one line, with an ellipsis where it was longer."""
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
        rows: Plain or styled values, one for each column; markup in plain ones is text.
        title: Of the whole table.
        titles: Whether the titles of the columns are shown.
        indent: Blanks before each line.
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
            console.file.write(" " * indent + (" " * _GAP).join(cells).rstrip() + "\n")
    elif fitting := _fitted(columns, widths, console.width - indent - _GAP * (len(columns) - 1)):
        grid = _grid(columns, fitting, records, titles=titles)
        console.print(Padding(grid, (0, 0, 0, indent), expand=False), soft_wrap=False)
    else:
        _print_blocks(console, columns, records, indent=indent)


def _line(cell: Cell) -> Text:
    text = cell.copy() if isinstance(cell, Text) else Text(cell)
    return Text(" ").join(text.split("\n")) if "\n" in text.plain else text


def _padded(cell: Text, column: Column, width: int) -> str:
    blanks = " " * (width - cell.cell_len)
    return blanks + cell.plain if column.right else cell.plain + blanks


def _fitted(columns: Sequence[Column], widths: Sequence[int], available: int) -> list[int] | None:
    """Return a width for each column, texts made narrower from the widest on; None if they cannot share what there is.

    Args:
        widths: In cells, as the values would have them.
        available: Cells for all columns.
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

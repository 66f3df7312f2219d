"""Tables that never cut off an id, a number or a title.

If the output is not a terminal, each record is one line, so that programs can read it. In a terminal, a table is as
wide as the terminal, and texts wrap or are shortened to fit. If the table still does not fit, each record is printed
as a block of lines with one title and its value on each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from graphpalace.domain.texts import visible
from graphpalace.serve.cli.output import Line, Part

if TYPE_CHECKING:
    from rich.console import Console

Cell = str | Line
_GAP = 2  # blanks between two columns
_LEAST_TEXT = 20  # a column of text is never narrower than this, in cells


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
    records = [[_on_one_line(cell) for cell in row] for row in rows]
    head = [Line((column.title, "bold")) for column in columns]
    shown = [head, *records] if titles else records
    widths = [max((_cells(record[at]) for record in shown), default=0) for at in range(len(columns))]
    if title:
        console.print(Line((" " * indent + title, "italic")))
    available = console.width - indent - _GAP * (len(columns) - 1)
    if not console.is_terminal:
        lines = [str(_row(record, columns, widths, indent)).rstrip() + "\n" for record in shown]
        console.file.write("".join(lines))
    elif sum(widths) <= available:
        for record in shown:
            console.print(_row(record, columns, widths, indent), soft_wrap=True)
    elif fitting := _fitted(columns, widths, available):
        _print_grid(console, columns, fitting, records, titles=titles, indent=indent)
    else:
        _print_blocks(console, columns, records, indent=indent)


def _on_one_line(cell: Cell) -> Line:
    parts = (
        [(cell, "")]
        if isinstance(cell, str)
        else [(part, "") if isinstance(part, str) else part for part in cell.parts]
    )
    return Line(*((visible(text).replace("\n", " "), style) for text, style in parts))


def _row(record: Sequence[Line], columns: Sequence[Column], widths: Sequence[int], indent: int) -> Line:
    parts: list[Part] = [" " * indent]
    for cell, column, width in zip(record, columns, widths, strict=True):
        blanks = " " * (width - _cells(cell))
        parts += [blanks, *cell.parts, " " * _GAP] if column.right else [*cell.parts, blanks, " " * _GAP]
    return Line(*parts[:-1])


def _cells(line: Line) -> int:
    """Return how many cells of a terminal a line takes: some signs take two, and some take none."""
    text = str(line)
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _fitted(columns: Sequence[Column], widths: Sequence[int], available: int) -> list[int] | None:
    """Return a width for each column, or None if the columns cannot fit. The widest texts are made narrower first.

    Args:
        widths: Width in cells that each column needs to show its values whole.
        available: Cells for all columns together.
    """
    fitting = list(widths)
    least = [max(len(column.title), _LEAST_TEXT) for column in columns]
    texts = [at for at, column in enumerate(columns) if column.text]
    while (excess := sum(fitting) - available) > 0:
        loose = [at for at in texts if fitting[at] > least[at]]
        if not loose:
            return None
        widest = max(loose, key=lambda at: fitting[at])
        others = [fitting[at] for at in loose if fitting[at] < fitting[widest]]
        fitting[widest] = max(least[widest], fitting[widest] - excess, max(others, default=0) - 1)
    return fitting


def _print_grid(
    console: Console,
    columns: Sequence[Column],
    widths: Sequence[int],
    records: Sequence[Sequence[Line]],
    *,
    titles: bool,
    indent: int,
) -> None:
    from rich.padding import Padding
    from rich.table import Table

    grid = Table(box=None, header_style="bold", show_header=titles, padding=(0, _GAP, 0, 0), pad_edge=False)
    for column, width in zip(columns, widths, strict=True):
        grid.add_column(
            column.title,
            justify="right" if column.right else "left",
            no_wrap=column.text != "wraps",
            overflow="ellipsis" if column.text == "cut" else "fold",
            width=width,
        )
    for record in records:
        grid.add_row(*record)
    console.print(Padding(grid, (0, 0, 0, indent), expand=False), soft_wrap=False)


def _print_blocks(
    console: Console, columns: Sequence[Column], records: Sequence[Sequence[Line]], *, indent: int
) -> None:
    width = max(len(column.title) for column in columns)
    for number, record in enumerate(records):
        if number:
            console.print()
        for column, cell in zip(columns, record, strict=True):
            title = " " * indent + column.title.ljust(width + _GAP)
            console.print(Line((title, "bold"), *cell.parts), soft_wrap=True)

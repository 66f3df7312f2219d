"""Collects the text that readers extract from formats without lines, such as HTML and DOCX."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.domain.drawers.document import Passage
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.ingest.sections import cut, sections_from
from graphpalace.ingest.tables import Table


class ExtractedText:
    """Collects lines and headings in reading order. A section is the text between two headings."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._above: list[tuple[int, str]] = []
        self._starts: list[tuple[int, tuple[str, ...]]] = []
        self._tables: list[Table] = []
        self._gap = False
        self.first_heading: str | None = None

    def line(self, text: str) -> None:
        """Add one line, without its newline."""
        if self._gap and self._length:
            self._add("\n")
        self._gap = False
        self._add(text + "\n")

    def gap(self) -> None:
        """Leave one blank line before the next line. Calling it several times has the same effect as once."""
        self._gap = True

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """Add a table whose first row names the columns: a line for each row, with bars between the cells."""
        self.gap()
        ends = []
        for row in rows:
            self.line(" | ".join(row).rstrip())
            ends.append(self._length)
        self.gap()
        if len(rows) > 1:
            start = ends[0] - len(self._parts[-len(rows)])
            self._tables.append(Table(start, tuple(ends[:-1]), ends[-1], tuple(rows[0]), _cells))

    def heading(self, level: int, text: str) -> None:
        """Add a heading as a line of its own and start its section. The outermost headings have the lowest level."""
        while self._above and self._above[-1][0] >= level:
            self._above.pop()
        self._above.append((level, text))
        self.first_heading = self.first_heading or text
        self._gap = False
        if self._length:
            self._add("\n")
        self._starts.append((self._length, tuple(name for _, name in self._above)))
        self._add(text + "\n")
        self._gap = True

    @property
    def text(self) -> str:
        """All of the collected text."""
        return "".join(self._parts)

    def passages(self, options: SplitOptions) -> tuple[Passage, ...]:
        """Split the collected text into passages. Line numbers count the lines of the collected text."""
        text = self.text
        return cut(text, sections_from(self._starts, len(text)), options, tables=self._tables)

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def _cells(row: str) -> list[str]:
    return row.rstrip().split(" | ")

"""Splits a text with known structure into sections, then by size, and collects one from HTML and DOCX."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from graphpalace.domain.drawers.document import Passage
from graphpalace.domain.drawers.drawer_text import has_letters
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.ingest.split import Kind, LineIndex, least_chars, split_section
from graphpalace.ingest.tables import Table

_CODE_COMMENT = re.compile(
    r"/\*.*?\*/|<!--.*?-->|^[ \t]*(?://|--|;|%|#(?=[\s#!=*-]|$))[^\n]*$", re.DOTALL | re.MULTILINE
)
_MARKUP = re.compile(
    r"""
      <!--.*?-->                                    # a comment
    | <a\b[^>]*>\s*</a>|<a\b[^>]*/>                 # an anchor
    | ^[ \t]*\.\.[ ]_[^\n]*$                        # a label of reStructuredText
    | ^[ ]{0,3}\#{1,6}(?:[ \t][^\n]*)?$             # a heading
    | ^[^\n]+\n[=\-~^"'*+\#]{3,}[ \t]*$             # a heading with a line under it
    | ^[ \t]*(?:[-*+]|\d+[.)])?[ \t]*\[[^\]\n]*\]\([^)\n]*\)[ \t]*$   # a line with a link alone
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a text.

    Attributes:
        start: Offset of its first character.
        end: Offset after its last character, >= start.
        headings: Titles above it and its own title, outermost first.
        has_children: Whether the next section is a subsection, so that this one must not join the section before it.
    """

    start: int
    end: int
    headings: tuple[str, ...] = ()
    has_children: bool = False


def sections_from(starts: Iterable[tuple[int, tuple[str, ...]]], length: int) -> list[Section]:
    """Return the sections that start at the given offsets and together cover the whole text.

    Args:
        starts: Offset and headings of each section, ascending. Text before the first has no headings.
        length: Length of the text in characters.
    """
    marks = list(starts)
    if not marks or marks[0][0] > 0:
        marks.insert(0, (0, ()))
    nexts = [*marks[1:], (length, ())]
    return [
        Section(start, end, headings, len(after) > len(headings) and after[: len(headings)] == headings)
        for (start, headings), (end, after) in zip(marks, nexts, strict=True)
    ]


def cut(
    text: str,
    sections: Iterable[Section],
    options: SplitOptions,
    *,
    kind: Kind = "text",
    language: str | None = None,
    tables: Sequence[Table] | None = None,
) -> tuple[Passage, ...]:
    """Return the passages of a text whose sections are known.

    Args:
        text: The whole text.
        sections: Ascending and adjacent.
        options: How to cut.
        kind: As in `split_section`.
        language: As in `split_section`.
        tables: The tables of the text, ascending, each within a section; None: as in `split_section`.
    """
    lines = LineIndex(text)
    return tuple(
        passage
        for section in joined(text, sections, options, code=kind == "code")
        for passage in split_section(
            text[section.start : section.end],
            lines.at(section.start),
            section.headings,
            options,
            kind=kind,
            language=language,
            tables=None if tables is None else _within(section, tables),
        )
    )


def _within(section: Section, tables: Sequence[Table]) -> list[Table]:
    """Return the tables in a section, as they lie in its text."""
    first = bisect_left(tables, section.start, key=lambda table: table.start)
    after = bisect_left(tables, section.end, key=lambda table: table.start)
    return [table.moved(-section.start) for table in tables[first:after]]


def joined(text: str, sections: Iterable[Section], options: SplitOptions, *, code: bool = False) -> Iterator[Section]:
    """Yield the sections, with tiny neighbours under the same parent joined while they fit into `max_chars`.

    Two neighbours are joined if at least one is tiny and, if each has its own heading, the other is at most half of
    `max_chars` long. Joined sections keep the headings they share; in code, a piece outside of definitions takes the
    headings of the definition that it is joined to. Blank sections are left out. Bare sections, such as a heading
    without a body, are joined first, whatever their length.

    Args:
        code: Whether the text is source code.
    """
    group: Section | None = None
    for section in _led(text, sections, options, code=code):
        if group is None:
            group = section
        elif _belong_together(group, section, options):
            shared = _shared(group.headings, section.headings)
            deeper = max(group.headings, section.headings, key=len)
            nested = code and len(shared) == min(len(group.headings), len(section.headings))
            group = Section(group.start, section.end, deeper if nested else shared)
        else:
            yield group
            group = section
    if group is not None:
        yield group


def _led(text: str, sections: Iterable[Section], options: SplitOptions, *, code: bool) -> list[Section]:
    """Return the sections that are not blank, with each bare one at the beginning of the next, or else of the last.

    A tiny bare section is joined even if the next one is then too long and has to be split.
    """
    led: list[Section] = []
    bare: Section | None = None
    for section in sections:
        piece = text[section.start : section.end]
        if not piece.strip():
            continue
        joins = bare is not None and _fits(bare, section, options)
        if bare is not None and not joins:
            _follow(led, bare, options)
        start = bare.start if bare is not None and joins else section.start
        whole = replace(section, start=start)
        if len(piece) <= options.max_chars and is_bare(piece, code=code):
            bare = whole
        else:
            led.append(whole)
            bare = None
    if bare is not None:
        _follow(led, bare, options)
    return led


def _fits(bare: Section, section: Section, options: SplitOptions) -> bool:
    tiny = bare.end - bare.start < least_chars(options)
    return tiny or section.end - bare.start <= options.max_chars


def _follow(led: list[Section], bare: Section, options: SplitOptions) -> None:
    """Add a bare section that leads no other: to the one before it, if both fit."""
    if led and bare.end - led[-1].start <= options.max_chars:
        led[-1] = replace(led[-1], end=bare.end)
    else:
        led.append(bare)


def _belong_together(group: Section, section: Section, options: SplitOptions) -> bool:
    smaller, larger = sorted((group.end - group.start, section.end - section.start))
    shared = len(_shared(group.headings, section.headings))
    deeper = max(len(group.headings), len(section.headings))
    if smaller >= least_chars(options) or smaller + larger > options.max_chars or shared < deeper - 1:
        return False
    if shared == min(len(group.headings), len(section.headings)):  # one stands under the other
        return not section.has_children or shared == len(group.headings)
    # A large section would lose its own heading to a tiny neighbour.
    return not section.has_children and larger <= options.max_chars // 2


def _shared(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    return tuple(left for left, _ in pairs)


def is_bare(text: str, *, code: bool) -> bool:
    """Return whether nothing with letters is left without headings, comments, anchors and lone links.

    Args:
        code: Whether the text is source code, in which `#` begins a comment and not a heading.

    >>> is_bare("## Licence\\n<a id='licence'></a>\\n", code=False), is_bare("# Adds.\\n", code=True)
    (True, True)
    >>> is_bare("## Licence\\n\\nMIT\\n", code=False)
    False
    """
    # Line ends of other systems would hide the ends of lines from the patterns.
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    if code:
        return not has_letters(_CODE_COMMENT.sub("", plain))
    return not has_letters(_MARKUP.sub("", plain))


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

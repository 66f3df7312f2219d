"""Reads Markdown. A section is the text between two headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from graphpalace.domain.document import Document
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.sections import cut, sections_from
from graphpalace.ingest.split import LineIndex

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---[ \t]*(?:\r\n|\n|\r)(?:.*?(?:\r\n|\n|\r))??(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)", re.S)


def read_markdown(source: Source) -> Iterator[Document]:
    """Yield the one document of a Markdown file; its title is the first heading.

    Raises:
        UnreadableDocument: If the file is binary.
    """
    text = source.text()
    lines = LineIndex(text)
    above: list[tuple[int, str]] = []
    starts: list[tuple[int, tuple[str, ...]]] = []
    for line, level, heading in headings(text):
        while above and above[-1][0] >= level:
            above.pop()
        above.append((level, heading))
        starts.append((lines.start(line), tuple(name for _, name in above)))
    title = next((names[-1] for _, names in starts), None)
    sections = sections_from(starts, len(text))
    yield source.document(cut(text, sections, source.options, kind="markdown"), media_type="text/markdown", title=title)


@cache
def _blocks() -> MarkdownIt:
    """Return a parser of blocks only. The text within blocks is parsed later, and only for headings."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").disable("inline")


def headings(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the 1-based line, the level (1 to 6) and the text without markup of each heading, in order.

    Empty headings and those within quotes and lists are left out.
    """
    # Front matter would be parsed as a rule and a heading. It is blanked, keeping its lines so that numbers stay right.
    body = _FRONT_MATTER.sub(lambda match: re.sub(r"[^\r\n]", "", match.group()), text)
    parser, references = _blocks(), {}
    for opening, inline in pairwise(parser.parse(body, references)):
        if opening.type != "heading_open" or opening.level or opening.map is None:
            continue
        words: list[Token] = []
        parser.inline.parse(inline.content, parser, references, words)
        name = "".join(" " if word.type.endswith("break") else word.content for word in words).strip()
        if name:
            yield opening.map[0] + 1, int(opening.tag[1:]), name

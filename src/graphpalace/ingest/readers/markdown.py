"""Reads Markdown. A section is the text between two headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from graphpalace.domain.drawers.document import Document
from graphpalace.ingest.readers.front_matter import front_matter
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.sections import cut, sections_from
from graphpalace.ingest.split import LineIndex, split_section

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_NOT_A_NEWLINE = re.compile(r"[^\r\n]")
_VAULTS = (".obsidian", ".foam", ".zk", "logseq")  # folders that programs for notes keep in theirs


def read_markdown(source: Source) -> Iterator[Document]:
    """Yield the one document of a Markdown file; its title is that of the front matter, or else the first heading.

    Front matter that says more than title, date, tags and aliases is a passage of its own.

    Raises:
        UnreadableDocument: If the file is binary.
    """
    text = source.text()
    lines = LineIndex(text)
    above = front_matter(text)
    parents: list[tuple[int, str]] = []
    starts: list[tuple[int, tuple[str, ...]]] = []
    for line, level, heading in headings(text, begin=above.end):
        while parents and parents[-1][0] >= level:
            parents.pop()
        parents.append((level, heading))
        starts.append((lines.start(line) - above.end, tuple(name for _, name in parents)))
    title = above.title or next((names[-1] for _, names in starts), None)
    sections = [
        replace(section, start=section.start + above.end, end=section.end + above.end)
        for section in sections_from(starts, len(text) - above.end)
    ]
    begin, end = above.kept or (0, 0)
    passages = [
        *split_section(text[begin:end], lines.at(begin), (), source.options),
        *cut(text, sections, source.options, kind="markdown"),
    ]
    yield source.document(
        [replace(passage, occurred_at=above.time) for passage in passages],
        media_type="text/markdown",
        title=title,
        tags=above.tags,
        aliases=tuple(dict.fromkeys((*above.aliases, *_page(source, title)))),
    )


def _page(source: Source, title: str | None) -> tuple[str, ...]:
    """Return the name of the file if links know its page by that: if it lies in a vault, and has another title."""
    stem = source.stem
    in_vault = source.on_disk and any((above / name).is_dir() for above in source.path.parents for name in _VAULTS)
    return (stem,) if in_vault and title != stem else ()


@cache
def _blocks() -> MarkdownIt:
    """Return a parser of blocks only. The text within blocks is parsed later, and only for headings."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").disable("inline")


def headings(text: str, *, begin: int = 0) -> Iterator[tuple[int, int, str]]:
    """Yield the 1-based line, the level (1 to 6) and the text without markup of each heading, in order.

    Empty headings and those within quotes and lists are left out.

    Args:
        begin: Offset after the front matter, which would be parsed as a rule and a heading.
    """
    body = _NOT_A_NEWLINE.sub("", text[:begin]) + text[begin:]  # its lines stay, so that numbers are right
    parser, references = _blocks(), {}
    for opening, inline in pairwise(parser.parse(body, references)):
        if opening.type != "heading_open" or opening.level or opening.map is None:
            continue
        words: list[Token] = []
        parser.inline.parse(inline.content, parser, references, words)
        name = "".join(" " if word.type.endswith("break") else word.content for word in words).strip()
        if name:
            yield opening.map[0] + 1, int(opening.tag[1:]), name

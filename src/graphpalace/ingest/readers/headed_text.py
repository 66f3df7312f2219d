"""Reads texts whose headings are lines among others: plain text with chapters, and reStructuredText."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from graphpalace.domain.drawers.document import Document
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.sections import cut, sections_from
from graphpalace.ingest.split import LineIndex

_LEAST = 3  # lines of this form in a text, for them to be chapters
_MOST_TITLE = 80  # characters
# A line by itself: Chapter 1, CHAPTER IV. The sea, Kapitel 3: Am Meer. A table of contents has no blank lines between.
_NUMBER = r"(?:\d{1,3}|[IVXLC]{1,8}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_CHAPTER = re.compile(
    rf"(?:\A|\n[ \t]*\n)[ \t]*(?P<line>(?:chapter|kapitel|chapitre|cap[ií]tulo|capitolo|hoofdstuk|глава)[ \t]+{_NUMBER}"
    rf"\b[ \t]*[.:)\u2013\u2014-]*[ \t]*(?P<title>[^\n]{{0,{_MOST_TITLE}}}?))[ \t]*(?=\n|\Z)",
    re.IGNORECASE,
)
_TITLE = re.compile(rf"\n(?:[ \t]*\n){{0,2}}[ \t]*(?P<title>\w[^\n]{{0,{_MOST_TITLE}}}?[^\s.,;])[ \t]*(?=\n[ \t]*\n)")
_SHOUTED = re.compile(r"[^\W\d_]{2,}")
_MEDIA_TYPES = {
    ".css": "text/css",
    ".json": "application/json",
    ".sql": "application/sql",
    ".toml": "application/toml",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}


def read_plain(source: Source) -> Iterator[Document]:
    """Yield the one document of a text file, split at paragraphs, lines and sentences, and at the chapters of a book.

    Raises:
        UnreadableDocument: If the file is binary.
    """
    media_type = plain_media_type(source.path)
    text = source.text()
    starts = [(start, (title,)) for start, title in chapters(text)] if media_type == "text/plain" else []
    passages = cut(text, sections_from(starts, len(text)), source.options)
    yield source.document(passages, media_type=media_type)


def plain_media_type(path: Path) -> str:
    """Return the media type of the document of a text file."""
    return _MEDIA_TYPES.get(path.suffix.lower(), "text/plain")


def chapters(text: str) -> list[tuple[int, str]]:
    """Return the offset and the title of each chapter of a text; none if fewer than three lines begin one.

    Args:
        text: With line ends of any kind.
    """
    found = list(_chapters(text.replace("\r\n", " \n").replace("\r", "\n")))
    return found if len(found) >= _LEAST else []


def _chapters(text: str) -> Iterator[tuple[int, str]]:
    for match in _CHAPTER.finditer(text):
        title = match["title"].strip()
        if not title and (below := _TITLE.match(text, match.end())) is not None:
            title = below["title"]
        number = match["line"][: match.start("title") - match.start("line")].strip(" \t.:)\u2013\u2014-")
        yield match.start("line"), f"{_calm(number)}: {_calm(title)}" if title else _calm(number)


def _calm(title: str) -> str:
    """Return a title in usual letters if all of it is in capitals; Roman numerals stay."""
    words = [word for word in _SHOUTED.findall(title) if not re.fullmatch(r"[IVXLC]+", word)]
    if not words or not all(word.isupper() for word in words):
        return title
    return re.sub(r"\w+", lambda word: word[0] if re.fullmatch(r"[IVXLC]+", word[0]) else word[0].capitalize(), title)


# Characters that end a line for docutils but not in editors.
_ODD_BREAKS = re.compile("[\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")

_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "doctitle_xform": False,
    "report_level": 5,
    "halt_level": 6,
    "warning_stream": False,
}


def read_rst(source: Source) -> Iterator[Document]:
    """Yield the one document of a reStructuredText file; its title is the first section's.

    Directives are never run, so none includes a file or inserts raw output. Text that docutils cannot parse is split
    without sections.

    Raises:
        UnreadableDocument: If the file is binary.
    """
    text = source.text()
    lines = LineIndex(text)
    try:
        starts = [(lines.start(line), names) for line, names in sorted(_titles(text))]
    except Exception:  # docutils lets errors of directives through, although the text is readable
        starts = []
    title = next((names[-1] for _, names in starts if names), None)
    yield source.document(
        cut(text, sections_from(starts, len(text)), source.options),
        media_type="text/prs.fallenstein.rst",
        title=title,
    )


def _titles(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the 1-based line at which each section begins, its overline included, and the titles down to it."""
    from docutils import nodes
    from docutils.core import publish_doctree

    lines = re.split(r"\r\n|\n|\r", text)
    tree = publish_doctree(_ODD_BREAKS.sub(" ", text), settings_overrides=_SETTINGS)
    for section in tree.findall(nodes.section):
        underline = section.line
        if underline is None or underline < 2:
            continue
        # docutils reports the line of the underline.
        overlined = underline > 2 and lines[underline - 3].rstrip() == lines[underline - 1].rstrip() != ""
        yield underline - (2 if overlined else 1), tuple(_path(section))


def _path(section: object) -> Iterator[str]:
    from docutils import nodes

    above: list[str] = []
    node = section
    while isinstance(node, nodes.section):
        title = node.next_node(nodes.title)
        above.append(" ".join(title.astext().split()) if title is not None else "")
        node = node.parent
    yield from reversed(above)

"""Reads reStructuredText. A section is the text between two titles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphpalace.domain.drawers.document import Document
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.sections import cut, sections_from
from graphpalace.ingest.split import LineIndex

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

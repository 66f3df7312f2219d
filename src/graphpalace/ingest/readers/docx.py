"""Reads DOCX files: paragraphs and tables in the order of the document. A section is the text between two headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from graphpalace.domain.drawers.document import Document
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.sections import ExtractedText

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
MAX_UNPACKED_BYTES = 512 * 2**20
_HEADING = re.compile(r"Heading ([1-9])")


def read_docx(source: Source) -> Iterator[Document]:
    """Yield the one document of a DOCX file; its title is the first heading.

    Line numbers count the lines of the extracted text, in which each paragraph or table row is a line.

    Raises:
        UnreadableDocument: If the file is damaged, or larger than 512 MiB when unpacked.
    """
    import docx

    try:
        with ZipFile(BytesIO(source.data)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > MAX_UNPACKED_BYTES:
            raise ValueError(f"it is {unpacked} bytes large when unpacked; the limit is {MAX_UNPACKED_BYTES}")
        text = _extracted(docx.Document(BytesIO(source.data)))
    except MemoryError:
        raise
    except Exception as error:  # python-docx raises any error on a damaged file
        raise UnreadableDocument(f"{source.path} is not a readable DOCX: {error}", path=str(source.path)) from error
    yield source.document(text.passages(source.options), media_type=MEDIA_TYPE, title=text.first_heading)


def _extracted(document: Any) -> ExtractedText:
    from docx.oxml.ns import qn
    from docx.table import Table
    from docx.text.paragraph import Paragraph

    out = ExtractedText()
    levels: dict[str | None, int | None] = {}
    # python-docx's own iterator uses an XPath union, which takes quadratic time in the number of blocks.
    for element in document.element.body.iterchildren(qn("w:p"), qn("w:tbl")):
        if element.tag == qn("w:tbl"):
            if rows := list(_rows(Table(element, document))):
                out.table(rows)
        elif len(element) and (text := (block := Paragraph(element, document)).text).strip():
            if element.style not in levels:  # python-docx searches all styles for each look-up
                levels[element.style] = _level(block)
            level = levels[element.style]
            if level is not None:
                out.heading(level, " ".join(text.split()))
                continue
            for line in text.split("\n"):
                out.line(line)
            out.gap()
    return out


def _level(paragraph: Any) -> int | None:
    name = paragraph.style.name if paragraph.style is not None else ""
    if name == "Title":
        return 0
    match = _HEADING.fullmatch(name or "")
    return int(match.group(1)) if match else None


def _rows(table: Any) -> Iterator[list[str]]:
    for row in table.rows:
        cells: list[str] = []
        seen: set[int] = set()
        for cell in row.cells:
            if id(cell._tc) in seen:  # a merged cell is listed once for each column it covers
                continue
            seen.add(id(cell._tc))
            own = " ".join(paragraph.text for paragraph in cell.paragraphs)
            inner = " ".join(" | ".join(row) for nested in cell.tables for row in _rows(nested))
            cells.append(" ".join(f"{own} {inner}".split()))
        yield cells

"""Reads PDF files: the text of each page, column by column. A passage never spans two pages."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref
from typing import Any

from graphpalace.domain.document import Document, Passage
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.hyphens import KnownWords, joined_lines
from graphpalace.ingest.readers.pdf_layout import Sign, lines_of
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.split import LineIndex, split_section

_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "ft", 0xFB06: "st"}
_QUARTER = 1.5707963


def read_pdf(source: Source) -> Iterator[Document]:
    """Yield the one document of a PDF file. Line numbers count the lines of the extracted text of all pages.

    Columns are read one after the other, tables row by row. Words that are divided at the end of a line are joined
    again. The heading of a passage is its page, for example `Page 3`. A page that is only an image has no text.

    Raises:
        UnreadableDocument: If the file is encrypted with a password, or damaged.
    """
    pages = list(_pages(source))
    known = KnownWords(pages)
    passages: list[Passage] = []
    line = 1
    for number, lines in enumerate(pages, 1):
        text = "\n".join(joined_lines(lines, known))
        # A broken character map can yield a lone surrogate, which cannot be stored.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        passages.extend(split_section(text, line, (f"Page {number}",), source.options))
        line += len(LineIndex(text))
    yield source.document(passages, media_type="application/pdf")


def _pages(source: Source) -> Iterator[list[str]]:
    """Yield the lines of each page, in reading order."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(source.data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise UnreadableDocument(
                f"{source.path} is encrypted; save it without a password", path=str(source.path)
            ) from error
        raise _damaged(source, error) from error
    try:
        for number in range(len(document)):
            page = document[number].get_textpage()
            groups = _signs(page)
            lines: list[str] = []
            for _, signs in sorted(groups.items()):
                lines += [*([""] if lines else []), *lines_of(signs)]
            page.close()
            yield lines
    except pypdfium2.PdfiumError as error:
        raise _damaged(source, error) from error
    finally:
        document.close()


def _signs(page: Any) -> dict[int, list[Sign]]:
    """Return the signs of a page with their boxes, by the quarter turns of their text, each turned upright."""
    from pypdfium2 import raw

    groups: dict[int, list[Sign]] = {}
    box = raw.FS_RECTF()
    for at in range(raw.FPDFText_CountChars(page)):
        if raw.FPDFText_IsGenerated(page, at) == 1:  # blanks and line ends that pdfium supposes
            continue
        code = raw.FPDFText_GetUnicode(page, at)
        if raw.FPDFText_IsHyphen(page, at) == 1 or code in {0xAD, 0xFFFE, 0x2010}:
            code = 0x2D
        if code < 32 and not chr(code).isspace():
            code = 0xFFFD  # a sign of a font that does not say which letter it is
        if code == 0xFFFF or not raw.FPDFText_GetLooseCharBox(page, at, byref(box)):
            continue
        turn = round(raw.FPDFText_GetCharAngle(page, at) / _QUARTER) % 4
        left, right, bottom, top = box.left, box.right, box.bottom, box.top
        if turn == 1:
            left, right, bottom, top = -top, -bottom, left, right
        elif turn == 2:
            left, right, bottom, top = -right, -left, -top, -bottom
        elif turn == 3:
            left, right, bottom, top = bottom, top, -right, -left
        groups.setdefault(turn, []).append(Sign(at, _LIGATURES.get(code) or chr(code), left, right, bottom, top))
    return groups


def _damaged(source: Source, error: Exception) -> UnreadableDocument:
    return UnreadableDocument(f"{source.path} is not a readable PDF: {error}", path=str(source.path))

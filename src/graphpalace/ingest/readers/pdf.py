"""Reads PDF files: the text of each page. A passage never spans two pages."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from graphpalace.domain.document import Document, Passage
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.split import LineIndex, split_section


def read_pdf(source: Source) -> Iterator[Document]:
    """Yield the one document of a PDF file. Line numbers count the lines of the extracted text of all pages.

    The heading of a passage is its page, for example `Page 3`. A page that is only an image has no text.

    Raises:
        UnreadableDocument: If the file is encrypted with a password, or damaged.
    """
    passages: list[Passage] = []
    line = 1
    for number, text in enumerate(_pages(source), 1):
        passages.extend(split_section(text, line, (f"Page {number}",), source.options))
        line += len(LineIndex(text))
    yield source.document(passages, media_type="application/pdf")


def _pages(source: Source) -> Iterator[str]:
    from pypdf import PasswordType, PdfReader

    try:
        reader = PdfReader(BytesIO(source.data))
        locked = reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED
    except MemoryError:
        raise
    except Exception as error:  # pypdf raises any error on a damaged file
        raise _damaged(source, error) from error
    if locked:
        raise UnreadableDocument(f"{source.path} is encrypted; save it without a password", path=str(source.path))
    try:
        for page in reader.pages:
            # A broken character map can yield a lone surrogate, which cannot be stored.
            yield page.extract_text().encode(errors="replace").decode()
    except MemoryError:
        raise
    except Exception as error:
        raise _damaged(source, error) from error


def _damaged(source: Source, error: Exception) -> UnreadableDocument:
    return UnreadableDocument(f"{source.path} is not a readable PDF: {error}", path=str(source.path))

"""Reads plain text and all text formats without a structure of their own."""

from __future__ import annotations

from collections.abc import Iterator

from graphpalace.domain.document import Document
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.split import split_section

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
    """Yield the one document of a text file, split at paragraphs, lines and sentences.

    Raises:
        UnreadableDocument: If the file is binary.
    """
    media_type = _MEDIA_TYPES.get(source.path.suffix.lower(), "text/plain")
    yield source.document(split_section(source.text(), 1, (), source.options), media_type=media_type)

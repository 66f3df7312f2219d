"""Reads tables in delimited text: CSV, TSV and their like."""

from __future__ import annotations

from collections.abc import Iterator

from graphpalace.domain.document import Document
from graphpalace.ingest.delimited import delimited_table
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.split import split_section

_TABS = frozenset({".tsv", ".tab"})


def read_delimited(source: Source) -> Iterator[Document]:
    """Yield the one document of a table. It is split between rows, and each passage has the names of the columns.

    Text that is no table is split as plain text.

    Raises:
        UnreadableDocument: If the file is binary.
    """
    text = source.text()
    tabs = source.path.suffix.lower() in _TABS
    table = delimited_table(text, tabs=tabs)
    tables = () if table is None else (table,)
    yield source.document(
        split_section(text, 1, (), source.options, tables=tables),
        media_type="text/tab-separated-values" if tabs else "text/csv",
    )

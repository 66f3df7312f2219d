"""Converts documents of a collection to the form that ingest stores, and URIs back to ids."""

from __future__ import annotations

from dataclasses import replace

from graphpalace.domain.document import Document, Passage
from graphpalace.domain.identity import text_hash
from graphpalace.domain.split_options import SplitOptions
from graphpalace.evaluation.collection import CollectionDocument
from graphpalace.ingest.split import split_section

_SCHEME = "eval:"


def ready_document(source: CollectionDocument, options: SplitOptions) -> Document:
    """Return the document as a single passage if it has an embedding; otherwise it is split like a text file."""
    return Document(
        uri=f"{_SCHEME}{source.id}",
        title=source.title,
        media_type="text/plain",
        content_hash=text_hash(source.text),
        passages=_passages(source, options),
    )


def document_of(uri: str) -> str:
    """Return the id in the collection of the document that was stored with a URI."""
    return uri.removeprefix(_SCHEME)


def _passages(source: CollectionDocument, options: SplitOptions) -> tuple[Passage, ...]:
    if not source.text.strip():
        return ()
    if source.vector is None:
        passages = split_section(source.text, 1, (), options)
        return tuple(replace(passage, occurred_at=source.occurred_at) for passage in passages)
    lines = source.text.count("\n") + 1
    return (Passage(source.text, 1, lines, occurred_at=source.occurred_at, vector=source.vector),)

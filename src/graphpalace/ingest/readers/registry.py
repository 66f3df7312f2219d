"""Chooses the reader of a file by its suffix and its content."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.errors import NotFound, UnreadableDocument
from graphpalace.ingest.readers.chats.assistants import (
    is_chatgpt,
    is_claude,
    is_open_webui,
    read_chatgpt,
    read_claude,
    read_open_webui,
)
from graphpalace.ingest.readers.chats.slack import is_slack_day, is_slack_list, read_slack_day
from graphpalace.ingest.readers.code import code_media_type, read_code
from graphpalace.ingest.readers.delimited import delimited_media_type, read_delimited
from graphpalace.ingest.readers.docx import MEDIA_TYPE as DOCX
from graphpalace.ingest.readers.docx import read_docx
from graphpalace.ingest.readers.headed_text import plain_media_type, read_plain, read_rst
from graphpalace.ingest.readers.html import read_html
from graphpalace.ingest.readers.jsonl import read_jsonl
from graphpalace.ingest.readers.mail import MEDIA_TYPE as MAIL
from graphpalace.ingest.readers.mail import is_mail, is_mailbox, read_mail, read_mailbox
from graphpalace.ingest.readers.markdown import read_markdown
from graphpalace.ingest.readers.notebook import MEDIA_TYPE as NOTEBOOK
from graphpalace.ingest.readers.notebook import read_notebook
from graphpalace.ingest.readers.pdf import read_pdf
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.syntax import LANGUAGE_OF_SUFFIX

# Code without a grammar is split at its lines, or into windows if the options set windows.
_PLAIN_CODE = (
    ".bash",
    ".bat",
    ".clj",
    ".cs",
    ".cypher",
    ".dart",
    ".ex",
    ".exs",
    ".hs",
    ".jl",
    ".kt",
    ".lua",
    ".m",
    ".php",
    ".pl",
    ".ps1",
    ".r",
    ".rb",
    ".scala",
    ".sh",
    ".sql",
    ".swift",
    ".zig",
    ".zsh",
)


def read_json(source: Source) -> Iterator[Document]:
    """Yield one document for each conversation of an export, which is recognised by its structure; else one document.

    The lists at the root of a Slack export have no document.

    Raises:
        UnreadableDocument: If the file is binary, or has the name of an export of conversations and is not valid JSON.
    """
    if source.on_disk and is_slack_list(source.path):
        return
    text = source.text()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        if source.path.name.lower().startswith("conversations"):
            raise UnreadableDocument(f"{source.path} is not valid JSON: {error}", path=str(source.path)) from error
        value = None
    if is_chatgpt(value):
        yield from read_chatgpt(source, value)
    elif is_claude(value):
        yield from read_claude(source, value)
    elif is_open_webui(value):
        yield from read_open_webui(source, value)
    elif is_slack_day(value):
        yield from read_slack_day(source, value)
    else:
        yield from read_plain(source)


Reader = Callable[[Source], Iterator[Document]]

READER_OF_SUFFIX: dict[str, Reader] = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mdx", ".mkd"), read_markdown),
    **dict.fromkeys((".rst", ".rest"), read_rst),
    **dict.fromkeys((".html", ".htm", ".xhtml"), read_html),
    **dict.fromkeys((".jsonl", ".ndjson"), read_jsonl),
    **dict.fromkeys(LANGUAGE_OF_SUFFIX, read_code),
    **dict.fromkeys(_PLAIN_CODE, read_code),
    ".json": read_json,
    **dict.fromkeys((".csv", ".tsv", ".tab", ".psv"), read_delimited),
    ".ipynb": read_notebook,
    **dict.fromkeys((".eml", ".emlx"), read_mail),
    **dict.fromkeys((".mbox", ".mbx"), read_mailbox),
    ".pdf": read_pdf,
    ".docx": read_docx,
}


# Formats whose libraries may need unlimited time and memory for a small file. They are read in a separate process that
# can be stopped; text and code are read in this process.
HEAVY_READERS: frozenset[Reader] = frozenset(
    {read_pdf, read_docx, read_html, read_rst, read_notebook, read_mail, read_mailbox}
)


# What the document of a whole file has as its media type, by the reader; that of some depends on the suffix.
_MEDIA_TYPE: dict[Reader, str] = {
    read_markdown: "text/markdown",
    read_rst: "text/prs.fallenstein.rst",
    read_html: "text/html",
    read_notebook: NOTEBOOK,
    read_mail: MAIL,
    read_pdf: "application/pdf",
    read_docx: DOCX,
}


def media_type_of(path: Path, head: bytes) -> str | None:
    """Return the media type that the document of a whole file will have; None if only reading the file tells.

    Args:
        head: How the file begins, at least 256 bytes of it if there are as many.
    """
    reader = READER_OF_SUFFIX.get(path.suffix.lower())
    if head.startswith(b"%PDF-"):
        reader = read_pdf
    if reader is None and not ("." not in path.name or ":2," in path.name or head.startswith(b"PK\x03\x04")):
        reader = _reader_of_content(path.name, head)
    if reader is read_code:
        return code_media_type(path)
    if reader is read_delimited:
        return delimited_media_type(path)
    if reader in (read_plain, read_json, read_jsonl):
        return plain_media_type(path)
    return None if reader is None else _MEDIA_TYPE.get(reader)


def is_heavy(path: Path) -> bool:
    """Return whether the file has such a format, judged by its name."""
    return READER_OF_SUFFIX.get(path.suffix.lower()) in HEAVY_READERS


def read(
    path: Path,
    *,
    options: SplitOptions,
    data: bytes | None = None,
    folders: tuple[str, ...] = (),
    uri: str | None = None,
) -> Iterator[Document]:
    """Yield the documents of a file: one, or one for each conversation of an export.

    A document without text has no passages. Errors are raised at the first step of the iterator, or at the step of the
    conversation with the error.

    Args:
        path: The file; if `data` is given, only its name matters.
        options: How to split.
        data: The content; None reads it from the disk.
        folders: Folder names between the ingested root and the file, outermost first.
        uri: URI of the source; None uses the URI of the file.
    Raises:
        NotFound: If the file does not exist.
        UnreadableDocument: If it is binary, damaged, encrypted, or a folder.
    """
    source = source_of(path, options=options, data=data, folders=folders, uri=uri)
    yield from reader_of(source)(source)


def source_of(
    path: Path,
    *,
    options: SplitOptions,
    data: bytes | None = None,
    folders: tuple[str, ...] = (),
    uri: str | None = None,
) -> Source:
    """Return the input of a reader, including the content of the file. Arguments and errors are those of `read`."""
    return Source(
        path=path,
        uri=uri or Path(os.path.abspath(path)).as_uri(),  # noqa: PTH100  resolve() would follow symbolic links
        data=_bytes(path) if data is None else data,
        options=options,
        folders=tuple(folders),
        on_disk=data is None,
    )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise NotFound(f"{path} does not exist", path=str(path)) from error
    except IsADirectoryError as error:
        raise UnreadableDocument(f"{path} is a folder; read the files in it", path=str(path)) from error
    except OSError as error:
        raise UnreadableDocument(f"{path} cannot be read: {error.strerror}", path=str(path)) from error


def reader_of(source: Source) -> Reader:
    """Return the reader for a source."""
    if source.data.startswith(b"%PDF-"):
        return read_pdf
    return READER_OF_SUFFIX.get(source.path.suffix.lower()) or _reader_of_content(source.path.name, source.data)


def _reader_of_content(name: str, content: bytes) -> Reader:
    if content.startswith(b"PK\x03\x04") and b"word/" in content:
        return read_docx
    if content[:256].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return read_html
    # Files of mail folders have no suffix, or one such as `host:2,S`, which tells whether a mail was read.
    if "." not in name or ":2," in name:
        if is_mailbox(content):
            return read_mailbox
        if is_mail(content):
            return read_mail
    return read_plain

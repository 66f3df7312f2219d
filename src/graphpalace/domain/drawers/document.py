"""What ingestion passes on: a source document cut into passages, and what is known of a publication."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Annotated

from graphpalace.domain.field import Field
from graphpalace.domain.vectors import Vector


@dataclass(frozen=True, slots=True)
class Publication:
    """The facts of one publication; its closet has a property for each, None where a fact is not known.

    Attributes:
        pub_id: Publication number.
        app_id: Application number.
        exam_id: Number of the examined document.
        family_id: The same for all publications of one invention.
        assignee: Who owns it.
        country: Office that published it, two letters.
        published: Day of publication.
        codes: Each with its scheme, as `cpc:H04L9/32`, in the order of the source, without repetitions.
    """

    pub_id: str
    app_id: str | None = None
    exam_id: str | None = None
    family_id: str | None = None
    assignee: str | None = None
    country: str | None = None
    published: date | None = None
    codes: tuple[str, ...] = ()


Line = Annotated[int, Field(ge=1, le=2**53 - 1)]  # what JSON holds exactly, and Neo4j too


@dataclass(frozen=True, slots=True)
class Passage:
    """One verbatim piece of a document; it becomes a drawer.

    Attributes:
        text: Exactly as in the source, or as in the text that is extracted from formats such as HTML, PDF and mail;
            within a table, below the table's head. Never empty or blank.
        start_line: First line, 1-based, in the source or extracted text.
        end_line: Last line, inclusive, >= start_line.
        headings: Titles above the passage, outermost first; () where there are none.
        occurred_at: When it was said, for messages, or the date of a note; timezone-aware, or None.
        author: Who said it, for messages.
        name: Where it stands in the code, such as `argparse.ArgumentParser.parse_args`; None for other texts.
        vector: Its embedding where that is known already, of length one.
    """

    text: str
    start_line: Line
    end_line: Line
    headings: tuple[str, ...] = ()
    occurred_at: datetime | None = None
    author: str | None = None
    name: str | None = None
    vector: Vector | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Document:
    """One source document; it becomes a closet.

    Attributes:
        uri: Where it came from: a file URI, with `#id` for one conversation of an export.
        title: For people.
        media_type: As registered with IANA, for example `text/markdown`.
        content_hash: Hex BLAKE2b-128 of the source's bytes and of the options that cut it.
        folders: Folder names between the ingested root and the file, outermost first.
        passages: In the order of the source.
        publication: What is known of it, if it is one.
        tags: Under which a note is filed, without `#`.
        aliases: Other names of a note.
        broken_lines: How many lines of its file could not be read; a file with several documents has them in one.
    """

    uri: str
    title: str
    media_type: str
    content_hash: str
    folders: tuple[str, ...] = ()
    passages: tuple[Passage, ...] = field(default=(), repr=False)
    publication: Publication | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    broken_lines: int = 0

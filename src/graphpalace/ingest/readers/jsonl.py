"""Reads JSON Lines with a publication or a chat message in each line. Other files are read as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from graphpalace.domain.drawers.document import Document, Passage, Publication
from graphpalace.domain.search.codes import normalised
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.chats.messages import ChatMessage, message_passages, moment, name_or_none, text_of
from graphpalace.ingest.readers.headed_text import read_plain
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.split import split_section
from graphpalace.ingest.transcripts.records import json_object

MEDIA_TYPE = "application/vnd.graphpalace.publication+json"

_PUB_ID = ("pub_id", "publication_number", "id")
_APP_ID = ("app_id", "app_doc_id")
_FAMILY = ("family_id",)
_PUBLISHED = ("published", "publication_date", "pub_date")
_TEXTS = {"abst": ("abst", "abstract"), "claim": ("claim", "claims"), "desc": ("desc", "description")}

_CODES = re.compile(r"([a-z][a-z0-9_]{0,30})_codes")
_DAY = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)")
_OFFICE = re.compile(r"([A-Z]{2})\d")


def is_publication(record: dict[str, Any]) -> bool:
    """Return whether a record is a publication.

    It must have a publication id, a claim or an abstract, and codes, a family id or an application id.
    """
    has_text = _first(record, (*_TEXTS["abst"], *_TEXTS["claim"]))[1] is not None
    has_codes = any(_CODES.fullmatch(key) and isinstance(value, list) for key, value in record.items())
    has_ids = _first(record, (*_FAMILY, *_APP_ID))[1] is not None
    return _first(record, _PUB_ID)[1] is not None and has_text and (has_codes or has_ids)


def read_publications(source: Source, lines: Sequence[str]) -> Iterator[Document]:
    """Yield one document for each publication. The heading of a passage is its field: `abst`, `claim` or `desc`.

    If passages do not overlap, joining those of a field gives the exact text of the field. Lines that are no JSON
    objects are left out, and counted in the last document.

    Args:
        source: The file.
        lines: All of its lines.

    Raises:
        UnreadableDocument: If a field has a wrong value, or two lines have the same id.
    """
    seen: dict[str, int] = {}
    broken = 0
    last: Document | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if (record := json_object(line)) is None:
            broken += 1
            continue
        if last is not None:
            yield last
        fields = _Fields(source, number, record)
        publication = fields.publication()
        if (before := seen.setdefault(publication.pub_id, number)) != number:
            raise fields.wrong("pub_id", publication.pub_id, f"different from the one on line {before}")
        last = source.document(
            [part for field, keys in _TEXTS.items() for part in _passages(fields.text(keys), field, number, source)],
            media_type=MEDIA_TYPE,
            title=fields.text(("title",)) or publication.pub_id,
            fragment=publication.pub_id,
            content=fields.record,
            publication=publication,
        )
    if last is not None:
        yield replace(last, broken_lines=broken)


class _Fields:
    """The fields of one line, each validated when it is read."""

    def __init__(self, source: Source, number: int, record: dict[str, Any]) -> None:
        self._path, self._number = str(source.path), number
        self.record = record

    def publication(self) -> Publication:
        """Return the bibliographic data, without the text."""
        pub_id = self._name(_PUB_ID)
        if pub_id is None:
            raise self.wrong("pub_id", None, "a publication number")
        office = _OFFICE.match(pub_id)
        return Publication(
            pub_id=pub_id,
            app_id=self._name(_APP_ID),
            exam_id=self._name(("exam_id",)),
            family_id=self._name(_FAMILY),
            assignee=self._name(("assignee",)),
            country=self._name(("country",)) or (office[1] if office else None),
            published=self._day(),
            codes=self._codes(),
        )

    def text(self, keys: tuple[str, ...]) -> str:
        """Return the text of the first key that has a value, or "". The items of a list become lines."""
        key, value = _first(self.record, keys)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            value = "\n".join(value)
        if value is not None and not isinstance(value, str):
            raise self.wrong(key, value, "a text or a list of texts")
        # JSON can carry half a surrogate pair, which no encoding can store.
        return (value or "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def wrong(self, key: str, value: object, right: str) -> UnreadableDocument:
        """Return the error for an invalid field; `right` describes a valid value."""
        shown = repr(value)[:80]
        return UnreadableDocument(
            f"{self._path}, line {self._number}: {key} is {shown}; it must be {right}",
            path=self._path,
            line=self._number,
            field=key,
        )

    def _name(self, keys: tuple[str, ...]) -> str | None:
        key, value = _first(self.record, keys)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if value is not None and not isinstance(value, str):
            raise self.wrong(key, value, "a text or a whole number")
        return self._storable(key, value).strip() or None if value is not None else None

    def _day(self) -> date | None:
        key, value = _first(self.record, _PUBLISHED)
        if value is None:
            return None
        found = _DAY.fullmatch(str(value).strip())
        try:
            if found and not isinstance(value, bool):
                return date(*(int(part) for part in found.groups()))
        except ValueError:
            pass  # no such day in the calendar
        raise self.wrong(key, value, "a day, for example 2023-05-31 or 20230531")

    def _codes(self) -> tuple[str, ...]:
        found: list[str] = []
        for key, codes in self.record.items():
            scheme = _CODES.fullmatch(key)
            if not scheme or codes is None:
                continue
            if not isinstance(codes, list) or not all(isinstance(code, str) and code.strip() for code in codes):
                raise self.wrong(key, codes, "a list of codes that are not empty")
            found += [f"{scheme[1]}:{normalised(self._storable(key, code), scheme=scheme[1])}" for code in codes]
        return tuple(dict.fromkeys(found))

    def _storable(self, key: str, value: str) -> str:
        try:
            value.encode()
        except UnicodeEncodeError:
            raise self.wrong(key, value, "valid Unicode, without lone surrogates") from None
        return value


def _first(record: dict[str, Any], keys: tuple[str, ...]) -> tuple[str, Any]:
    """Return the first key that has a value, with the value. If there is none, return the first key and None."""
    return next(((key, record[key]) for key in keys if record.get(key) is not None), (keys[0], None))


def _passages(text: str, field: str, number: int, source: Source) -> list[Passage]:
    """Split a field into passages. All of them have the line of the record as their line."""
    found = split_section(text, number, (field,), source.options)
    pieces = [passage.text for passage in found]
    if pieces and not source.options.overlap_chars:
        pieces = _whole(text, pieces)
    return [
        replace(part, text=piece, start_line=number, end_line=number) for part, piece in zip(found, pieces, strict=True)
    ]


def _whole(text: str, pieces: list[str]) -> list[str]:
    """Extend the pieces of a text by the whitespace between them, so that joining them gives the text again."""
    starts = [0]
    end = text.index(pieces[0]) + len(pieces[0])
    for piece in pieces[1:]:
        starts.append(text.index(piece, end))
        end = starts[-1] + len(piece)
    return [text[start:stop] for start, stop in zip(starts, [*starts[1:], len(text)], strict=True)]


_AUTHOR = ("role", "author", "speaker", "sender")
_TEXT = ("content", "text", "message")
_TIME = ("timestamp", "created_at", "time")
_CONVERSATION = ("conversation_id", "session_id")


def read_jsonl(source: Source) -> Iterator[Document]:
    """Yield one document for each publication, or for each conversation in the order in which they begin.

    The first record decides how the file is read: as publications, as messages, or else as plain text. All messages
    without a conversation id form one conversation. Lines that are no JSON objects are left out, and counted in the
    first document.

    Raises:
        UnreadableDocument: If the file is binary, or a later line is not a valid publication.
    """
    lines = source.text().split("\n")  # splitlines would also split at U+2028, which may occur in strings
    conversations: dict[str | None, list[tuple[int, dict[str, Any]]]] = {}
    broken = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        record = json_object(line)
        if record is None:
            broken += 1
            continue
        if not conversations and is_publication(record):
            yield from read_publications(source, lines)
            return
        if not conversations and not _is_message(record):
            break
        own_id = _first_of(record, _CONVERSATION)
        conversations.setdefault(None if own_id is None else str(own_id), []).append((number, record))
    if not conversations:
        yield from read_plain(source)
    for own_id, records in conversations.items():
        document = source.document(
            message_passages((_message(number, record) for number, record in records), source.options),
            media_type="application/jsonl",
            title=_title(records),
            fragment=own_id,
            content=[record for _, record in records],
        )
        yield replace(document, broken_lines=broken)
        broken = 0


def _is_message(record: dict[str, Any]) -> bool:
    return _first_of(record, _AUTHOR) is not None and any(key in record for key in _TEXT)


def _message(number: int, record: dict[str, Any]) -> ChatMessage:
    author = _first_of(record, _AUTHOR)
    if isinstance(author, dict):
        author = _first_of(author, ("name", "role", "id"))
    return ChatMessage(
        text_of(_first_of(record, _TEXT)), name_or_none(author), moment(_first_of(record, _TIME)), number
    )


def _first_of(record: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((record[key] for key in keys if record.get(key) is not None), None)


def _title(records: list[tuple[int, dict[str, Any]]]) -> str | None:
    return next((name for _, record in records if (name := name_or_none(record.get("title")))), None)

"""The headers of a mail, decoded: subject, people and time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime

from graphpalace.domain.identity import as_place_name
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.files.decoding import decoded

_FOLD = re.compile(r"[\r\n]+[ \t]*")


def header(message: Message, name: str) -> str:
    """Return a header as one decoded line; "" if the mail has none of this name."""
    return words(_raw(message, name), message.get_content_charset())


def people(message: Message, name: str) -> str:
    """Return the people that a header such as `To` names, each as `Name <address>`, with commas between them."""
    found = [
        f"{shown} <{address}>" if shown and address else shown or address
        for shown, address in _addresses(_raw(message, name))
    ]
    return ", ".join(found) or header(message, name)


def sender(message: Message) -> str | None:
    """Return the name of the person who wrote the mail, or else the address; None if the mail names nobody."""
    for field in ("From", "Sender", "Reply-To"):
        for shown, address in _addresses(_raw(message, field)):
            return as_place_name(shown or address) or None
    return None


def sent(message: Message) -> datetime | None:
    """Return when the mail was sent, or else received; None if no time can be read. A time without a zone is UTC."""
    received = (str(value).rpartition(";")[2] for value in message.get_all("Received", ()))
    filed = (message.get_unixfrom() or "").split(maxsplit=2)[2:]  # the line above a mail in a mailbox
    for value in (_raw(message, "Date"), *received, *filed):
        try:
            time = parsedate_to_datetime(_FOLD.sub(" ", value).strip())
            moment = time if time.tzinfo else time.replace(tzinfo=UTC)
            moment.astimezone(UTC)  # raises an error before the year 1
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        return moment
    return None


def words(value: str, charset: str | None = None) -> str:
    """Return the value of a header as one line, with its encoded words decoded.

    Args:
        charset: The encoding of the mail, in which some programs write headers too.
    """
    line = _FOLD.sub(" ", value)
    if not line.isascii():  # bytes outside of ASCII are half surrogate pairs
        line = text_of_bytes(line.encode("utf-8", "surrogateescape"), charset or "cp1252")
    try:
        pairs = decode_header(line)
    except Exception:  # the standard library raises several errors for encoded words that are cut off
        return " ".join(line.split())
    parts = [
        part
        if isinstance(part, str)
        else text_of_bytes(part, charset)
        if charset
        else part.decode("raw-unicode-escape", "replace")
        for part, charset in pairs
    ]
    return " ".join("".join(parts).split())


def text_of_bytes(data: bytes, declared: str | None) -> str:
    """Return bytes as text: UTF-8, else in the declared encoding, else in the one that fits best.

    Bytes that are all ASCII may mean other letters, as in ISO-2022-JP; they are read as declared.
    """
    if declared and (data.isascii() or b"\0" in data):
        try:
            return data.decode(declared).replace("\0", "")
        except (LookupError, ValueError):
            pass
    try:
        text = decoded(data, name="a part", declared=_WIDER.get((declared or "").lower(), declared))
    except UnreadableDocument:
        text = data.decode("latin-1")
    return text.replace("\0", "")


# What says that it is Latin-1 often has the quotes and dashes of the encoding that contains it.
_WIDER: dict[str, str] = dict.fromkeys(("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii"), "cp1252")


def _raw(message: Message, name: str) -> str:
    return next((str(value) for field, value in message.raw_items() if field.lower() == name.lower()), "")


def _addresses(value: str) -> Iterator[tuple[str, str]]:
    """Yield name and address of each person in the value of a header."""
    for shown, address in getaddresses([_FOLD.sub(" ", value)]):
        if shown or address:
            yield words(shown), words(address)

"""Reads mails and their headers: one in a file (`.eml`), or many in a mailbox (`.mbox`), each a document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.utils import getaddresses, parsedate_to_datetime
from hashlib import blake2b

from graphpalace.domain.drawers.document import Document, Passage
from graphpalace.domain.identity import as_place_name
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.files.decoding import decoded
from graphpalace.ingest.readers.html import html_text
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.split import LineIndex, split_section

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
    for header in ("From", "Sender", "Reply-To"):
        for shown, address in _addresses(_raw(message, header)):
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


_STUB = 5  # a plain text that is so many times shorter than the HTML beside it only says that there is HTML
MEDIA_TYPE = "message/rfc822"
_PROBE_BYTES = 65_536
_MOST_ID_CHARS = 200
_FIELD = rb"[!-9;-~]{1,80}:"  # the name of a header
# A mail in a mailbox begins with such a line, with a time in it, and a header below it.
_BEGINS = re.compile(rb"(?:\A|(?<=\n))From [^\r\n]{0,300}\d\d:\d\d[^\r\n]{0,100}\r?\n(?=>?From |" + _FIELD + rb")")
_QUOTED = re.compile(rb"(?m)^>(>*From )")
_TELLING = re.compile(rb"(?im)^(from|date|message-id|received|return-path|delivered-to|mime-version):")
_EMLX = re.compile(rb"\A(\d{1,12})[ \t]*\r?\n")


def is_mail(data: bytes) -> bool:
    """Return whether a file without a telling name begins as a mail does: with its headers."""
    head = re.split(rb"\r?\n\r?\n", data[:_PROBE_BYTES], maxsplit=1)[0]
    lines = re.split(rb"\r?\n(?![ \t])", head)
    told = {match.group(1).lower() for match in _TELLING.finditer(head)}
    return b"from" in told and len(told) > 1 and all(re.match(_FIELD, line) for line in lines)


def is_mailbox(data: bytes) -> bool:
    """Return whether a file begins as a mailbox does."""
    return _BEGINS.match(data[:_PROBE_BYTES]) is not None


def read_mail(source: Source) -> Iterator[Document]:
    """Yield the one document of a mail; its title is the subject. Lines count the lines of the decoded text.

    Raises:
        UnreadableDocument: If the file has no headers.
    """
    data = source.data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if length := _EMLX.match(data):  # Apple's mails begin with their length and end with a list of properties
        data = data[length.end() : length.end() + int(length.group(1))]
    message = BytesParser().parsebytes(data)
    if data and not message.keys():
        raise UnreadableDocument(f"{source.path} is not a readable mail: it has no headers", path=str(source.path))
    passages = list(_passages(message, source)) if data else []
    yield source.document(passages, media_type=MEDIA_TYPE, title=header(message, "Subject"))


def read_mailbox(source: Source) -> Iterator[Document]:
    """Yield one document for each mail of a mailbox, in order. A copy of a mail in the same mailbox is left out.

    Raises:
        UnreadableDocument: If the file does not begin with a mail.
    """
    data = source.data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    marks = list(_BEGINS.finditer(data))
    if data and (not marks or marks[0].start() > 0):
        raise UnreadableDocument(
            f"{source.path} is not a readable mailbox: it does not begin with a line `From ... DATE`",
            path=str(source.path),
        )
    if not data:
        yield source.document((), media_type=MEDIA_TYPE)
        return
    seen: dict[str, set[bytes]] = {}
    for mark, end in zip(marks, [*(each.start() for each in marks[1:]), len(data)], strict=True):
        raw = _QUOTED.sub(rb"\1", data[mark.start() : end].rstrip(b"\r\n"))
        message = BytesParser().parsebytes(raw)
        digest = blake2b(raw[mark.end() - mark.start() :], digest_size=16).digest()
        known = header(message, "Message-ID").strip("<> ")
        name = known if 0 < len(known) <= _MOST_ID_CHARS else digest.hex()
        copies = seen.setdefault(name, set())
        if digest in copies:
            continue
        copies.add(digest)
        yield source.document(
            _passages(message, source),
            media_type=MEDIA_TYPE,
            title=header(message, "Subject"),
            fragment=name if len(copies) == 1 else f"{name}-{len(copies)}",
            content=digest.hex(),
        )


def _passages(message: Message, source: Source) -> Iterator[Passage]:
    """Yield the passages of a mail, then those of the mails that are attached to it."""
    above, waiting = 0, [message]
    while waiting:
        mail = waiting.pop(0)
        inside = content(mail)
        waiting = inside.mails + waiting
        text = "\n\n".join(part for part in (_head(mail, inside.attachments), inside.text) if part)
        for passage in split_section(text, above + 1, (), source.options):
            yield replace(passage, author=sender(mail), occurred_at=sent(mail))
        above += len(LineIndex(text)) + 1


def _head(message: Message, attachments: list[str]) -> str:
    told = [("Subject", header(message, "Subject"))]
    told += [(field, people(message, field)) for field in ("From", "To", "Cc")]
    told += [("Date", header(message, "Date")), *(("Attachment", name) for name in attachments)]
    return "\n".join(f"{field}: {value}" for field, value in told if value)


@dataclass(slots=True)
class Content:
    """What is in a mail or in a part of one.

    Attributes:
        texts: One for each part, in order.
        attachments: File names.
        mails: Mails that are attached.
    """

    texts: list[str] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)
    mails: list[Message] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All texts, one below the other."""
        return "\n\n".join(self.texts)


def content(part: Message) -> Content:
    """Return what is in a part. Of alternatives, the first with text is read: the plain text, or else the HTML."""
    kind = part.get_content_type()
    name = part.get_filename()
    if kind == "message/rfc822":
        mails = part.get_payload()
        return Content(mails=[mail for mail in mails if isinstance(mail, Message)] if isinstance(mails, list) else [])
    if part.is_multipart():
        return _alternatives(part) if kind == "multipart/alternative" else _together(_children(part))
    if name or part.get_content_disposition() == "attachment" or kind not in {"text/plain", "text/html"}:
        return Content(attachments=[words(name) if name else kind])
    data = part.get_payload(decode=True)
    text = text_of_bytes(data if isinstance(data, bytes) else b"", part.get_content_charset())
    if kind == "text/html":
        text = html_text(text)
    text = text.replace("\r\n", "\n").strip("\r\n").rstrip()
    return Content(texts=[text] if text.strip() else [])


def _children(part: Message) -> list[Content]:
    parts = part.get_payload()
    return [content(child) for child in parts if isinstance(child, Message)] if isinstance(parts, list) else []


def _together(found: list[Content]) -> Content:
    whole = Content()
    for each in found:
        whole.texts += each.texts
        whole.attachments += each.attachments
        whole.mails += each.mails
    return whole


def _alternatives(part: Message) -> Content:
    found = _children(part)
    longest = max((len(each.text) for each in found), default=0)
    best = next((each for each in found if each.texts and len(each.text) * _STUB >= longest), None)
    whole = _together(found)
    whole.texts = best.texts if best else []
    return whole

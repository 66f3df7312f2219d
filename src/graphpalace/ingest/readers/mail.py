"""Reads mails: one in a file (`.eml`), or many in a mailbox (`.mbox`), each of which is a document of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email.message import Message
from email.parser import BytesParser
from hashlib import blake2b

from graphpalace.domain.drawers.document import Document, Passage
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.html import html_text
from graphpalace.ingest.readers.mail_headers import header, people, sender, sent, text_of_bytes, words
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.split import LineIndex, split_section

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

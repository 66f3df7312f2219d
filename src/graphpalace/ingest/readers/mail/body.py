"""What is in a mail: its text, the names of its attachments, and the mails that are attached to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from email.message import Message

from graphpalace.ingest.readers.html import html_text
from graphpalace.ingest.readers.mail.headers import text_of_bytes, words

_STUB = 5  # a plain text that is so many times shorter than the HTML beside it only says that there is HTML


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

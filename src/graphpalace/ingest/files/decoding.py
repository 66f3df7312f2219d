"""Decodes the bytes of a text file, whatever its encoding."""

from __future__ import annotations

import codecs
import re

from graphpalace.errors import UnreadableDocument

BINARY_PROBE_BYTES = 8192
_DETECTION_BYTES = 262_144
_WESTERN = "cp1252"
_CLOSE_CHAOS = 0.1
# Encodings of Windows and ISO for languages in Latin letters; the others that fit such a text are hardly used any more.
_LATIN = frozenset({"cp1250", "cp1252", "cp1254", "cp1257", "iso8859_2", "iso8859_3", "iso8859_4", "iso8859_16"})
_WESTERN_LETTERS = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœŠšŽžŸ")
_LETTERS_TOGETHER = re.compile(r"[^\W\d_a-zA-Z]{3}")

# The four-byte marks come first, because the mark of UTF-32 starts with the mark of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def marked_encoding(data: bytes) -> str | None:
    """Return the encoding that a byte order mark announces, or None without a mark."""
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)


def looks_binary(head: bytes) -> bool:
    """Return whether the first 8 KiB have a NUL byte without a byte order mark that explains it."""
    return b"\0" in head[:BINARY_PROBE_BYTES] and marked_encoding(head) is None


def decoded(data: bytes, *, name: str, declared: str | None = None) -> str:
    """Return the text without its byte order mark and with its newlines unchanged.

    The encoding is found in this order: the byte order mark, UTF-8, the encoding that the document declares, a guess
    from the bytes.

    Args:
        data: The content of the file.
        name: Name of the file in error messages.
        declared: The encoding that the document declares, if any.
    Raises:
        UnreadableDocument: If the bytes are not text in any encoding.
    """
    if looks_binary(data):
        raise UnreadableDocument(f"{name} is binary; give a text file, PDF or DOCX", path=name)
    marked = marked_encoding(data)
    for encoding in (marked,) if marked else ("utf-8", declared):
        try:
            if encoding:
                return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    guess = _guessed(data)
    if marked or guess is None:
        raise UnreadableDocument(f"{name} is not text in any known encoding; save it as UTF-8", path=name)
    return data.decode(guess, errors="replace")


def _guessed(data: bytes) -> str | None:
    from charset_normalizer import from_bytes

    matches = from_bytes(data[:_DETECTION_BYTES])
    best = matches.best()
    if best is None:
        return None
    for match in matches:
        # Short Western texts fit many encodings equally well, so the most common one is preferred if it is not worse.
        close = match.coherence >= best.coherence and match.chaos <= best.chaos + _CLOSE_CHAOS
        if close and _WESTERN in match.could_be_from_charset:
            return _WESTERN
    return best.encoding if best.encoding in _LATIN or not _is_western(data[:_DETECTION_BYTES]) else _WESTERN


def _is_western(data: bytes) -> bool:
    """Return whether bytes read as Windows-1252 have accented letters of Western languages only, among plain ones.

    In a short list, such as a table from a spreadsheet, other encodings fit as well, even Chinese ones.
    """
    try:
        text = data.decode(_WESTERN)
    except UnicodeDecodeError:
        return False
    letters = [sign for sign in text if sign.isalpha()]
    accented = [sign for sign in letters if not sign.isascii()]
    return (
        len(accented) * 2 < len(letters)
        and _WESTERN_LETTERS.issuperset(accented)
        and not _LETTERS_TOGETHER.search(text)
    )

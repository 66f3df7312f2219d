"""Reads PDF files: the text of each page, column by column. A passage never spans two pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from ctypes import byref
from typing import Any

from graphpalace.domain.drawers.document import Document, Passage
from graphpalace.errors import UnreadableDocument
from graphpalace.ingest.readers.pdf_layout import Sign, lines_of
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.split import LineIndex, split_section

_DIVIDED = re.compile(r"(\w[\w'\u2019-]*)-\s*\Z")
_FIRST = re.compile(r"\s*(\w[\w'\u2019-]*)")
_WORDS = re.compile(r"\w+(?:-\w+)*")
# Words that make compounds, and are seldom the first or the last syllables of longer words.
_BEGINS = """
well self half ill quasi two three four five six seven eight nine twenty thirty forty fifty sixty seventy eighty ninety
hundred
"""
_ENDS = """
aware based bearing century colored coloured conscious cost dimensional driven efficient eyed faced fashioned footed
free friendly grained handed headed hearted intensive kilometre known legged length level looking making metre minded
oriented powered quality rated ready resistant scale sensitive shaped sided specific speed spoken term third tier winded
winning year
"""
_ENDINGS = "een ers fold ful hood ing ish less ly ment ness ship some teen teenth th ties tieth ty"
_COMPOUND_BEGINS, _COMPOUND_ENDS = frozenset(_BEGINS.split()), frozenset(_ENDS.split())
_SYLLABLES = frozenset(_ENDINGS.split())
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "ft", 0xFB06: "st"}
_QUARTER = 1.5707963


def read_pdf(source: Source) -> Iterator[Document]:
    """Yield the one document of a PDF file. Line numbers count the lines of the extracted text of all pages.

    Columns are read one after the other, tables row by row. Words that are divided at the end of a line are joined
    again. The heading of a passage is its page, for example `Page 3`. A page that is only an image has no text.

    Raises:
        UnreadableDocument: If the file is encrypted with a password, or damaged.
    """
    pages = list(_pages(source))
    known = KnownWords(pages)
    passages: list[Passage] = []
    line = 1
    for number, lines in enumerate(pages, 1):
        text = "\n".join(joined_lines(lines, known))
        # A broken character map can yield a lone surrogate, which cannot be stored.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        passages.extend(split_section(text, line, (f"Page {number}",), source.options))
        line += len(LineIndex(text))
    yield source.document(passages, media_type="application/pdf")


def _pages(source: Source) -> Iterator[list[str]]:
    """Yield the lines of each page, in reading order."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(source.data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise UnreadableDocument(
                f"{source.path} is encrypted; save it without a password", path=str(source.path)
            ) from error
        raise _damaged(source, error) from error
    try:
        for number in range(len(document)):
            page = document[number].get_textpage()
            groups = _signs(page)
            lines: list[str] = []
            for _, signs in sorted(groups.items()):
                lines += [*([""] if lines else []), *lines_of(signs)]
            page.close()
            yield lines
    except pypdfium2.PdfiumError as error:
        raise _damaged(source, error) from error
    finally:
        document.close()


def _signs(page: Any) -> dict[int, list[Sign]]:
    """Return the signs of a page with their boxes, by the quarter turns of their text, each turned upright."""
    from pypdfium2 import raw

    groups: dict[int, list[Sign]] = {}
    box = raw.FS_RECTF()
    for at in range(raw.FPDFText_CountChars(page)):
        if raw.FPDFText_IsGenerated(page, at) == 1:  # blanks and line ends that pdfium supposes
            continue
        code = raw.FPDFText_GetUnicode(page, at)
        if raw.FPDFText_IsHyphen(page, at) == 1 or code in {0xAD, 0xFFFE, 0x2010}:
            code = 0x2D
        if code < 32 and not chr(code).isspace():
            code = 0xFFFD  # a sign of a font that does not say which letter it is
        if code == 0xFFFF or not raw.FPDFText_GetLooseCharBox(page, at, byref(box)):
            continue
        turn = round(raw.FPDFText_GetCharAngle(page, at) / _QUARTER) % 4
        left, right, bottom, top = box.left, box.right, box.bottom, box.top
        if turn == 1:
            left, right, bottom, top = -top, -bottom, left, right
        elif turn == 2:
            left, right, bottom, top = -right, -left, -top, -bottom
        elif turn == 3:
            left, right, bottom, top = bottom, top, -right, -left
        groups.setdefault(turn, []).append(Sign(at, _LIGATURES.get(code) or chr(code), left, right, bottom, top))
    return groups


def _damaged(source: Source, error: Exception) -> UnreadableDocument:
    return UnreadableDocument(f"{source.path} is not a readable PDF: {error}", path=str(source.path))


class KnownWords:
    """The words of a document that are not divided: a divided word that occurs whole is joined as it occurs."""

    def __init__(self, pages: Iterable[Sequence[str]]) -> None:
        self._words: set[str] = set()
        for lines in pages:
            for line in lines:
                self._words.update(word.lower() for word in _WORDS.findall(_DIVIDED.sub("", line)))

    def keeps_hyphen(self, first: str, last: str) -> bool:
        """Return whether a word that is divided between two lines is a compound, which has a hyphen in any line."""
        left, right = first.lower(), last.lower()
        if f"{left}-{right}" in self._words:
            return True
        if left + right in self._words:
            return False
        # Names, numbers, single letters, and compounds of more than two words are never divided words.
        if not last[0].islower() or not first[-1].isalpha() or len(first) == 1 or "-" in first or "-" in last:
            return True
        begins = left in _COMPOUND_BEGINS and right not in _SYLLABLES
        return begins or (right in _COMPOUND_ENDS and len(left) > 2)


def joined_lines(lines: Sequence[str], known: KnownWords) -> Iterator[str]:
    """Yield lines in which no word is divided: its end moves up to its beginning, also over a blank line.

    >>> list(joined_lines(["a new wind-", "lass and a well-", "known smith"], KnownWords([])))
    ['a new windlass', 'and a well-known', 'smith']
    """
    rest = list(reversed(lines))
    while rest:
        line = rest.pop()
        while divided := _DIVIDED.search(line):
            at = next((place for place in range(len(rest) - 1, -1, -1) if rest[place].strip()), None)
            if at is None or not (found := _FIRST.match(rest[at])):
                break
            first, last = divided[1], found[1]
            if not first[-1].isalnum():
                break
            hyphen = "-" if known.keeps_hyphen(first, last.rstrip("-")) else ""
            following = rest[at]
            # The signs that follow the word, such as a comma, stay with it.
            tail = re.match(r"\S*", following[found.end() :])
            end = found.end() + (tail.end() if tail else 0)
            line = line[: divided.end(1)] + hyphen + following[found.start(1) : end]
            rest[at] = following[end:].lstrip()
            if not rest[at]:
                del rest[at]
        yield line

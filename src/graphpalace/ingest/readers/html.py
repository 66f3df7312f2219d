"""Reads the article of HTML pages: the visible text without what stands around it. A section is the text between two
headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from graphpalace.domain.drawers.contents import has_letters
from graphpalace.domain.drawers.document import Document
from graphpalace.ingest.readers.extracted import ExtractedText
from graphpalace.ingest.readers.html_surroundings import surroundings
from graphpalace.ingest.readers.source import Source

_INVISIBLE = ("script", "style", "noscript", "template", "svg", "iframe", "object", "head", "[hidden]")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LINES = frozenset({"br", "dd", "dt", "figcaption", "li", "option", "summary", "tr"})
_BLOCKS = frozenset(
    (
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "details",
        "div",
        "dl",
        "fieldset",
        "figure",
        "footer",
        "form",
        "header",
        "hr",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "ul",
    )
)
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.I)


def read_html(source: Source) -> Iterator[Document]:
    """Yield the one document of an HTML page. Line numbers count the lines of the extracted text.

    The title is the `title` element or, if that is missing or empty, the first heading. Menus, headers and footers of
    the page, and lines about cookies are left out, unless nothing else is on the page.

    Raises:
        UnreadableDocument: If the file is binary.
    """
    from selectolax.lexbor import LexborHTMLParser

    charset = _CHARSET.search(source.data[:4096])
    page = LexborHTMLParser(source.text(declared=charset.group(1).decode() if charset else None))
    named = page.css_first("head > title")
    title = named.text().strip() if named is not None else ""
    text = _visible(page, whole=False)
    yield source.document(text.passages(source.options), media_type="text/html", title=title or text.first_heading)


def html_text(markup: str) -> str:
    """Return all visible text of a page or of a piece of one, such as the body of a mail."""
    from selectolax.lexbor import LexborHTMLParser

    return _visible(LexborHTMLParser(markup), whole=True).text.strip("\n")


def _visible(page: Any, *, whole: bool) -> ExtractedText:
    """Return the visible text of a page; unless the whole page is wanted, without what stands around its article."""
    for node in page.css(",".join(_INVISIBLE)):
        node.decompose()
    body = page.body
    if body is None:
        return ExtractedText()
    if not whole and (around := surroundings(body)):
        article = _extracted(body, around)
        if has_letters(article.text):
            return article
    return _extracted(body, frozenset())


def _extracted(body: Any, left_out: frozenset[int]) -> ExtractedText:
    out = ExtractedText()
    inline: list[str] = []
    level = preformatted = 0

    def flush(*, gap: bool) -> None:
        words = "".join(inline).rstrip() if preformatted else " ".join("".join(inline).split())
        inline.clear()
        if words and level:
            out.heading(level, words)
        elif words:
            out.line(words)
        if gap:
            out.gap()

    # An explicit stack, because pages may nest deeper than Python can recurse.
    stack: list[tuple[Any, bool]] = [(body, True)]
    while stack:
        node, entering = stack.pop()
        tag = node.tag or ""
        if tag == "-text":
            content = node.text(deep=False)
            if preformatted and "\n" in content:
                first, *others = content.split("\n")
                out.line("".join(inline) + first)
                inline.clear()
                for line in others[:-1]:
                    out.line(line)
                inline.append(others[-1])
            else:
                inline.append(content)
            continue
        if tag.startswith("-") or node.mem_id in left_out:
            continue
        if tag == "table" and entering and (rows := _rows(node, left_out)):
            flush(gap=True)
            out.table(rows)
            continue
        if tag in _HEADINGS:
            flush(gap=True)
            level = _HEADINGS[tag] if entering else 0
        elif tag in _BLOCKS or tag in _LINES:
            flush(gap=tag in _BLOCKS)
        elif tag in {"td", "th"}:
            inline.append(" ")
        if tag == "pre":
            preformatted += 1 if entering else -1
        if entering:
            stack.append((node, False))
            stack.extend((child, True) for child in _children_backwards(node))
    flush(gap=False)
    return out


def _rows(table: Any, left_out: frozenset[int]) -> list[list[str]]:
    """Return the cells of a table of data, which begins with the names of its columns; else nothing.

    Tables that only arrange a page have no such names, and what is in them is read like other text.
    """
    rows: list[list[str]] = []
    for row in table.css("tr"):
        cells: list[str] = []
        cell = row.child
        while cell is not None:
            if cell.tag in {"td", "th"}:
                if cell.css_first("table, h1, h2, h3, h4, h5, h6, pre, ul, ol") is not None:
                    return []
                cells.append(" ".join(_extracted(cell, left_out).text.split()))
                if not rows and cell.tag != "th":
                    return []
            cell = cell.next
        if cells:
            rows.append(cells)
    plain = table.css_first("caption, nav, form") is None
    return rows if plain and len(rows) > 1 and len(rows[0]) > 1 else []


def _children_backwards(node: Any) -> Iterator[Any]:
    child = node.last_child
    while child is not None:
        yield child
        child = child.prev

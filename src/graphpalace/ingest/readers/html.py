"""Reads the article of HTML pages: the visible text without menus, headers, footers and banners around it.

headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.drawer_text import has_letters
from graphpalace.ingest.readers.source import Source
from graphpalace.ingest.sections import ExtractedText

_ROLES = frozenset({"navigation", "search", "dialog", "alertdialog", "menu", "menubar"})
_PAGE_ROLES = frozenset({"banner", "contentinfo", "complementary"})
_MENU_WORDS = """
ads advert advertisement breadcrumb breadcrumbs footer masthead menu nav navbar navigation pager pagination promo
recommended related share sharing sidebar social sponsor toc toolbar topbar
"""
_BANNER_WORDS = "cookie cookies consent gdpr newsletter signup subscribe subscription"
_MENU_NAMES, _BANNER_NAMES = frozenset(_MENU_WORDS.split()), frozenset(_BANNER_WORDS.split())
_COOKIES = re.compile(r"cookie|çerez|クッキー|쿠키|файлы куки", re.IGNORECASE)
# "Uses", "accept", "agree": of English, German, the Romance languages, Dutch, Scandinavian and Slavic ones, and others.
_BANNER = re.compile(
    r"\b(?:uses?|using|accept|policy|consent|verwende[nt]?|nutz(?:en|t)|utili[sz]\w+|usa(?:mos)?|uso|accett\w+|acepta\w*|aceit\w+|"
    r"gebruik\w*|använder|bruger|bruker|käytämme|korzysta\w*|używa\w*|používá\w*|használ\w*|folosim|folosește|kullan\w+|"
    r"использу\w+|приня\w+|використову\w+|χρησιμοποι\w+)\b|使用|利用|사용",
    re.IGNORECASE,
)
_MOST_BANNER_WORDS = 80
_LISTS = frozenset({"ul", "ol", "div", "section", "p", "dl"})
_NAME_PARTS = re.compile(r"[a-z]+|[A-Z][a-z]*")


@dataclass(slots=True)
class _Extent:
    """What is inside of an element: words outside of links, words of links, links, buttons and main headings."""

    words: int = 0
    linked: int = 0
    links: int = 0
    buttons: int = 0
    titles: int = 0

    def add(self, other: _Extent) -> None:
        self.words += other.words
        self.linked += other.linked
        self.links += other.links
        self.buttons += other.buttons
        self.titles += other.titles


def surroundings(body: Any) -> frozenset[int]:
    """Return the memory addresses of the elements of a page that do not belong to its article."""
    extents = _extents(body)
    page = extents[body.mem_id]
    has_article = body.css_first("article, main, [role=main]") is not None
    titles_inside = sum(1 for _ in body.css("article h1, main h1, [role=main] h1"))
    found: set[int] = set()
    stack: list[tuple[Any, bool]] = [(body, False)]
    while stack:
        node, inside = stack.pop()
        tag = node.tag or ""
        inside = inside or tag in {"article", "main"} or node.attributes.get("role") == "main"
        child = node.child
        while child is not None:
            if not (child.tag or "-").startswith("-"):
                extent = extents[child.mem_id]
                # An element that has half of the text is not beside the article.
                if extent.words * 2 < max(page.words, 1) and _surrounds(
                    child, extent, inside=inside, has_article=has_article, titled=titles_inside > 0
                ):
                    found.add(child.mem_id)
                else:
                    stack.append((child, inside))
            child = child.next
    return frozenset(found)


def _surrounds(node: Any, extent: _Extent, *, inside: bool, has_article: bool, titled: bool) -> bool:
    tag, attributes = node.tag, node.attributes
    role = attributes.get("role") or ""
    mostly_links = extent.links > 1 and extent.linked > extent.words
    if tag in {"article", "main", "nav", "dialog"} or role == "main" or role in _ROLES:
        return tag not in {"article", "main"} and role != "main"
    if tag in {"header", "footer", "aside"} or role in _PAGE_ROLES:
        if inside:
            return mostly_links
        return tag != "header" or titled or not extent.titles
    names = _names(attributes)
    if mostly_links and (names & _MENU_NAMES or (has_article and not inside and tag in _LISTS and extent.links > 2)):
        return True
    is_short = extent.words + extent.linked <= _MOST_BANNER_WORDS
    return is_short and not inside and _is_banner(node, tag, names, extent)


def _is_banner(node: Any, tag: str, names: frozenset[str], extent: _Extent) -> bool:
    """Return whether a short element asks for consent or for an address."""
    if names & _BANNER_NAMES or (tag == "form" and extent.buttons):
        return extent.buttons + extent.links > 0
    if extent.titles or not (extent.buttons or tag in {"p", "div", "section"}):
        return False
    text = node.text()
    return bool(_COOKIES.search(text)) and bool(_BANNER.search(text)) and bool(extent.buttons or extent.links)


def _names(attributes: dict[str, str | None]) -> frozenset[str]:
    told = f"{attributes.get('id') or ''} {attributes.get('class') or ''}"
    return frozenset(part.lower() for part in _NAME_PARTS.findall(told[:1000]))


def _extents(body: Any) -> dict[int, _Extent]:
    """Return the extent of each element, by its memory address."""
    extents = {body.mem_id: _Extent()}
    open_elements: list[Any] = [body]
    stack: list[tuple[Any, bool, bool]] = [(body, True, False)]
    while stack:
        node, entering, in_link = stack.pop()
        tag = node.tag or ""
        if tag == "-text":
            words = len(node.text(deep=False).split())
            extent = extents[open_elements[-1].mem_id]
            if in_link:
                extent.linked += words
            else:
                extent.words += words
        elif tag.startswith("-"):
            continue
        elif not entering:
            open_elements.pop()
            extents[open_elements[-1].mem_id].add(extents[node.mem_id])
        else:
            if node is not body:
                extents[node.mem_id] = _Extent(links=tag == "a", buttons=tag in {"button", "input"}, titles=tag == "h1")
                open_elements.append(node)
                stack.append((node, False, in_link))
            child = node.last_child
            while child is not None:
                stack.append((child, True, in_link or tag == "a"))
                child = child.prev
    return extents


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

"""Finds what stands around the article of an HTML page: menus, page headers and footers, cookie and newsletter lines.

The rules leave rather too much than too little: nothing is taken for a surrounding that has half of the page's text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

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

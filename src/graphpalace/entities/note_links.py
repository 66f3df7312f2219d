"""Names that the links and tags of notes give, as Obsidian and other programs for notes write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote

from graphpalace.entities.name_form import as_title_name

# [[page]], [[folder/page|shown]], [[page#heading]], [[page#^block]], ![[embedded page]]; in tables the bar is escaped
_LINK = re.compile(r"!?\[\[([^\[\]|#^\n]{1,120}?)(?:[#^][^\[\]|\n]*)?(?:\\?\|([^\[\]\n]*))?\]\]")
_TAG = re.compile(r"(?:(?<=[\s(])|^)#([\w/-]{1,80})(?![\w/-])", re.MULTILINE)
_COLOUR = re.compile(r"(?=.*\d|(.)\1*$)(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+", re.DOTALL)
_MEDIA = frozenset({
    ".avif", ".base", ".bmp", ".canvas", ".excalidraw", ".flac", ".gif", ".jpeg", ".jpg", ".m4a", ".mkv", ".mov",
    ".mp3", ".mp4", ".ogg", ".pdf", ".png", ".svg", ".wav", ".webm", ".webp",
})  # fmt: skip
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_NO_PAGE = frozenset({
    "_index", "changelog", "contributing", "home", "index", "license", "note", "notes", "readme", "todo", "untitled",
})  # fmt: skip


def linked_pages(text: str) -> Iterator[str]:
    """Yield the pages that the wiki links of a text lead to, by name. Links to pictures and other media are left out.

    >>> list(linked_pages("See [[farm/Barn#Roof|the roof]] and ![[Silo]], not ![[barn.png]] or [[#Above]]."))
    ['Barn', 'Silo']
    """
    for found in _LINK.finditer(_CODE.sub(" ", text)):
        if name := _page(found):
            yield name


def as_shown(text: str) -> str:
    """Return a text with what is shown for each wiki link in its place, and nothing for a picture.

    >>> as_shown("See [[farm/Barn#Roof|the roof]] of [[Barn]]. ![[barn.png]]")
    'See the roof of Barn. '
    """
    return _LINK.sub(lambda found: found[2] or _page(found), text)


def _page(link: re.Match[str]) -> str:
    """Return the name of the page that a link leads to; "" if it leads to none."""
    name = link[1].rpartition("/")[2].removesuffix(".md")
    # Blanks at the ends are those of a condition in a shell: [[ -f file ]].
    return name if name == name.strip() and PurePosixPath(name).suffix.lower() not in _MEDIA else ""


def tags_in(text: str) -> Iterator[str]:
    """Yield the tags of a text, without `#`. Numbers, as of issues, and colours are no tags.

    >>> list(tags_in("#herbs (#farm/bees) #12 #ff8800 a#b `#code`"))
    ['herbs', 'farm/bees']
    """
    for found in _TAG.finditer(_CODE.sub(" ", text)):
        tag = found[1].strip("/-")
        if any(sign.isalpha() for sign in tag) and not _COLOUR.fullmatch(tag):
            yield tag


def with_parents(tag: str) -> Iterator[str]:
    """Yield a tag and those that it is a part of.

    >>> list(with_parents("farm/bees/honey"))
    ['farm/bees/honey', 'farm/bees', 'farm']
    """
    while tag:
        yield tag
        tag = tag.rpartition("/")[0]


def page_name(source_uri: str) -> str | None:
    """Return the name under which links know the page of a note's file; None if the file has no name of its own.

    >>> page_name("file:///notes/Winter%20garden.md"), page_name("file:///notes/readme.md")
    ('Winter garden', None)
    """
    stem = PurePosixPath(unquote(source_uri.partition("#")[0])).stem
    if not source_uri.startswith("file:") or stem.casefold() in _NO_PAGE:
        return None
    return stem if _DAY.fullmatch(stem) else as_title_name(stem)

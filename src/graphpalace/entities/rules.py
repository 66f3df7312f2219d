"""The recogniser that needs no model: names in prose, in code, and those that form, links and tags mark."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote

from graphpalace.domain.knowledge.entity import EntityType, normalised_name
from graphpalace.entities.mention import Mention, ReadableText
from graphpalace.entities.name_form import as_title_name, capital_names, is_in_capitals, looks_like_person
from graphpalace.entities.words import guessed_language

# [[page]], [[folder/page|shown]], [[page#heading]], [[page#^block]], ![[embedded page]]; in tables the bar is escaped
_NOTE_LINK = re.compile(r"!?\[\[([^\[\]|#^\n]{1,120}?)(?:[#^][^\[\]|\n]*)?(?:\\?\|([^\[\]\n]*))?\]\]")
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
    for found in _NOTE_LINK.finditer(_CODE.sub(" ", text)):
        if name := _page(found):
            yield name


def as_shown(text: str) -> str:
    """Return a text with what is shown for each wiki link in its place, and nothing for a picture.

    >>> as_shown("See [[farm/Barn#Roof|the roof]] of [[Barn]]. ![[barn.png]]")
    'See the roof of Barn. '
    """
    return _NOTE_LINK.sub(lambda found: found[2] or _page(found), text)


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


_LEAST_CHARS = 3
_DEFINES = re.compile(
    r"^[ \t]*(?:(?:export|default|public|private|protected|static|final|abstract|async|unsafe|inline"
    r"|pub(?:\([a-z]+\))?)[ \t]+)*"
    r"(?:def|class|function\*?|func|fn|struct|enum|trait|interface|record|type|mod|namespace|union)[ \t]+"
    r"(?:\([^()\n]*\)[ \t]*)?([A-Za-z_]\w*)",
    re.MULTILINE,
)
_IMPORTS = re.compile(
    r"^[ \t]*(?:from[ \t]+([A-Za-z_][\w.]*)[ \t]+import\b"  # Python
    r"|(?:import|export)\b[^;\n\"']*?from[ \t]*[\"']([^\"'\n]+)[\"']"  # JavaScript
    r"|import[ \t]+(?:\w+[ \t]+)?\"([\w./-]+)\""  # Go
    r"|import[ \t]+(?:static[ \t]+)?([A-Za-z_][\w.]*)"  # Python, Java
    r"|(?:pub[ \t]+)?use[ \t]+([A-Za-z_][\w:]*)"  # Rust
    r"|#[ \t]*include[ \t]*[<\"]([\w./+-]+)[>\"])",  # C
    re.MULTILINE,
)
_HIDDEN = re.compile(r"^__\w+__$")
_LINK = re.compile(r"(?<!!)\[([^\[\]\n]{2,80})\]\((?:[^()\s]|\([^()\s]*\))+(?:\s+\"[^\"\n]*\")?\)")
_HEADER = re.compile(r"^(?:From|To|Cc|Bcc|Sender|Reply-To|Von|An|De|À|Para):[ \t]*(.+)$", re.MULTILINE | re.IGNORECASE)
_ADDRESSEE = re.compile(r"\"?([^\W\d_][^<>\",;:\n]{1,60}?)\"?[ \t]*<[^<>\s@]+@[^<>\s@]+>")
_SPEAKER = re.compile(r"^[ \t>*-]*(?:\*\*)?([^\W\d_][\w.'\u2019 -]{1,40}?)(?:\*\*)?:(?:\*\*)?[ \t]+\S", re.MULTILINE)
_LEAST_TURNS = 2  # a speaker speaks more than once, or between others who do
_NOUNS_LARGE = frozenset({"de"})


class RuleRecogniser:
    """Finds names by capital letters, and by the form of links, headers, conversations and source code."""

    version = "rules-3"

    def names(self, texts: Sequence[ReadableText]) -> list[list[Mention]]:
        """Return the mentions in each text."""
        return [list(self._names(text)) for text in texts]

    def _names(self, text: ReadableText) -> Iterator[Mention]:
        if is_code(text.media_type):
            yield from code_names(text.text, text.headings)
            return
        large = guessed_language(text.text) in _NOUNS_LARGE
        prose = [] if is_in_capitals(text.text) else list(capital_names(as_shown(text.text), nouns_large=large))
        yield from joined(prose, list(marked_names(text)))


def joined(prose: Sequence[Mention], marked: Sequence[Mention]) -> list[Mention]:
    """Return mentions in prose together with those that the form of the text marks.

    What is marked tells the type where prose tells none; a name that prose has already is not counted again.
    """
    kinds = {normalised_name(mention.name): mention.entity_type for mention in reversed(marked)}
    found = [
        Mention(mention.name, kinds.get(normalised_name(mention.name), mention.entity_type))
        if mention.entity_type == "concept"
        else mention
        for mention in prose
    ]
    known = {normalised_name(mention.name) for mention in prose}
    return found + [mention for mention in marked if normalised_name(mention.name) not in known]


def is_code(media_type: str) -> bool:
    """Return whether a document of this type is source code."""
    return media_type.startswith("text/x-") or media_type == "text/javascript"


def code_names(text: str, headings: Sequence[str] = ()) -> Iterator[Mention]:
    """Yield what a piece of source code defines and imports.

    Args:
        headings: Names of definitions that the piece belongs to, as the reader of its file found them.
    """
    defined = [found[1] for found in _DEFINES.finditer(text)]
    imported = [next(name for name in found.groups() if name) for found in _IMPORTS.finditer(text)]
    for name in (*(heading for heading in headings if heading.isidentifier()), *defined, *imported):
        plain = name.strip("./:").removesuffix(".h").removesuffix(".hpp")
        if len(plain) >= _LEAST_CHARS and not _HIDDEN.match(plain):
            yield Mention(plain, EntityType.CODE)


def marked_names(readable: ReadableText) -> Iterator[Mention]:
    """Yield the names that links, tags, headers and the turns of a conversation give; and the author of a message."""
    text, author = readable.text, readable.author
    if author and looks_like_person(author):
        yield Mention(author, EntityType.PERSON)
    for name in linked_pages(text):
        yield Mention(name, EntityType.CONCEPT)
    if author is None and readable.media_type == "text/markdown":
        for tag in tags_in(text):
            for name in with_parents(tag):
                yield Mention(name, EntityType.CONCEPT)
    for found in _LINK.finditer(text):
        if (name := as_title_name(found[1].strip("*_` "))) is not None:
            yield Mention(name, EntityType.CONCEPT)
    for line in _HEADER.finditer(text):
        for found in _ADDRESSEE.finditer(line[1]):
            yield Mention(found[1].strip(), EntityType.PERSON)
    yield from _speakers(text)


def _speakers(text: str) -> Iterator[Mention]:
    turns = [found[1].strip() for found in _SPEAKER.finditer(text)]
    for name in dict.fromkeys(turns):
        if turns.count(name) >= _LEAST_TURNS and looks_like_person(name):
            yield Mention(name, EntityType.PERSON)

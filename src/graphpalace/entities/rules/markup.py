"""Names that the form of a text marks: links, wiki links, tags, headers of mail, speakers of a conversation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphpalace.domain.knowledge.entity import EntityType
from graphpalace.entities.mention import Mention, ReadableText
from graphpalace.entities.name_form import as_title_name, looks_like_person
from graphpalace.entities.rules.notes import linked_pages, tags_in, with_parents

_LINK = re.compile(r"(?<!!)\[([^\[\]\n]{2,80})\]\((?:[^()\s]|\([^()\s]*\))+(?:\s+\"[^\"\n]*\")?\)")
_HEADER = re.compile(r"^(?:From|To|Cc|Bcc|Sender|Reply-To|Von|An|De|À|Para):[ \t]*(.+)$", re.MULTILINE | re.IGNORECASE)
_ADDRESSEE = re.compile(r"\"?([^\W\d_][^<>\",;:\n]{1,60}?)\"?[ \t]*<[^<>\s@]+@[^<>\s@]+>")
_SPEAKER = re.compile(r"^[ \t>*-]*(?:\*\*)?([^\W\d_][\w.'\u2019 -]{1,40}?)(?:\*\*)?:(?:\*\*)?[ \t]+\S", re.MULTILINE)
_LEAST_TURNS = 2  # a speaker speaks more than once, or between others who do


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

"""The form of names: which names capital letters tell in prose, and whether a whole text is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphpalace.domain.knowledge.entity import EntityType
from graphpalace.entities.mention import Mention
from graphpalace.entities.words import COMMON, EVENTS, GERMAN, JOINING, ORGANISATIONS, PLACES, ROLES, SMALL, TITLES

_WORD = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr)\.|[^\W_](?:[\w&\u2019'-]*[\w&])?(?:(?<=\b[^\W\d_])\.)?")
_CODE_SPAN = re.compile(r"```.*?```|`[^`\n]*`|https?://\S+|<[^<>\n]*>", re.DOTALL)
_ONLY_INSIDE = frozenset({"and", "for", "the"})  # join only where the name goes on after `of`
_OPENING = re.compile(r"[.!?:;\u2026]['\"\u201d\u2019)\]]*\s|\n|[\"\u201c(\[]\s*$")  # between two words
_MOST_WORDS, _MOST_CHARS = 8, 80
_READ_CHARS = 2000  # of a text, by which its capitals are judged
_LEAST_WORDS, _CAPITALS_SHARE = 5, 0.7
_PATH_OR_FILE = re.compile(r"[\\/]|\.[A-Za-z][A-Za-z0-9]{0,4}$|^\.|://")
_SENTENCE_END = re.compile(r"[.!?;:…]$")
_BRACKETED = re.compile(r"\s*\([^()]*\)\s*$")
_OF_A_ROOM = re.compile(r" notes$")
_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|chapter \d+:?)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    end: int
    opens: bool  # whether it is the first word of a sentence, a line or a quotation

    @property
    def large(self) -> bool:
        return self.text[:1].isupper()

    @property
    def acronym(self) -> bool:
        letters = self.text.replace(".", "").replace("&", "")
        return 2 <= len(letters) <= 8 and letters.isupper() and letters[:1].isalpha()

    @property
    def mixed(self) -> bool:
        return any(letter.isupper() for letter in self.text[1:]) and any(letter.islower() for letter in self.text)


def capital_names(text: str, *, nouns_large: bool = False) -> Iterator[Mention]:
    """Yield the names in a text, in order.

    A single word that opens a sentence is a name only if the text has it inside a sentence too.

    Args:
        nouns_large: Whether the language writes all nouns large, as German does. Then one word is a name only if it
            has capitals inside or stands behind a title such as Frau.
    """
    plain = _CODE_SPAN.sub(lambda found: " " * len(found[0]), text)
    tokens = _tokens(plain)
    inside = {token.text for token in tokens if token.large and not token.opens}
    at = 0
    while at < len(tokens):
        end = _run_end(tokens, at, plain)
        if end == at:
            at += 1
            continue
        if (mention := _mention(tokens[at:end], inside, nouns_large=nouns_large)) is not None:
            yield mention
        at = end


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    end = 0
    for word in _WORD.finditer(text):
        between = text[end : word.start()]
        found.append(_Token(word[0], word.start(), word.end(), not found or bool(_OPENING.search(between))))
        end = word.end()
    return found


def _run_end(tokens: list[_Token], start: int, text: str) -> int:
    """Return the index after the last word of the name that starts here; `start` if none does."""
    if not tokens[start].large:
        return start
    end = start + 1
    while end < len(tokens):
        small = end
        while (
            small < len(tokens)
            and small - end < 3
            and tokens[small].text.lower() in JOINING
            and not tokens[small].large
        ):
            small += 1
        if small >= len(tokens) or not _adjoin(tokens, end - 1, small, text):
            break
        joined = [token.text.lower() for token in tokens[end:small]]
        number = tokens[small].text.isdigit() and not joined
        if joined == ["of"] and _is_apart(tokens, start, end, small):
            break
        if not (tokens[small].large or number) or (joined and set(joined) <= _ONLY_INSIDE and "&" not in joined):
            break
        end = small + 1
        if number:
            break
    return end


def _is_apart(tokens: list[_Token], start: int, end: int, after: int) -> bool:
    """Return whether two words that start large follow `of`, so that a name of its own begins there.

    The Analytical Engine of Charles Babbage is two names; the Department of Homeland Security is one.
    """
    if {token.text.lower() for token in tokens[start:end]} & (ORGANISATIONS | PLACES | EVENTS):
        return False
    return after + 1 < len(tokens) and tokens[after].large and tokens[after + 1].large and not tokens[after + 1].opens


def _adjoin(tokens: list[_Token], first: int, last: int, text: str) -> bool:
    """Return whether only blanks stand between these words, and no sentence starts there."""
    return all(
        not text[tokens[at].end : tokens[at + 1].start].strip()
        and "\n\n" not in text[tokens[at].end : tokens[at + 1].start]
        and not tokens[at + 1].opens
        for at in range(first, last)
    )


def _mention(run: list[_Token], inside: set[str], *, nouns_large: bool) -> Mention | None:
    titled = False
    common = COMMON | GERMAN if nouns_large else COMMON
    while run and (word := run[0].text.rstrip(".").lower()) in TITLES | common:
        titled = word in TITLES
        run = run[1:]
    while run and (run[-1].text.lower() in JOINING or run[-1].text.lower() in COMMON):
        run = run[:-1]
    if not run or run[0].text.isdigit():
        return None
    name = " ".join(token.text for token in run)
    if len(run) == 1:
        (word,) = run
        if len(word.text) < 2 or (word.text.endswith(".") and len(word.text) == 2):
            return None
        special = word.acronym or word.mixed
        if nouns_large and not (special or titled):
            return None
        if word.opens and not (special or titled or word.text in inside):
            return None
    elif nouns_large and run[0].opens and len(run) == 2 and not titled and not all(token.large for token in run):
        return None
    return Mention(name, EntityType.PERSON if titled else _type(run))


def _type(run: list[_Token]) -> EntityType:
    words = {token.text.rstrip(".").lower() for token in run}
    if len(run) > 1:
        for cues, kind in (
            (ORGANISATIONS, EntityType.ORGANISATION),
            (EVENTS, EntityType.EVENT),
            (PLACES, EntityType.PLACE),
        ):
            if words & cues:
                return kind
    if len(run) > 1 and any(len(token.text.rstrip(".")) == 1 for token in run[:-1]):
        return EntityType.PERSON  # J. Smith
    return EntityType.CONCEPT


def as_title_name(title: str) -> str | None:
    """Return the name in a document's title, without what stands behind it in brackets; None if it is no name.

    A path, a sentence, and a title most of whose words start small are no names.

    >>> as_title_name("Ed Wood (film)"), as_title_name("Analytical engine"), as_title_name("Lord of the Rings")
    ('Ed Wood', 'Analytical engine', 'Lord of the Rings')
    >>> [as_title_name(title) for title in ("src/main.py", "How do I bake bread?", "Learning to bake bread")]
    [None, None, None]
    """
    name = _BRACKETED.sub("", title).strip()
    if not name or len(name) > _MOST_CHARS or _PATH_OR_FILE.search(name) or _OF_A_ROOM.search(name):
        return None
    if _SENTENCE_END.search(name) and not name.endswith(("Jr.", "Sr.", "Inc.", "Ltd.", "Co.")):
        return None
    words = name.split()
    weighty = [word for word in words if word.lower() not in SMALL]
    if not weighty or len(words) > _MOST_WORDS or _NUMBERED.match(name):
        return None
    large = sum(word.lstrip("\"'(\u201c\u2018")[:1].isupper() or word[:1].isdigit() for word in weighty)
    if any(letter.isupper() for letter in name):
        return name if 2 * large >= len(weighty) else None
    return None if any(letter.islower() for letter in name) else _uncased(name)


def is_in_capitals(text: str) -> bool:
    """Return whether a text is written in capitals throughout, so that capitals do not tell names from other words.

    >>> is_in_capitals("THE USE OF ABSTRACTS BY CHEMISTS"), is_in_capitals("NASA and ESA"), is_in_capitals("IBM")
    (True, False, False)
    """
    words = [word for word in text[:_READ_CHARS].split() if any(letter.isalpha() for letter in word)]
    return len(words) >= _LEAST_WORDS and sum(word.isupper() for word in words) > _CAPITALS_SHARE * len(words)


def looks_like_person(name: str) -> bool:
    """Return whether a text may be the name of somebody who writes or speaks: one to four words that start large.

    >>> looks_like_person("Ada Lovelace"), looks_like_person("assistant"), looks_like_person("Note")
    (True, False, False)
    """
    words = name.split()
    if not 1 <= len(words) <= 4 or name.lower() in ROLES:
        return False
    return all(word[:1].isupper() or word.lower() in SMALL for word in words) and words[0].lower() not in SMALL


def _uncased(name: str) -> str | None:
    """Return a name in a script without capitals, such as Chinese, if it is short."""
    return name if any(letter.isalpha() for letter in name) and len(name) <= _MOST_CHARS // 4 else None

"""Chooses the room of each passage and the hall of a room: by folder, heading or chapter, and by cue words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from graphpalace.domain.drawers.document import Document
from graphpalace.domain.identity import as_place_name
from graphpalace.domain.palaces.places import HallType

COMMON_ROOM = "general"
_LONGEST_NAME = 120
_BOOK = 100  # least passages of a book
_LEAST_CHAPTERS = 3
_CHAPTER = 4  # least passages of a chapter, on average
Folders = tuple[str, ...]
LEAST_FILES = 10  # in a folder and those below it, for it to be a room of its own


def rooms_of(document: Document, *, mode: str, folder: str | None = None) -> list[str]:
    """Return the name of the room of each passage.

    Args:
        mode: `folders` and `auto` use the room of the document's folder, or the common room if there is none.
            `headings` uses the outermost level of headings that differ within the document. `clusters` uses the common
            room. With `auto` and `clusters`, `settle` divides the common room into topics later.
        folder: Name of the room of the document's folder.
    """
    if mode == "headings":
        depth = _telling_depth(document)
        return [
            _name(passage.headings[depth]) if depth is not None and len(passage.headings) > depth else COMMON_ROOM
            for passage in document.passages
        ]
    room = COMMON_ROOM if folder is None or mode == "clusters" else _name(folder)
    return [room] * len(document.passages)


def folder_name(uri: str) -> str | None:
    """Return the name of the folder of a file, or of a part of it, as a room; None if it has none."""
    parts = urlsplit(uri)
    folder = unquote(parts.path).rpartition("/")[0].rpartition("/")[2]
    return _name(folder) if parts.scheme == "file" and folder else None


def is_book(document: Document) -> bool:
    """Return whether a document is so long, and has so many passages under each of its outermost headings, that these
    are chapters.
    """
    if len(document.passages) < _BOOK:
        return False
    chapters = Counter(rooms_of(document, mode="headings"))
    return len(chapters) >= _LEAST_CHAPTERS and len(document.passages) >= _CHAPTER * len(chapters)


def _telling_depth(document: Document) -> int | None:
    """Return the first depth at which two passages have different headings.

    If there is no such depth, it is 0, or None if no passage has a heading.
    """
    deepest = max((len(passage.headings) for passage in document.passages), default=0)
    for depth in range(deepest):
        if len({passage.headings[depth] for passage in document.passages if len(passage.headings) > depth}) > 1:
            return depth
    return 0 if deepest else None


def _name(text: str) -> str:
    plain = as_place_name(text, most_chars=_LONGEST_NAME)
    shouted = plain.isupper() and " " in plain
    return (plain.capitalize() if shouted else plain) or COMMON_ROOM


class FolderRooms:
    """The rooms that folders make.

    A folder is a room if it has at least ten files, with those of the folders below it. Smaller ones belong to the room
    of the folder above, but a folder below the ingested root is always a room.

    A room has the path of its folder as its name, without folders that do not divide anything: those that all files
    share, and those that hold nothing but one other folder.
    """

    def __init__(self, files: Iterable[Folders]) -> None:
        """Count the files.

        Args:
            files: Folder names between the ingested root and each file, outermost first.
        """
        own = Counter(folders for folders in files if folders)
        self._below: Counter[Folders] = Counter()
        inside: defaultdict[Folders, set[Folders]] = defaultdict(set)
        for folders, count in own.items():
            for depth in range(1, len(folders) + 1):
                self._below[folders[:depth]] += count
                inside[folders[: depth - 1]].add(folders[:depth])
        self._wrappers = {above for above, children in inside.items() if len(children) == 1 and above not in own}
        self._shared = 0
        at: Folders = ()
        while len(inside[at]) == 1:
            (at,) = inside[at]
            self._shared += 1

        self._names = Counter(self._short(room) for room in {self._room(folders) for folders in own})

    def name(self, folders: Folders) -> str | None:
        """Return the name of the room of files in a folder; None for files directly below the ingested root."""
        if not folders:
            return None
        room = self._room(folders)
        short = self._short(room)
        return short if self._names[short] <= 1 else "/".join(room)

    def _room(self, folders: Folders) -> Folders:
        deep = (folders[:depth] for depth in range(len(folders), 1, -1))
        return next((folder for folder in deep if self._below[folder] >= LEAST_FILES), folders[:1])

    def _short(self, room: Folders) -> str:
        above = range(min(self._shared, len(room) - 1), len(room) - 1)
        return "/".join([*(room[at] for at in above if room[: at + 1] not in self._wrappers), room[-1]])


# The least share of sentences with cues of a hall type, and the least lead over any other hall type.
DOMINANT_SHARE = 0.3
MARGIN = 0.1

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[\r\n]+")

_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)

_CUES = {
    HallType.PREFERENCES: (
        r"prefer(?:s|red|ence|ences)?",
        r"(?:i|we|you|they|he|she|who)(?: (?:really|also|would|do|don't|does|doesn't|always|much))*"
        r" (?:like|love|enjoy|hate|dislike)s?",
        r"(?:likes|loves|enjoys|hates|dislikes|adores)",
        r"favou?rites?",
        r"wants?",
        r"would rather",
        r"fond of",
    ),
    HallType.ADVICE: (
        r"should(?:n't)?",
        r"recommend(?:s|ed|ation|ations)?",
        r"must(?:n't)?",
        r"how to",
        r"tips?",
        r"avoid(?:s|ing)?",
        r"make sure",
        r"ought to",
        r"had better",
        r"best practices?",
        r"advi[cs]e[sd]?",
        r"remember to",
    ),
    HallType.EVENTS: (
        r"\d{4}-\d{2}-\d{2}",
        r"\d{1,2}(?:st|nd|rd|th)? (?:" + _MONTH + r")",
        r"(?:" + _MONTH + r") \d{1,4}",
        r"(?:on|last|next|this) (?:mon|tues|wednes|thurs|fri|satur|sun)day",
        r"(?:last|next) (?:week|month|year|night)",
        r"yesterday",
        r"tomorrow",
        r"meetings?",
        r"released",
        r"launched",
        r"happen(?:s|ed)",
        r"took place",
        r"incidents?",
        r"deadline",
        r"attended",
    ),
    HallType.DISCOVERIES: (
        r"found (?:out|that)",
        r"turn(?:s|ed) out",
        r"root cause",
        r"learn(?:ed|t) (?:that|how)",
        r"(?:i|we|they|he|she)(?: have)? learn(?:ed|t)",
        r"discover(?:ed|y|ies)",
        r"reali[sz]ed",
        r"it (?:was|is) because",
        r"figured out",
        r"noticed that",
        r"insights?",
    ),
}

_PATTERNS = {hall: re.compile(rf"\b(?:{'|'.join(cues)})\b", re.IGNORECASE) for hall, cues in _CUES.items()}


def hall_type(texts: Iterable[str]) -> HallType:
    """Return the hall type of the texts.

    Texts are split into sentences at full stops, question marks, exclamation marks and line ends. The type with the
    largest share of sentences with its cues wins, among preferences, advice, events and discoveries, if the share is at
    least 0.3 and at least 0.1 above the next. Otherwise, and if there are no sentences, the type is facts.

    >>> hall_type(["Anna prefers green tea.", "She likes it hot."])
    <HallType.PREFERENCES: 'preferences'>
    """
    sentences = 0
    cued = dict.fromkeys(_PATTERNS, 0)
    for text in texts:
        for sentence in _SENTENCE_END.split(text):
            if not sentence.strip():
                continue
            sentences += 1
            for hall, pattern in _PATTERNS.items():
                cued[hall] += pattern.search(sentence) is not None
    if not sentences:
        return HallType.FACTS
    (best, most), (_, second) = sorted(cued.items(), key=lambda item: -item[1])[:2]
    dominant = most >= DOMINANT_SHARE * sentences and most - second >= MARGIN * sentences
    return best if dominant and most > second else HallType.FACTS

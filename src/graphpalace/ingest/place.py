"""Chooses the room of each passage without a language model: by folder, by heading or chapter, or the common room."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from graphpalace.domain.drawers.document import Document
from graphpalace.domain.identity import as_place_name

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

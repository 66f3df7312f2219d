"""The sources that a wing has, and which of them the documents of an ingest are, wherever their files are now."""

from __future__ import annotations

import stat
from collections import ChainMap, Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from graphpalace.domain.document import Document
from graphpalace.domain.identity import text_hash
from graphpalace.ingest.files.discover import real_path
from graphpalace.ingest.files.recognise import Recognised, StoredSource, recognise
from graphpalace.operations.drawers.compose import free_closet_id, wing_id
from graphpalace.store.drawers.closets import ClosetSource, ClosetStore

_ALIKE = 0.5  # least share of equal lines, or of equal passages, of what is one source although it was changed
_MOST_LINES_BYTES = 16 * 2**20  # of a file whose lines are compared
_CLOSETS_READ = 500  # whose texts are read at once


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """Where a document is stored.

    Attributes:
        closet: Id of its closet.
        mark: Mark of what the closet has; None if there is something to write in any case.
        new: Whether the closet is to be created.
        moved_from: The URI under which the closet had the document before.
        displaces: Other closets that have the URI of the document, and lose it; with that URI.
    """

    closet: str
    mark: str | None
    new: bool
    moved_from: str | None = None
    displaces: Mapping[str, str] = field(default_factory=dict)


class KnownSources:
    """The sources of a wing at the beginning of an ingest.

    Args:
        within: Folders below which files may be looked for; None: anywhere.
    """

    def __init__(self, closets: ClosetStore, *, palace: str, wing: str, within: Sequence[Path] | None = None) -> None:
        self._store = closets
        self._palace = palace
        self._wing = wing
        self._within = None if within is None else [real_path(folder.expanduser()) for folder in within]
        self._closets: dict[str, ClosetSource] = {}
        self._stored: list[StoredSource] = []
        self._taken: dict[str, str] = {}
        self._at: dict[str, list[StoredSource]] = {}
        self._files: Mapping[str, str] = {}
        self._found = Recognised()
        self._real: dict[Path, Path] = {}
        self._seen: set[str] = set()  # URIs of documents
        self._uris: dict[str, str] = {}  # of the documents that closets hold, by the closet
        self._with_text: dict[str, Counter[str]] | None = None  # closets of missing sources, and how often they have it
        self._passages: dict[str, int] = {}  # of these closets

    async def load(self) -> None:
        """Read what the wing has."""
        listed = await self._store.sources(self._palace, wing_id(self._palace, self._wing))
        self._closets = {closet.id: closet for closet in listed}
        self._stored = [StoredSource(closet.id, closet.source_uri, closet.source_uri) for closet in listed]
        self._index(Recognised())

    @property
    def any_files(self) -> bool:
        """Whether the wing has sources that are files."""
        return any(path_of(source.uri) is not None for source in self._stored)

    def recognise(self, files: Mapping[str, Sequence[str]]) -> None:
        """Look for the files of the sources on the disk, and tell which of them the files of an ingest are.

        Args:
            files: Hashes that the document of each file may have, by its URI; all or none are those of another file.
        """
        first = {found: hashes[0] for hashes in files.values() for found in hashes}
        self._files = {uri: hashes[0] if hashes else "" for uri, hashes in files.items()}
        there = _existing_files(files)
        self._stored = [self._looked_for(source, there, first) for source in self._stored]
        self._index(recognise(self._files, self._stored, alike=_alike, exists=_exists))

    async def place(self, document: Document) -> DocumentPlace:
        """Return where a document is stored, which counts as seen then."""
        uri = document.uri
        self._seen.add(uri)
        if uri not in self._found.sources:
            source = next((one for one in self._at.get(uri, ()) if one.closet not in self._uris), None)
            source = source or await self._missing_like(document)
            if source is None:
                taken = ChainMap(self._uris, self._taken)
                return DocumentPlace(free_closet_id(self._palace, self._wing, uri, taken), None, new=True)
            self._found.sources[uri] = source
            self._uris[source.closet] = uri
        return self._place(uri, self._found.sources[uri])

    def gone(self, roots: Sequence[Path], read: Iterable[str]) -> list[str]:
        """Return the URIs of sources that no longer exist, in order.

        They lay under the paths of the ingest, or in a folder that was moved there, or were copied there. What is on
        the disk is not gone, whether the ingest has read it or not; but a part that a file no longer has is.

        Args:
            roots: Paths of the ingest.
            read: URIs of the files that were read.
        """
        below = [real_path(root).as_uri() for root in roots]
        left = [folder for folder in self._found.left_folders if _exists(folder.rpartition("/")[0])]
        contents, whole = set(self._files.values()), set(read)

        def is_gone(source: StoredSource) -> bool:
            uri = self._uris.get(source.closet, source.place)
            file = uri.partition("#")[0]
            if not source.missing or file in self._files:
                return file in whole and uri not in self._seen
            inside = any(file == root or file.startswith(f"{root.rstrip('/')}/") for root in below + left)
            return inside or source.content_hash in contents

        return sorted({source.uri for source in self._stored if is_gone(source)})

    def _index(self, found: Recognised) -> None:
        """Take over which sources the documents are. Any other document is the source at its place."""
        self._found = found
        self._uris = {source.closet: uri for uri, source in found.sources.items()}
        self._taken = {closet.id: closet.source_uri for closet in self._closets.values()}
        self._at = {}
        for source in sorted(self._stored, key=lambda source: source.closet):
            self._at.setdefault(source.place, []).append(source)

    def _place(self, uri: str, source: StoredSource) -> DocumentPlace:
        others = {other.closet: other.uri for other in self._at.get(uri, ()) if other.closet not in self._uris}
        mark = self._closets[source.closet].content_hash if source.uri == uri and not others else None
        return DocumentPlace(
            source.closet, mark, new=False, moved_from=source.uri if source.uri != uri else None, displaces=others
        )

    def _looked_for(
        self, source: StoredSource, there: Mapping[tuple[int, int], str], first: Mapping[str, str]
    ) -> StoredSource:
        """Return a source with what the disk tells about it."""
        closet = self._closets[source.closet]
        content = closet.content_hash.rpartition("-")[0] if closet.content_hash else None
        place, missing = source.uri, False
        base, mark, part = source.uri.partition("#")
        named = path_of(base)
        if named is not None:
            path = self._without_links(named)
            place = path.as_uri() + mark + part
            allowed = self._within is None or any(path.is_relative_to(folder) for folder in self._within)
            missing = path.as_uri() not in self._files and allowed and is_missing(path, there)
        return StoredSource(source.closet, source.uri, place, first.get(content or "", content), missing)

    def _without_links(self, path: Path) -> Path:
        folder = self._real.get(path.parent)
        if folder is None:
            folder = self._real[path.parent] = real_path(path.parent)
        found = folder / path.name
        return real_path(found) if found.is_symlink() and found.exists() else found

    async def _missing_like(self, document: Document) -> StoredSource | None:
        """Return the missing source that has at least half of its passages in common with a new document."""
        if path_of(document.uri) is None or not document.passages:
            return None
        missing = {s.closet: s for s in self._stored if s.missing and s.closet not in self._uris}
        if not missing:
            return None
        if self._with_text is None:
            await self._read_texts(list(missing))
        assert self._with_text is not None
        own = Counter(text_hash(passage.text) for passage in document.passages)
        shared: Counter[str] = Counter()
        for text, times in own.items():
            for closet, there in self._with_text.get(text, {}).items():
                if closet in missing:
                    shared[closet] += min(times, there)
        if not shared:
            return None
        best = min(shared, key=lambda closet: (-shared[closet], missing[closet].place, closet))
        if shared[best] < _ALIKE * max(len(document.passages), self._passages[best]):
            return None
        return missing[best]

    async def _read_texts(self, closets: Sequence[str]) -> None:
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for start in range(0, len(closets), _CLOSETS_READ):
            some = await self._store.texts(self._palace, closets[start : start + _CLOSETS_READ])
            for closet, texts in some.items():
                self._passages[closet] = len(texts)
                for text in texts:
                    found[text_hash(text)][closet] += 1
        self._with_text = found


def path_of(uri: str) -> Path | None:
    """Return the path of a file URI; None for other URIs, and for those that name no possible file."""
    path = unquote(uri.removeprefix("file://"), errors="surrogateescape")
    return Path(path) if uri.startswith("file:///") and "\0" not in path else None


def is_missing(path: Path, there: Mapping[tuple[int, int], str]) -> bool:
    """Return whether a file is not on the disk under exactly this name. What cannot be looked at is not missing.

    Args:
        there: Paths of other files by device and inode. Where case does not matter, a file that was renamed from
            `Notes.md` to `notes.md` is found under both names.
    """
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    if stat.S_ISDIR(found.st_mode):
        return True
    other = there.get((found.st_dev, found.st_ino))
    return other is not None and other != str(path) and other.casefold() == str(path).casefold()


def _exists(uri: str) -> bool:
    path = path_of(uri)
    return path is not None and path.exists()


def _existing_files(uris: Iterable[str]) -> dict[tuple[int, int], str]:
    found = {}
    for path in map(path_of, uris):
        if path is not None:
            with suppress(OSError):
                state = path.stat()
                found[state.st_dev, state.st_ino] = str(path)
    return found


def _alike(one: str, other: str) -> bool:
    """Return whether two files have at least half of their lines in common."""
    try:
        first, second = (Counter(_lines(uri)) for uri in (one, other))
    except OSError:
        return False
    return (first & second).total() >= _ALIKE * max(1, first.total(), second.total())


def _lines(uri: str) -> list[bytes]:
    path = path_of(uri)
    if path is None:
        return []
    with path.open("rb") as file:
        return [line for line in file.read(_MOST_LINES_BYTES).splitlines() if line.strip()]

"""The sources that a wing has, and which of them the documents of an ingest are, wherever their files are now."""

from __future__ import annotations

from collections import ChainMap, Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.files import path_of
from graphpalace.domain.drawers.ingest import SeenSources, stored_content
from graphpalace.domain.identity import text_hash
from graphpalace.ingest.files.disk_sources import first_hashes, gone_sources, recognised_files, sources_on_disk
from graphpalace.ingest.files.recognise import Recognised, StoredSource
from graphpalace.ingest.place import COMMON_ROOM
from graphpalace.operations.drawers.compose import free_closet_id, wing_id
from graphpalace.store.drawers.closets import ClosetSource, ClosetStore

_ALIKE = 0.5  # least share of equal passages of what is one source although it was changed
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
        self._within = within
        self._closets: dict[str, ClosetSource] = {}
        self._stored: list[StoredSource] = []
        self._taken: dict[str, str] = {}
        self._at: dict[str, list[StoredSource]] = {}
        self._files: Mapping[str, str] = {}
        self._found = Recognised()
        self._seen: set[str] = set()  # URIs of documents
        self._uris: dict[str, str] = {}  # of the documents that closets hold, by the closet
        self._with_text: dict[str, Counter[str]] | None = None  # closets of missing sources, and how often they have it
        self._passages: dict[str, int] = {}  # of these closets

    async def load(self) -> None:
        """Read what the wing has."""
        listed = await self._store.sources(self._palace, wing_id(self._palace, self._wing))
        self._closets = {closet.id: closet for closet in listed}
        self._stored = [
            StoredSource(closet.id, closet.source_uri, closet.source_uri, stored_content(closet.content_hash))
            for closet in listed
        ]
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
        self._files = first_hashes(files)
        self._stored = sources_on_disk(self._stored, files, within=self._within)
        self._index(recognised_files(files, self._stored))

    def take(self, seen: SeenSources) -> None:
        """Take over what a client has seen of the sources on its disk."""
        self._stored = [
            replace(
                source,
                place=seen.places.get(source.closet, source.place),
                missing=seen.missing.get(source.closet) == source.uri,
            )
            for source in self._stored
        ]
        closets = {source.closet: source for source in self._stored}
        self._index(Recognised({uri: closets[one] for uri, one in seen.sources.items() if one in closets}))

    def has(self, uri: str, mark: str) -> bool:
        """Return whether the source of a file has this mark, so that nothing is to be written; it counts as seen then.

        Args:
            mark: Of the document of the whole file.
        """
        source = self._found.sources.get(uri)
        if source is None or self._place(uri, source).mark != mark:
            return False
        self._seen.add(uri)
        return True

    def folder_rooms(self, *, mode: str) -> dict[str, str]:
        """Return the room of each folder from which an ingest of this mode has stored documents, by the folder's URI.

        Where they are in several rooms, it is the room of most of them.
        """
        rooms: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for closet in self._closets.values():
            if closet.folder_room not in (None, COMMON_ROOM) and _mode(closet) == mode:
                rooms[folder_of(closet.source_uri)][closet.folder_room] += 1
        return {folder: min(found, key=lambda room: (-found[room], room)) for folder, found in rooms.items()}

    def has_chapters(self, closet: str, *, mode: str) -> bool:
        """Return whether an ingest of this mode has divided a closet by its headings."""
        known = self._closets.get(closet)
        return known is not None and known.has_chapters and _mode(known) == mode

    def only(self, closet: str) -> bool:
        """Return whether the wing has no closet but this one, or none at all."""
        return self._closets.keys() <= {closet}

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
        """Return the URIs of sources that no longer exist, in order; `gone_sources` says which.

        Args:
            roots: Paths of the ingest.
            read: URIs of the files that were read.
        """
        return gone_sources(
            self._stored,
            uris=self._uris,
            files=self._files,
            seen=self._seen,
            roots=roots,
            read=set(read),
            left_folders=self._found.left_folders,
        )

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


def folder_of(uri: str) -> str:
    """Return the URI of the folder of a file, or of a part of it."""
    return uri.partition("#")[0].rpartition("/")[0]


def _mode(closet: ClosetSource) -> str:
    """Return how the rooms of a closet were found, which is a part of its mark."""
    return (closet.content_hash or "").rpartition("-")[2]

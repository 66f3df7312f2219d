"""Ingest files and folders: read, place, embed, link and store them in batches. Unchanged documents are skipped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from graphpalace.cluster.ahead import in_order
from graphpalace.cluster.ray_cluster import RayCluster
from graphpalace.domain.conversations import FiledConversation
from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.ingest import IngestReport, SeenSources, folders_of, mark_of
from graphpalace.domain.drawers.records import ClosetPart, DrawerRecord, RoomRecord, WriteResult
from graphpalace.domain.identity import place_name
from graphpalace.domain.palaces.places import WingType
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import NotFound, UnreadableDocument
from graphpalace.ingest.files.discover import FoundFile
from graphpalace.ingest.place import COMMON_ROOM, FolderRooms, is_book, rooms_of
from graphpalace.ingest.transcripts.hosts import is_transcript
from graphpalace.operations.drawers.compose import WingLanguages, drawer_records, room_id, room_record, wing_id
from graphpalace.operations.drawers.drawer_linker import LARGEST_BATCH, DrawerLinker
from graphpalace.operations.drawers.known_sources import DocumentPlace, KnownSources, folder_of
from graphpalace.operations.drawers.settle import settle
from graphpalace.operations.drawers.source_files import SourceFiles
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.settings.sections.ingest import IngestSettings
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.write_turn import WriteTurn
from graphpalace.store.drawers.closets import ClosetStore
from graphpalace.vectors.drawer_matrix import DrawerMatrix

_FOUND_BY = {"headings": "heading", "clusters": "cluster"}


@dataclass(slots=True)
class _Part:
    """A part of a closet whose drawers may not have vectors yet."""

    document: Document
    place: DocumentPlace
    drawers: list[DrawerRecord]
    keep: frozenset[str] | None


class Ingest:
    """Ingests files, folders or ready documents into one wing. Use a new object for each ingest."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        embedder: Embedder,
        *,
        palace: str,
        wing: str,
        wing_type: WingType = WingType.TOPIC,
        settings: IngestSettings | None = None,
        batch_drawers: int = LARGEST_BATCH,
        progress: Callable[[IngestReport], None] = lambda _report: None,
        file_transcript: Callable[[Path], Awaitable[FiledConversation | None]] | None = None,
        within: Sequence[Path] | None = None,
        cluster: RayCluster | None = None,
    ) -> None:
        """Create an ingest.

        Args:
            batch_drawers: Largest number of drawers in one transaction, >= 1.
            file_transcript: Files the transcript of a conversation; None: transcripts are read as other files are.
            within: Folders below which sources of the wing are looked for, wherever they were moved; None: anywhere.
            cluster: Whose workers read files; None: threads of this process.

        Raises:
            InvalidInput: If the wing's name is not valid.
        """
        self._database = database
        self._closets = ClosetStore(database)
        self._model = embedder.name
        self._languages = WingLanguages(database, fixed=(settings or IngestSettings()).fixed_language)
        self._indexes = indexes
        self._palace = palace
        self._wing = place_name("wing", wing)
        self._wing_id = wing_id(palace, self._wing)
        self._wing_type = wing_type
        self._settings = settings or IngestSettings()
        self._progress = progress
        self._file_transcript = file_transcript
        self._cluster = cluster
        self._rooms: dict[str, RoomRecord] = {}
        self._folder_rooms = FolderRooms([])
        self._known_rooms: dict[str, str] = {}
        self._alone = False
        self._known = KnownSources(self._closets, palace=palace, wing=self._wing, within=within)
        self._linker = DrawerLinker(
            embedder,
            largest_batch=batch_drawers,
            similar_k=self._settings.similar_k,
            similar_threshold=self._settings.similar_threshold,
        )
        self.report = IngestReport()

    async def run(self, paths: Sequence[Path], *, uris: Mapping[Path, str] | None = None) -> IngestReport:
        """Store what is new or changed under the paths, then settle rooms, halls and tunnels.

        A source that was moved keeps its closet and drawers, whose ids no longer follow from its place then.

        To finish an ingest that was killed, run it again. Every transaction stores whole closets, or a part of a long
        closet, which is marked as complete only with its last part.

        Args:
            uris: The URIs of sources that are not the files themselves, by their resolved path.
        """
        started = time.monotonic()
        matrix = await self._indexes.load(self._palace, many_neighbours=True)
        await self._known.load()
        leaves = is_transcript if self._file_transcript is not None else lambda _path: False
        source = SourceFiles(paths, self._settings, self.report, uris=uris, leaves=leaves, cluster=self._cluster)
        found = await asyncio.to_thread(source.discover)
        self._plan([file.folders for file in found])
        if self._known.any_files:
            found = await self._changed(source, found)
        documents = source.documents(found, progress=lambda: self._progress(self.report))
        await self._store(documents, matrix, settles=True)
        del matrix
        await self._file_transcripts(source.left)
        await self._settle()
        self.report.gone = self._known.gone(paths, source.read)
        self.report.seconds = time.monotonic() - started
        self._progress(self.report)
        return self.report

    async def _changed(self, source: SourceFiles, files: Sequence[FoundFile]) -> list[FoundFile]:
        """Recognise the sources of the wing, and return the files that must be read."""
        contents = await source.contents(files)
        await asyncio.to_thread(self._known.recognise, {uri: one.hashes for uri, one in contents.items()})
        marks = {
            uri: mark_of(one.whole, self._settings.rooms) for uri, one in contents.items() if one.whole is not None
        }
        same = {uri for uri, mark in marks.items() if self._known.has(uri, mark)}
        source.pass_over(file for file in files if source.uri(file) in same)
        return [file for file in files if source.uri(file) not in same]

    async def _file_transcripts(self, paths: Sequence[Path]) -> None:
        for path in paths:
            try:
                done = None if self._file_transcript is None else await self._file_transcript(path)
            except (UnreadableDocument, NotFound) as error:
                self.report.unreadable.append(error.message)
            else:
                self.report.count_filed(done)
            self.report.files_done += 1
            self._progress(self.report)

    async def store(self, documents: Sequence[Document], matrix: DrawerMatrix) -> None:
        """Store documents that are already read and split. Unlike `run`, this does not settle the palace afterwards.

        Args:
            documents: Passages that have vectors are not embedded again.
            matrix: All drawers of the palace, as `DrawerIndexes.load` returns them with `many_neighbours=True`. The new
                drawers are added to it.
        """
        self.report.files_total += len(documents)
        await self._known.load()
        self._plan([document.folders for document in documents])
        await self._store(self._ready(documents), matrix)

    def _plan(self, files: Sequence[tuple[str, ...]]) -> None:
        """Choose the rooms of folders. A folder from which documents are stored keeps the room that it has."""
        self._folder_rooms = FolderRooms(files)
        self._known_rooms = self._known.folder_rooms(mode=self._settings.rooms)
        self._alone = len(files) == 1

    async def take(self, documents: Sequence[Document], seen: SeenSources, *, last: bool) -> IngestReport:
        """Store documents that a client has read where this process cannot read, and report what was done of them.

        Args:
            seen: What the client has seen of the sources of the wing.
            last: Whether these are the last ones, after which rooms, halls and tunnels are settled.
        """
        matrix = await self._indexes.load(self._palace, many_neighbours=True)
        await self._known.load()
        self._known.take(seen)
        self._plan([folders for path, files in seen.folders.items() for folders in [folders_of(path)] * files])
        await self._store(self._ready(documents), matrix, settles=last)
        del matrix
        if last:
            await self._settle()
        return self.report

    async def _settle(self) -> None:
        await settle(
            self._database,
            self._indexes,
            palace=self._palace,
            rooms=self._settings.rooms,
            tunnel_threshold=self._settings.tunnel_threshold,
        )

    async def _ready(self, documents: Sequence[Document]) -> AsyncGenerator[Document, None]:
        for document in documents:
            yield document
            self.report.files_done += 1

    async def _store(
        self,
        documents: AsyncGenerator[Document, None],
        matrix: DrawerMatrix,
        *,
        settles: bool = False,
    ) -> None:
        """Embed, link and write what is new or changed.

        The steps overlap: while one batch commits, the next is being written and the one after it is embedded, or
        several if a cluster embeds them.
        """

        async def embedded(batch: list[_Part]) -> list[DrawerRecord]:
            drawers = [drawer for part in batch for drawer in part.drawers]
            await asyncio.to_thread(self._linker.embed, drawers, matrix)
            return drawers

        cluster = self._cluster
        writing: list[asyncio.Task[WriteResult]] = []
        turn: WriteTurn | None = None
        try:
            async with (
                aclosing(documents),
                aclosing(self._batches(documents)) as batches,
                aclosing(in_order(batches, embedded, at_once=1 if cluster is None else cluster.at_once)) as ready,
            ):
                async for batch, drawers in ready:
                    await asyncio.to_thread(self._linker.link, drawers, matrix, wing=self._wing_id)
                    if turn:
                        await turn.ready()
                    else:
                        texts = [drawer.text for drawer in drawers]
                        await self._languages.decide(self._palace, self._wing, texts, wing_type=self._wing_type)
                    for task in [task for task in writing if task.done() or task is not writing[-1]]:
                        self._count(await task)
                        writing.remove(task)
                    turn = WriteTurn(turn)
                    writing.append(asyncio.create_task(self._write(batch, turn)))
            if writing and settles:  # settling needs all drawers; load those committed so far during the last writes
                await self._indexes.warm(self._palace)
            for task in writing:
                self._count(await task)
        finally:
            for task in writing:
                task.cancel()
            await asyncio.gather(*writing, return_exceptions=True)

    async def _batches(self, documents: AsyncGenerator[Document, None]) -> AsyncGenerator[list[_Part], None]:
        """Group the changed documents into batches, one for each transaction."""
        batch: list[_Part] = []
        size = 0
        async for document in documents:
            place = await self._known.place(document)
            if place.mark == mark_of(document.content_hash, self._settings.rooms):
                self.report.documents_unchanged += 1
                continue
            if not document.passages and place.new:
                self.report.skipped["empty"] += 1
                continue
            self.report.documents_moved += place.moved_from is not None
            for part in self._parts(document, place):
                if batch and size + len(part.drawers) > self._linker.batch_drawers:
                    yield batch
                    batch, size = [], 0
                batch.append(part)
                size += len(part.drawers)
            self.report.documents_stored += 1
        if batch:
            yield batch

    def _parts(self, document: Document, place: DocumentPlace) -> Iterator[_Part]:
        mode = self._settings.rooms
        if mode == "auto" and not document.folders and is_book(document) and self._has_chapters(place):
            mode = "headings"
        known = self._known_rooms.get(folder_of(document.uri)) if document.folders else None
        names = rooms_of(document, mode=mode, folder=known or self._folder_rooms.name(document.folders))
        rooms = {name: room_id(self._palace, self._wing, name) for name in dict.fromkeys(names)}
        for name, identity in rooms.items():
            if identity not in self._rooms:
                texts = [p.text for p, n in zip(document.passages, names, strict=True) if n == name][:50]
                self._rooms[identity] = room_record(
                    self._palace,
                    self._wing,
                    name,
                    texts,
                    wing_type=self._wing_type,
                    found_by=_FOUND_BY.get(mode, "folder"),
                )
        drawers = drawer_records(self._palace, place.closet, document, [rooms[name] for name in names])
        size = self._linker.batch_drawers
        keep = frozenset(drawer.id for drawer in drawers)
        for start in range(0, max(len(drawers), 1), size):
            last = start + size >= len(drawers)
            yield _Part(document, place, drawers[start : start + size], keep if last else None)

    def _has_chapters(self, place: DocumentPlace) -> bool:
        """Return whether a book is all that its wing has, or was it when it was stored."""
        alone = self._alone and self._known.only(place.closet)
        return alone or self._known.has_chapters(place.closet, mode=self._settings.rooms)

    async def _write(self, batch: list[_Part], turn: WriteTurn) -> WriteResult:
        common = room_id(self._palace, self._wing, COMMON_ROOM)
        used = {drawer.room_id for part in batch for drawer in part.drawers}
        return await self._closets.write(
            self._palace,
            [self._rooms[room] for room in sorted(used)],
            [
                ClosetPart(
                    id=part.place.closet,
                    wing_id=self._wing_id,
                    title=part.document.title,
                    source_uri=part.document.uri,
                    media_type=part.document.media_type,
                    drawers=tuple(part.drawers),
                    keep=part.keep,
                    content_hash=mark_of(part.document.content_hash, self._settings.rooms)
                    if part.keep is not None
                    else None,
                    default_room=common,
                    publication=part.document.publication,
                    tags=part.document.tags,
                    aliases=part.document.aliases,
                    moved_from=part.place.moved_from,
                    displaces=part.place.displaces,
                )
                for part in batch
            ],
            model=self._model,
            turn=turn,
        )

    def _count(self, written: WriteResult) -> None:
        self.report.drawers_created += len(written.created)
        self.report.drawers_kept += len(written.kept)
        self.report.drawers_removed += len(written.removed)
        self.report.similar_edges += written.edges
        self._progress(self.report)

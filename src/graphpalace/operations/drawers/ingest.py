"""Ingest files and folders: read, place, embed, link and store them in batches. Unchanged documents are skipped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from graphpalace.domain.conversations import FiledConversation
from graphpalace.domain.document import Document
from graphpalace.domain.identity import place_name
from graphpalace.domain.ingest_report import IngestReport
from graphpalace.domain.records import ClosetPart, DrawerRecord, RoomRecord, WriteResult
from graphpalace.domain.room import WingType
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import NotFound, UnreadableDocument
from graphpalace.ingest.place import COMMON_ROOM, rooms_of
from graphpalace.ingest.transcripts.hosts import is_transcript
from graphpalace.operations.drawers.compose import drawer_records, room_id, room_record, wing_id
from graphpalace.operations.drawers.drawer_linker import LARGEST_BATCH, DrawerLinker
from graphpalace.operations.drawers.known_sources import DocumentPlace, KnownSources
from graphpalace.operations.drawers.settle import settle
from graphpalace.operations.drawers.source_files import SourceFiles
from graphpalace.operations.drawers.wing_languages import WingLanguages
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
    ) -> None:
        """Create an ingest.

        Args:
            batch_drawers: Largest number of drawers in one transaction, >= 1.
            file_transcript: Files the transcript of a conversation; None: transcripts are read as other files are.
            within: Folders below which sources of the wing are looked for, wherever they were moved; None: anywhere.

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
        self._rooms: dict[str, RoomRecord] = {}
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
        source = SourceFiles(paths, self._settings, self.report, uris=uris, leaves=leaves)
        found = await asyncio.to_thread(source.discover)
        if self._known.any_files:
            await asyncio.to_thread(self._known.recognise, await source.contents(found))
        documents = source.documents(found, progress=lambda: self._progress(self.report))
        await self._store(documents, matrix, settles=True)
        del matrix
        await self._file_transcripts(source.left)
        await settle(
            self._database,
            self._indexes,
            palace=self._palace,
            rooms=self._settings.rooms,
            tunnel_threshold=self._settings.tunnel_threshold,
        )
        self.report.gone = self._known.gone(paths, source.read)
        self.report.seconds = time.monotonic() - started
        self._progress(self.report)
        return self.report

    async def _file_transcripts(self, paths: Sequence[Path]) -> None:
        for path in paths:
            try:
                done = None if self._file_transcript is None else await self._file_transcript(path)
            except (UnreadableDocument, NotFound) as error:
                self.report.unreadable.append(error.message)
            else:
                self._count_filed(done)
            self.report.files_done += 1
            self._progress(self.report)

    def _count_filed(self, done: FiledConversation | None) -> None:
        if done is None:
            self.report.skipped["empty"] += 1
            return
        self.report.documents_stored += done.turns > 0
        self.report.documents_unchanged += done.turns == 0 and done.forgotten_at is None
        if done.forgotten_at is not None:
            self.report.skipped["forgotten"] += 1
        self.report.count_skipped("broken line", done.broken_lines)
        self.report.drawers_created += done.drawers_created
        self.report.drawers_removed += done.drawers_removed
        self.report.masked.update(done.masked)

    async def store(self, documents: Sequence[Document], matrix: DrawerMatrix) -> None:
        """Store documents that are already read and split. Unlike `run`, this does not settle the palace afterwards.

        Args:
            documents: Passages that have vectors are not embedded again.
            matrix: All drawers of the palace, as `DrawerIndexes.load` returns them with `many_neighbours=True`. The new
                drawers are added to it.
        """
        self.report.files_total += len(documents)
        await self._known.load()
        await self._store(self._ready(documents), matrix)

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

        The steps overlap: while one batch commits, the next is being written and the one after it is embedded.
        """
        writing: list[asyncio.Task[WriteResult]] = []
        turn: WriteTurn | None = None
        try:
            async with aclosing(documents), aclosing(self._batches(documents)) as batches:
                async for batch in batches:
                    drawers = [drawer for part in batch for drawer in part.drawers]
                    await asyncio.to_thread(self._linker.add, drawers, matrix, wing=self._wing_id)
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
            if place.mark == self._mark(document.content_hash):
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

    def _mark(self, content: str) -> str:
        """Return the mark of an up-to-date closet: its content hash and the mode in which its rooms were found."""
        return f"{content}-{self._settings.rooms}"

    def _parts(self, document: Document, place: DocumentPlace) -> Iterator[_Part]:
        names = rooms_of(document, mode=self._settings.rooms)
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
                    found_by=_FOUND_BY.get(self._settings.rooms, "folder"),
                )
        drawers = drawer_records(self._palace, place.closet, document, [rooms[name] for name in names])
        size = self._linker.batch_drawers
        keep = frozenset(drawer.id for drawer in drawers)
        for start in range(0, max(len(drawers), 1), size):
            last = start + size >= len(drawers)
            yield _Part(document, place, drawers[start : start + size], keep if last else None)

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
                    content_hash=self._mark(part.document.content_hash) if part.keep is not None else None,
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

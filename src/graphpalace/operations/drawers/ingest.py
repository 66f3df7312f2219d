"""Ingest files and folders: read, split, embed, place, link and store them. Unchanged documents are skipped."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from graphpalace.domain.document import Document
from graphpalace.domain.identity import place_name
from graphpalace.domain.records import ClosetPart, DrawerRecord, RoomRecord, WriteResult
from graphpalace.domain.room import WingType
from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import NotFound, UnreadableDocument
from graphpalace.ingest.files.discover import FoundFile, SkippedFile, discover
from graphpalace.ingest.files.file_reader import FileReader
from graphpalace.ingest.link import nearest_before
from graphpalace.ingest.place import COMMON_ROOM, rooms_of
from graphpalace.operations.drawers.compose import closet_id, drawer_records, room_id, room_record, wing_id
from graphpalace.operations.drawers.settle import settle
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.settings.sections.ingest import IngestSettings
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.write_turn import WriteTurn
from graphpalace.store.drawers.closets import ClosetStore
from graphpalace.vectors.drawer_matrix import DrawerMatrix, DrawerRows

_LARGEST_BATCH, _SMALLEST_BATCH = 1000, 100
_BATCH_S = 5.0  # after the first batch, a batch holds as many drawers as can be embedded in about this time

_LINK_BLOCK = 512  # drawers that are linked in one step: compared with each other and with all earlier drawers

_FOUND_BY = {"headings": "heading", "clusters": "cluster"}


@dataclass(slots=True)
class IngestReport:
    """Counts of what an ingest has done so far. The `progress` callback receives it after every step."""

    files_total: int = 0
    files_done: int = 0
    documents_stored: int = 0
    documents_unchanged: int = 0
    drawers_created: int = 0
    drawers_kept: int = 0
    drawers_removed: int = 0
    similar_edges: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    unreadable: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(slots=True)
class _Part:
    """A part of a closet whose drawers may not have vectors yet."""

    document: Document
    closet: str
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
        batch_drawers: int = _LARGEST_BATCH,
        progress: Callable[[IngestReport], None] = lambda _report: None,
    ) -> None:
        """Create an ingest.

        Args:
            batch_drawers: Largest number of drawers in one transaction, >= 1.

        Raises:
            InvalidInput: If the wing's name is not valid.
        """
        self._database = database
        self._closets = ClosetStore(database)
        self._indexes = indexes
        self._embedder = embedder
        self._palace = palace
        self._wing = place_name("wing", wing)
        self._wing_type = wing_type
        self._settings = settings or IngestSettings()
        self._progress = progress
        self._rooms: dict[str, RoomRecord] = {}
        self._seen: set[str] = set()
        self._largest_batch = batch_drawers
        self._batch_drawers = min(_SMALLEST_BATCH, batch_drawers)
        self.report = IngestReport()

    async def run(self, paths: Sequence[Path]) -> IngestReport:
        """Store what is new or changed under the paths, then settle rooms, halls and tunnels.

        To finish an ingest that was killed, run it again. Every transaction stores whole closets, or a part of a long
        closet, which is marked as complete only with its last part.
        """
        started = time.monotonic()
        matrix = await self._indexes.load(self._palace, many_neighbours=True)
        stored = await self._stored()
        found = await asyncio.to_thread(self._discover, paths)
        await self._store(self._documents(found, stored), stored, matrix, settles=True)
        del matrix
        await settle(
            self._database,
            self._indexes,
            palace=self._palace,
            rooms=self._settings.rooms,
            tunnel_threshold=self._settings.tunnel_threshold,
        )
        self.report.gone = sorted(uri for uri in stored.keys() - self._seen if _under(uri, paths))
        self.report.seconds = time.monotonic() - started
        self._progress(self.report)
        return self.report

    async def store(self, documents: Sequence[Document], matrix: DrawerMatrix) -> None:
        """Store documents that are already read and split. Unlike `run`, this does not settle the palace afterwards.

        Args:
            documents: Passages that have vectors are not embedded again.
            matrix: All drawers of the palace, as `DrawerIndexes.load` returns them with `many_neighbours=True`. The new
                drawers are added to it.
        """
        self.report.files_total += len(documents)
        await self._store(self._ready(documents), await self._stored(), matrix)

    async def _stored(self) -> dict[str, str | None]:
        """Return the content hash of each closet of the wing, by the URI of its source."""
        return await self._closets.content_hashes(self._palace, wing_id(self._palace, self._wing))

    async def _ready(self, documents: Sequence[Document]) -> AsyncGenerator[Document, None]:
        for document in documents:
            yield document
            self.report.files_done += 1

    async def _store(
        self,
        documents: AsyncGenerator[Document, None],
        stored: dict[str, str | None],
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
            async with aclosing(documents), aclosing(self._batches(documents, stored)) as batches:
                async for batch in batches:
                    await asyncio.to_thread(self._embed_and_link, batch, matrix)
                    if turn:
                        await turn.ready()
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

    def _discover(self, paths: Sequence[Path]) -> list[FoundFile]:
        found = []
        settings = self._settings
        for item in discover(
            paths,
            exclude_dirs=settings.exclude_dirs,
            max_files=settings.max_files,
            follow_links=settings.follow_links,
        ):
            if isinstance(item, SkippedFile):
                self.report.skipped[item.reason] += 1
            else:
                found.append(item)
        self.report.files_total = len(found)
        return _below_common_folders(found)

    async def _batches(
        self, documents: AsyncGenerator[Document, None], stored: dict[str, str | None]
    ) -> AsyncGenerator[list[_Part], None]:
        """Group the changed documents into batches, one for each transaction."""
        batch: list[_Part] = []
        size = 0
        async for document in documents:
            self._seen.add(document.uri)
            if stored.get(document.uri) == self._mark(document):
                self.report.documents_unchanged += 1
                continue
            if not document.passages and document.uri not in stored:
                self.report.skipped["empty"] += 1
                continue
            for part in self._parts(document):
                if batch and size + len(part.drawers) > self._batch_drawers:
                    yield batch
                    batch, size = [], 0
                batch.append(part)
                size += len(part.drawers)
            self.report.documents_stored += 1
        if batch:
            yield batch

    async def _documents(self, files: list[FoundFile], stored: dict[str, str | None]) -> AsyncGenerator[Document, None]:
        """Read files in parallel and yield their documents in the order of the files.

        At most two files for each worker are held in memory.
        """
        workers = self._settings.chunk_workers
        waiting: deque[tuple[FoundFile, Future[list[Document]]]] = deque()
        remaining = iter(files)
        settings = self._settings
        with (
            FileReader(settings.split, settings.read_limits) as reader,
            ThreadPoolExecutor(workers, thread_name_prefix="read") as pool,
        ):
            try:
                while True:
                    while len(waiting) < 2 * workers and (file := next(remaining, None)):
                        waiting.append((file, pool.submit(reader.read, file.path, file.folders)))
                    if not waiting:
                        return
                    file, future = waiting.popleft()
                    try:
                        documents = await asyncio.wrap_future(future)
                    except (UnreadableDocument, NotFound) as error:
                        self.report.unreadable.append(error.message)
                        documents = []
                        # The file is unreadable, not deleted, so what was stored of it stays.
                        self._seen.update(uri for uri in stored if uri.partition("#")[0] == file.path.as_uri())
                    for document in documents:
                        yield document
                    self.report.files_done += 1
                    self._progress(self.report)
            finally:
                for _, future in waiting:
                    future.cancel()
                reader.close()  # does not wait for a file that is still being read

    def _mark(self, document: Document) -> str:
        """Return the mark of an up-to-date closet: its content hash and the mode in which its rooms were found."""
        return f"{document.content_hash}-{self._settings.rooms}"

    def _parts(self, document: Document) -> Iterator[_Part]:
        closet = closet_id(self._palace, self._wing, document.uri)
        names = rooms_of(document, mode=self._settings.rooms)
        for name in dict.fromkeys(names):
            identity = room_id(self._palace, self._wing, name)
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
        drawers = drawer_records(
            self._palace, closet, document, [room_id(self._palace, self._wing, name) for name in names]
        )
        size = self._batch_drawers
        keep = frozenset(drawer.id for drawer in drawers)
        for start in range(0, max(len(drawers), 1), size):
            last = start + size >= len(drawers)
            yield _Part(document, closet, drawers[start : start + size], keep if last else None)

    def _embed_and_link(self, batch: list[_Part], matrix: DrawerMatrix) -> None:
        """Embed and link the drawers that are not stored yet, and add them to the matrix."""
        new = [drawer for part in batch for drawer in part.drawers if drawer.id not in matrix]
        if not new:
            return
        started = time.monotonic()
        unknown = [drawer for drawer in new if drawer.vector is None]
        if unknown:  # an embedder may load its model on the first call, so it is called only if needed
            for drawer, vector in zip(unknown, self._embedder.embed([drawer.text for drawer in unknown]), strict=True):
                drawer.vector = vector
        rate = len(new) / max(time.monotonic() - started, 1e-3)
        largest = self._largest_batch
        self._batch_drawers = max(min(_SMALLEST_BATCH, largest), min(round(rate * _BATCH_S), largest))
        vectors = np.stack([drawer.vector for drawer in new if drawer.vector is not None])
        for start in range(0, len(new), _LINK_BLOCK):
            self._link(new[start : start + _LINK_BLOCK], vectors[start : start + _LINK_BLOCK], matrix)

    def _link(self, new: list[DrawerRecord], vectors: Matrix, matrix: DrawerMatrix) -> None:
        """Link each new drawer to its nearest neighbours among the earlier ones, and add it to the matrix."""
        k, threshold = self._settings.similar_k, self._settings.similar_threshold
        rows, cosines = matrix.neighbours(vectors, k=k, threshold=threshold)
        links = nearest_before(vectors, cosines, k=k, threshold=threshold)
        known = rows.shape[1]
        left = [at for at, near in enumerate(links) for _ in near]
        others = [
            matrix.ids[rows[at, column]] if column < known else new[column - known].id
            for at, near in enumerate(links)
            for column, _ in near
        ]
        nowhere = [""] * len(new)
        matrix.put(DrawerRows([drawer.id for drawer in new], nowhere, nowhere, [0] * len(new), vectors))
        # The last digits of these cosines depend on the batches. Compute the stored ones again, independently of them.
        exact = np.einsum("ij,ij->i", vectors[left].astype(np.float64), matrix.vectors_of(others).astype(np.float64))
        for drawer in new:
            drawer.similar = []
        for at, other, cosine in zip(left, others, exact.round(6).tolist(), strict=True):
            new[at].similar.append((other, cosine))

    async def _write(self, batch: list[_Part], turn: WriteTurn) -> WriteResult:
        common = room_id(self._palace, self._wing, COMMON_ROOM)
        used = {drawer.room_id for part in batch for drawer in part.drawers}
        return await self._closets.write(
            self._palace,
            [self._rooms[room] for room in sorted(used)],
            [
                ClosetPart(
                    id=part.closet,
                    wing_id=wing_id(self._palace, self._wing),
                    title=part.document.title,
                    source_uri=part.document.uri,
                    media_type=part.document.media_type,
                    drawers=tuple(part.drawers),
                    keep=part.keep,
                    content_hash=self._mark(part.document) if part.keep is not None else None,
                    default_room=common,
                    publication=part.document.publication,
                )
                for part in batch
            ],
            turn=turn,
        )

    def _count(self, written: WriteResult) -> None:
        self.report.drawers_created += len(written.created)
        self.report.drawers_kept += len(written.kept)
        self.report.drawers_removed += len(written.removed)
        self.report.similar_edges += written.edges
        self._progress(self.report)


def _below_common_folders(files: list[FoundFile]) -> list[FoundFile]:
    """Remove the leading folders that all files of a root share, because they would not divide the files into rooms."""
    shared: dict[Path, int] = {}
    for root in {file.root for file in files}:
        folders = [file.folders for file in files if file.root == root and file.folders]
        first, last = (min(folders), max(folders)) if len(folders) > 1 else ((), ())
        depth = next(
            (at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last))
        )
        shared[root] = max(0, min(depth, min((len(f) for f in folders), default=1) - 1))
    return [replace(file, folders=file.folders[shared[file.root] :]) for file in files]


def _under(uri: str, paths: Sequence[Path]) -> bool:
    """Return whether a source lies under one of the paths. Such a source is gone if the ingest did not find it."""
    roots = [path.resolve().as_uri() for path in paths]
    return any(uri == root or uri.startswith((f"{root}/", f"{root}#")) for root in roots)

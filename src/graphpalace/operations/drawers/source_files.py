"""The files that an ingest reads: find them, hash them, and read them in parallel."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from graphpalace.domain.document import Document
from graphpalace.domain.ingest_report import IngestReport
from graphpalace.errors import NotFound, UnreadableDocument
from graphpalace.ingest.files.discover import FoundFile, SkippedFile, discover
from graphpalace.ingest.files.file_reader import FileReader
from graphpalace.ingest.readers.source import file_hashes
from graphpalace.settings.sections.ingest import IngestSettings


class SourceFiles:
    """Finds and reads the files of one ingest, and counts them in its report."""

    def __init__(
        self,
        paths: Sequence[Path],
        settings: IngestSettings,
        report: IngestReport,
        *,
        uris: Mapping[Path, str] | None = None,
        leaves: Callable[[Path], bool] = lambda _path: False,
    ) -> None:
        """Remember what to read.

        Args:
            uris: The URIs of sources that are not the files themselves, such as standard input, by their resolved path.
            leaves: Tells which files are left for another operation; `discover` puts them into `left`.

        Attributes:
            left: Files that are left for another operation.
            read: URIs of the files that were read.
        """
        self.left: list[Path] = []
        self.read: set[str] = set()
        self._leaves = leaves
        self._paths = paths
        self._settings = settings
        self._report = report
        self._uris = uris or {}

    def discover(self) -> list[FoundFile]:
        """Return the files under the paths, without the leading folders that all of a root share."""
        found = []
        settings = self._settings
        for item in discover(
            self._paths,
            exclude_dirs=settings.exclude_dirs,
            max_files=settings.max_files,
            follow_links=settings.follow_links,
        ):
            if isinstance(item, SkippedFile):
                self._report.skipped[item.reason] += 1
            elif self._leaves(item.path):
                self.left.append(item.path)
            else:
                found.append(item)
        self._report.files_total = len(found) + len(self.left)
        return _below_common_folders(found)

    async def documents(
        self, files: list[FoundFile], *, progress: Callable[[], None]
    ) -> AsyncGenerator[Document, None]:
        """Read files in parallel and yield their documents in the order of the files.

        At most two files for each worker are held in memory.

        Args:
            progress: Called after every file.
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
                        waiting.append((file, pool.submit(reader.read, file.path, file.folders, self.uri(file))))
                    if not waiting:
                        return
                    file, future = waiting.popleft()
                    try:
                        documents = await asyncio.wrap_future(future)
                        self.read.add(self.uri(file))
                    except (UnreadableDocument, NotFound) as error:
                        self._report.unreadable.append(error.message)
                        documents = []
                    else:
                        self._count(documents)
                    for document in documents:
                        yield document
                    self._report.files_done += 1
                    self._report.slow_seconds = round(reader.slow_s, 3)
                    progress()
            finally:
                for _, future in waiting:
                    future.cancel()
                reader.close()  # does not wait for a file that is still being read

    def _count(self, documents: Sequence[Document]) -> None:
        if not documents:
            self._report.skipped["without a document"] += 1
        self._report.count_skipped("broken line", sum(document.broken_lines for document in documents))

    async def contents(self, files: Sequence[FoundFile]) -> dict[str, list[str]]:
        """Return the hashes that documents of the files may have, by URI. Files that cannot be read now have none."""
        split = self._settings.split

        def hashes(file: FoundFile) -> list[str]:
            try:
                with file.path.open("rb") as opened:
                    return file_hashes(opened, split)
            except OSError:
                return []

        def every() -> dict[str, list[str]]:
            with ThreadPoolExecutor(self._settings.chunk_workers, thread_name_prefix="hash") as pool:
                return dict(zip(map(self.uri, files), pool.map(hashes, files), strict=True))

        return await asyncio.to_thread(every)

    def uri(self, file: FoundFile) -> str:
        """Return the URI of a file."""
        return self._uris.get(file.path) or file.path.as_uri()


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

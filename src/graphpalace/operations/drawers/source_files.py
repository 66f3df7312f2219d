"""The files that an ingest reads: which may be read, how they are found, hashed, and read in parallel."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from graphpalace.cluster.ray_cluster import RayCluster
from graphpalace.cluster.workers import ClusterReader
from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.files import path_of
from graphpalace.domain.drawers.ingest import IngestReport
from graphpalace.errors import InvalidInput, NotFound, UnreadableDocument
from graphpalace.ingest.files.discover import FoundFile, SkippedFile, discover
from graphpalace.ingest.files.file_reader import FileReader
from graphpalace.ingest.readers.registry import media_type_of
from graphpalace.ingest.readers.source import file_hashes, whole_hash
from graphpalace.settings.sections.ingest import IngestSettings

_HEAD_BYTES = 1024
_MOST_WORKERS = 128


@dataclass(frozen=True, slots=True)
class FileContent:
    """What the content of a file tells.

    Attributes:
        hashes: Those that the document of the whole file may have; none if it cannot be read now.
        whole: The one that it has, if it has such a document and that is known.
    """

    hashes: Sequence[str]
    whole: str | None = None


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
        cluster: RayCluster | None = None,
    ) -> None:
        """Remember what to read.

        Args:
            uris: The URIs of sources that are not the files themselves, such as standard input, by their resolved path.
            leaves: Tells which files are left for another operation; `discover` puts them into `left`.
            cluster: Whose workers read files; None: threads of this process.

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
        self._cluster = cluster

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
        workers = self._settings.chunk_workers if self._cluster is None else min(self._cluster.cores, _MOST_WORKERS)
        waiting: deque[tuple[FoundFile, Future[list[Document]]]] = deque()
        remaining = iter(files)
        with (
            self._reader() as reader,
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
                        self.count(documents)
                    for document in documents:
                        yield document
                    self._report.files_done += 1
                    self._report.slow_seconds = round(reader.slow_s, 3)
                    progress()
            finally:
                for _, future in waiting:
                    future.cancel()
                reader.close()  # does not wait for a file that is still being read

    def _reader(self) -> FileReader | ClusterReader:
        split, limits = self._settings.split, self._settings.read_limits
        return FileReader(split, limits) if self._cluster is None else ClusterReader(self._cluster, split, limits)

    def count(self, documents: Sequence[Document]) -> None:
        """Count what the documents of a file say about it."""
        if not documents:
            self._report.skipped["without a document"] += 1
        self._report.count_skipped("broken line", sum(document.broken_lines for document in documents))

    async def contents(self, files: Sequence[FoundFile]) -> dict[str, FileContent]:
        """Return what the contents of files tell, by URI, without reading them as documents."""
        return await asyncio.to_thread(self.contents_now, files)

    def contents_now(self, files: Sequence[FoundFile]) -> dict[str, FileContent]:
        """As `contents`, in this thread and some others."""
        split = self._settings.split

        def content(file: FoundFile) -> FileContent:
            try:
                with file.path.open("rb") as opened:
                    media_type = media_type_of(file.path, opened.read(_HEAD_BYTES))
                    opened.seek(0)
                    hashes = file_hashes(opened, split)
            except OSError:
                return FileContent([])
            return FileContent(hashes, whole_hash(hashes, media_type) if media_type else None)

        with ThreadPoolExecutor(self._settings.chunk_workers, thread_name_prefix="hash") as pool:
            return dict(zip(map(self.uri, files), pool.map(content, files), strict=True))

    def pass_over(self, files: Iterable[FoundFile]) -> None:
        """Count files as read whose documents are stored as they are."""
        for file in files:
            self.read.add(self.uri(file))
            self._report.documents_unchanged += 1
            self._report.files_done += 1

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


def readable_paths(
    paths: Sequence[str],
    folders: Sequence[str] | None,
    *,
    field: str | None = None,
    setting: str = "[ingest] folders",
) -> list[Path]:
    """Return the paths of this machine that a caller names, with links resolved.

    Args:
        paths: Absolute paths, or URIs of files, which can also name what is not text.
        folders: Folders that contain what may be read; None: anything may be read.
        field: Name of the only path in error messages; None: `paths.0`, `paths.1` and so on.
        setting: The setting that names the folders.

    Raises:
        InvalidInput: If a path is relative, or outside of the folders; then the detail has the setting.
        NotFound: If a path does not exist here.
    """
    allowed = None if folders is None else [Path(folder).expanduser().resolve() for folder in folders]
    return [_readable(field or f"paths.{at}", path, allowed, setting) for at, path in enumerate(paths)]


def _readable(field: str, path: str, allowed: Sequence[Path] | None, setting: str) -> Path:
    named = path_of(path) or Path(path)
    if "\0" in path or not named.is_absolute():
        raise InvalidInput(f"{field} is {path!r}; it must be an absolute path", field=field, value=path)
    found = named.resolve()
    if allowed is not None and not any(found.is_relative_to(folder) for folder in allowed):
        listed = ", ".join(map(str, allowed)) or "none"
        raise InvalidInput(f"{field} is {path!r}; {setting} allows {listed}", field=field, value=path, setting=setting)
    if not _exists(found):
        raise NotFound(f"{field} is {path!r}, which does not exist", field=field, path=path)
    return found


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # in a folder that may not be looked into
        return False

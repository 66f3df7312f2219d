"""File the transcripts in some folders: those that are there, and then those that appear or change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphpalace.domain.conversations import FiledConversation
from graphpalace.errors import (
    DatabaseUnavailable,
    GraphPalaceError,
    InvalidInput,
    NotFound,
    ServiceUnavailable,
    UnreadableDocument,
)
from graphpalace.ingest.transcripts.hosts import HOSTS, SUFFIXES

_RETRY_S = 5.0  # after Neo4j or the service did not answer


@dataclass(frozen=True, slots=True)
class WatchedFolder:
    """A folder with transcripts.

    Attributes:
        folder: Resolved.
        files: Pattern of their paths below it.
        host: Its host; None: the content of each file tells it, and other files are left alone.
    """

    folder: Path
    files: str
    host: str | None = None

    def files_there(self) -> list[Path]:
        """Return the files that may be transcripts, the one that changed last at the end."""
        found = [path for path in self.folder.glob(self.files) if path.suffix in SUFFIXES and path.is_file()]
        return sorted(found, key=lambda path: (path.stat().st_mtime, path))

    def has(self, path: Path) -> bool:
        """Return whether a file below the folder may be a transcript."""
        return path.suffix in SUFFIXES and path.is_relative_to(self.folder)


@dataclass(frozen=True, slots=True)
class WatchedFile:
    """What came of one file: what was filed, or the error."""

    path: Path
    filed: FiledConversation | None
    error: GraphPalaceError | None = None


def watched_folder(place: str, *, home: Path) -> WatchedFolder:
    """Return the folder that a place means: that of a host, or a folder by its path.

    Args:
        home: Where the folders of hosts are.

    Raises:
        NotFound: If the folder does not exist.
        InvalidInput: If it is a file.
    """
    if (host := HOSTS.get(place)) is not None:
        folder, files = home / host.folder, host.files
        if not folder.is_dir():
            raise NotFound(f"{folder} does not exist: {place} has kept no transcripts here", path=str(folder))
        return WatchedFolder(folder.resolve(), files, place)
    folder = Path(place).expanduser()
    if not folder.exists():
        raise NotFound(f"{place} is no folder, and none of the hosts {', '.join(HOSTS)}", path=place)
    if not folder.is_dir():
        raise InvalidInput(f"{place} is a file; give its folder, or use `ingest` for one file", field="places")
    return WatchedFolder(folder.resolve(), "**/*")


async def watch(
    folders: Sequence[WatchedFolder],
    file: Callable[[Path, str | None], Awaitable[FiledConversation | None]],
    *,
    once: bool = False,
    stop: asyncio.Event | None = None,
) -> AsyncIterator[WatchedFile]:
    """File transcripts, and yield what came of each; files that are no transcripts are passed over.

    A file that could not be filed because Neo4j or the service did not answer is tried again until it does.

    Args:
        file: Files a transcript of a host.
        once: End when what is there is filed.
        stop: Ends it, after the file that is being filed.
    """
    ended = stop or asyncio.Event()
    waiting: dict[Path, str | None] = {}
    changes = None if once else _changes(folders, ended)
    for folder in folders:
        for path in await asyncio.to_thread(folder.files_there):
            waiting.setdefault(path, folder.host)
    following = None if changes is None else asyncio.ensure_future(anext(changes, None))
    try:
        while not ended.is_set():
            while waiting and not ended.is_set():
                path, host = next(iter(waiting.items()))
                done = await _filed(path, host, file)
                if done is not None and isinstance(done.error, DatabaseUnavailable | ServiceUnavailable) and not once:
                    yield done
                    await _pause(ended)
                    continue
                del waiting[path]
                if done is not None:
                    yield done
            if following is None or changes is None or (found := await following) is None:
                return
            waiting.update(found)
            following = asyncio.ensure_future(anext(changes, None))
    finally:
        ended.set()
        if following is not None:
            await following


async def _filed(
    path: Path, host: str | None, file: Callable[[Path, str | None], Awaitable[FiledConversation | None]]
) -> WatchedFile | None:
    try:
        filed = await file(path, host)
    except UnreadableDocument as error:
        return None if host is None else WatchedFile(path, None, error)
    except NotFound as error:
        return None if "path" in error.detail else WatchedFile(path, None, error)  # the file has gone
    except GraphPalaceError as error:
        return WatchedFile(path, None, error)
    return None if filed is None else WatchedFile(path, filed)


async def _changes(folders: Sequence[WatchedFolder], ended: asyncio.Event) -> AsyncIterator[dict[Path, str | None]]:
    from watchfiles import Change, awatch

    async for batch in awatch(*(folder.folder for folder in folders), stop_event=ended, ignore_permission_denied=True):
        changed = [Path(name) for change, name in batch if change is not Change.deleted]
        # A folder that is renamed or moved here is one change, whatever is in it.
        inside = [path for folder in changed if folder.is_dir() for path in folder.rglob("*") if path.is_file()]
        paths = sorted({path for path in changed if not path.is_dir()} | set(inside))
        found = {path: folder.host for path in paths for folder in reversed(folders) if folder.has(path)}
        if found:
            yield found


async def _pause(ended: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(ended.wait(), _RETRY_S)
    except TimeoutError:
        return

"""The documents of a simulation: drawers of a palace, or windows of a folder's files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from graphpalace.domain.simulation import CorpusDocument
from graphpalace.domain.simulation_settings import SimulationSettings
from graphpalace.domain.vectors import Matrix
from graphpalace.errors import InvalidInput, NotFound, UnreadableDocument
from graphpalace.ingest.decoding import BINARY_PROBE_BYTES, decoded, looks_binary
from graphpalace.ingest.discover import MAX_TEXT_BYTES, FoundFile, discover
from graphpalace.ingest.embed import Embedder
from graphpalace.ingest.windows import window_passages
from graphpalace.operations.drawer_indexes import DrawerIndexes
from graphpalace.operations.filters import filter_of
from graphpalace.score.drawer_matrix import DrawerMatrix, Filter
from graphpalace.simulate.relevance import keyword_shares
from graphpalace.store.database import Database

_READ_AT_ONCE = 500
_KEPT_DOCUMENTS = 5_000


@dataclass(frozen=True, slots=True)
class CorpusChoice:
    """Which documents a simulation walks over.

    Attributes:
        palace: Where they are, and where results are kept; a folder's results too.
        wing, room: Names of a part of the palace.
        drawers: Ids of some drawers, a set of candidates.
        root: A folder, instead of drawers.
    """

    palace: str
    wing: str | None = None
    room: str | None = None
    drawers: tuple[str, ...] | None = None
    root: str | None = None

    def __post_init__(self) -> None:
        """Refuse a folder and drawers at once."""
        if self.root is not None and (self.wing, self.room, self.drawers) != (None, None, None):
            raise InvalidInput(
                f"root is {self.root!r}; give a folder, or wing, room or drawers of a palace, not both", field="root"
            )
        if self.drawers is not None and not self.drawers:
            raise InvalidInput("drawers is empty; give at least one id, or leave it out", field="drawers")

    def as_json(self) -> dict[str, Any]:
        """Return what is kept of it."""
        chosen = {"palace": self.palace, "wing": self.wing, "room": self.room, "root": self.root}
        return chosen | {"drawers": list(self.drawers) if self.drawers is not None else None}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> CorpusChoice:
        """Return what `as_json` was called on."""
        drawers = kept["drawers"]
        return cls(
            kept["palace"], kept["wing"], kept["room"], tuple(drawers) if drawers is not None else None, kept["root"]
        )


class Corpus(Protocol):
    """Documents with their embeddings; it does not change while a simulation runs."""

    @property
    def ids(self) -> Sequence[str]:
        """In the order of the rows."""
        ...

    @property
    def vectors(self) -> Matrix:
        """documents x dim, length one."""
        ...

    @property
    def palace(self) -> str | None:
        """Where the drawers are; None for a folder."""
        ...

    async def documents(self, rows: Sequence[int]) -> list[CorpusDocument]:
        """Return documents by row, in the order of `rows`."""
        ...

    async def keywords(self, terms: Sequence[str]) -> np.ndarray:
        """Return the share of the keywords that each document holds, 0 to 1."""
        ...


class DrawerCorpus:
    """Drawers of a palace; their texts stay in the database until they are looked at."""

    def __init__(self, database: Database, palace: str, ids: Sequence[str], vectors: Matrix) -> None:
        self.database = database
        self.palace: str | None = palace
        self.ids = ids
        self.vectors = vectors
        self._known: dict[str, CorpusDocument] = {}

    async def documents(self, rows: Sequence[int]) -> list[CorpusDocument]:
        """Return drawers; one that was deleted meanwhile has an empty text."""
        wanted = [self.ids[row] for row in rows]
        missing = [drawer for drawer in dict.fromkeys(wanted) if drawer not in self._known]
        if len(self._known) + len(missing) > _KEPT_DOCUMENTS:
            self._known = {drawer: self._known[drawer] for drawer in wanted if drawer in self._known}
        for start in range(0, len(missing), _READ_AT_ONCE):
            part = missing[start : start + _READ_AT_ONCE]
            found = await self.database.read("drawers/read_drawers", palace=str(self.palace), ids=part)
            self._known |= {row["drawer"]["id"]: _drawer(row["drawer"]) for row in found}
        return [self._known.get(drawer) or CorpusDocument(drawer, "", "deleted") for drawer in wanted]

    async def keywords(self, terms: Sequence[str]) -> np.ndarray:
        """Return shares of keywords, counted where the texts are."""
        wanted = list(dict.fromkeys(term.lower() for term in terms if term.strip()))
        if not wanted:
            return np.zeros(len(self.ids), np.float32)
        rows = await self.database.read("simulation/count_keywords", palace=str(self.palace), terms=wanted)
        hits = dict(zip(rows[0]["ids"], rows[0]["hits"], strict=True)) if rows else {}
        return np.array([hits.get(drawer, 0) / len(wanted) for drawer in self.ids], np.float32)


class FolderCorpus:
    """Windows of lines of a folder's text files, held in memory."""

    def __init__(self, kept: Sequence[CorpusDocument], vectors: Matrix) -> None:
        self.kept = kept
        self.palace = None
        self.ids = [document.id for document in kept]
        self.vectors = vectors

    async def documents(self, rows: Sequence[int]) -> list[CorpusDocument]:
        """Return windows."""
        return [self.kept[row] for row in rows]

    async def keywords(self, terms: Sequence[str]) -> np.ndarray:
        """Return shares of keywords."""
        return await asyncio.to_thread(keyword_shares, [document.content for document in self.kept], terms)


class Corpora:
    """Loads corpora."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        embedder: Embedder,
        *,
        window_embedder: Embedder | None = None,
        folders: Sequence[str] = (),
    ) -> None:
        """Wire it.

        Args:
            window_embedder: For the windows of a folder's files, which are mostly those of the last time.
            folders: Those whose files may be read, with all below them.
        """
        self._folders = [Path(folder).expanduser().resolve() for folder in folders]
        self._database = database
        self._indexes = indexes
        self._embedder = embedder
        self._window_embedder = window_embedder or embedder

    async def load(
        self,
        choice: CorpusChoice,
        settings: SimulationSettings,
        progress: Callable[[int, int], None] = lambda _done, _of: None,
    ) -> Corpus:
        """Return the documents.

        Args:
            progress: Told how many windows of a folder are embedded, of how many.
        Raises:
            NotFound: If the palace, a wing, a room, a drawer or the folder is not there.
            InvalidInput: If there is no document, or no window for a folder.
        """
        corpus = await (self._drawers(choice) if choice.root is None else self._folder(choice.root, settings, progress))
        if not len(corpus.ids):
            where = f"folder {choice.root!r}" if choice.root else f"palace {choice.palace!r}"
            raise InvalidInput(f"{where} has no document to walk over: put something in first", field="corpus")
        return corpus

    async def at_hand(self, choice: CorpusChoice, settings: SimulationSettings) -> Corpus | None:
        """Return the documents of a palace, whose embeddings are there; None for a folder, which is not read yet.

        Raises:
            NotFound, InvalidInput: As `load`, as far as it is known without reading a file.
        """
        if choice.root is None:
            return await self.load(choice, settings)
        _check_windows(settings)
        await self._folder_of(choice.root)
        return None

    async def check(self, choice: CorpusChoice, settings: SimulationSettings) -> int | None:
        """Return the number of documents, of a folder None, as its files are not cut yet.

        Raises:
            NotFound, InvalidInput: As `load`, as far as it is known without embedding a folder.
        """
        if choice.root is None:
            return len((await self.load(choice, settings)).ids)
        _check_windows(settings)
        await self.files(choice.root, settings)
        return None

    async def files(self, root: str, settings: SimulationSettings) -> list[FoundFile]:
        """Return the text files of a folder that may be read, by name.

        Raises:
            InvalidInput: If the folder may not be read, or is none.
            NotFound: If it is not there.
        """
        folder = await self._folder_of(root)
        return await asyncio.to_thread(_text_files, folder, settings)

    async def _folder_of(self, root: str) -> Path:
        folder = await asyncio.to_thread(lambda: Path(root).expanduser().resolve())
        if not any(folder.is_relative_to(allowed) for allowed in self._folders):
            allowed = ", ".join(map(str, self._folders)) or "none"
            raise InvalidInput(f"root is {root!r}; [simulation] folders allows {allowed}", field="root", value=root)
        await asyncio.to_thread(_check_folder, folder)
        return folder

    async def embedded(self, query: str) -> np.ndarray:
        """Return the embedding of a question."""
        return (await asyncio.to_thread(self._embedder.embed, [query]))[0]

    async def _drawers(self, choice: CorpusChoice) -> DrawerCorpus:
        palace = choice.palace
        only = await filter_of(self._database, palace, wing=choice.wing, room=choice.room)
        if choice.drawers is not None:
            only = Filter(only.wing, only.rooms, drawers=frozenset(choice.drawers))
        async with self._indexes.reading(palace) as matrix:
            if unknown := [drawer for drawer in choice.drawers or () if drawer not in matrix]:
                raise NotFound(f"drawers has {unknown[0]!r}, which is not in palace {palace!r}", drawers=unknown[:10])
            ids, vectors = await asyncio.to_thread(_chosen, matrix, only)
        return DrawerCorpus(self._database, palace, ids, vectors)

    async def _folder(
        self, root: str, settings: SimulationSettings, progress: Callable[[int, int], None]
    ) -> FolderCorpus:
        _check_windows(settings)
        found = await self.files(root, settings)
        documents = await asyncio.to_thread(_windows_of, found, settings)
        size, parts = settings.embed_batch_size, []
        for start in range(0, len(documents), size):
            texts = [document.content for document in documents[start : start + size]]
            progress(start, len(documents))
            parts.append(await asyncio.to_thread(self._window_embedder.embed, texts))
        vectors = np.concatenate(parts) if parts else np.empty((0, self._embedder.dimension), np.float32)
        return FolderCorpus(documents, vectors)


def check_palace_trails(settings: SimulationSettings, *, folder: bool) -> None:
    """Refuse what only the edges of a palace can do, where the documents are those of a folder."""
    if settings.warm_start and folder:
        raise InvalidInput(
            "warm_start is true; the trails of a palace do not lead through a folder: give false, or leave root out",
            field="warm_start",
        )
    if settings.deposit and folder:
        raise InvalidInput(
            "deposit is true; what is found in a folder has no edges of a palace to lie on: give false, or leave "
            "root out",
            field="deposit",
        )


def _check_windows(settings: SimulationSettings) -> None:
    if not settings.windows:
        raise InvalidInput(
            "windows is empty; a folder needs window sizes in lines, for example 1000, 2000, 4000", field="windows"
        )


def _check_folder(root: Path) -> None:
    if not root.exists():
        raise NotFound(f"root is {str(root)!r}, which does not exist", field="root")
    if not root.is_dir():
        raise InvalidInput(f"root is {str(root)!r}, which is no folder", field="root")


def _text_files(root: Path, settings: SimulationSettings) -> list[FoundFile]:
    walked = discover([root], exclude_dirs=settings.exclude_dirs, max_files=settings.max_files)
    return [one for one in walked if isinstance(one, FoundFile) and _is_text(one.path)]


def _is_text(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return path.stat().st_size <= MAX_TEXT_BYTES and not looks_binary(file.read(BINARY_PROBE_BYTES))
    except OSError:
        return False


def _windows_of(files: Sequence[FoundFile], settings: SimulationSettings) -> list[CorpusDocument]:
    def windows(file: FoundFile) -> list[CorpusDocument]:
        path = file.path.relative_to(file.root).as_posix()
        try:
            text = decoded(file.path.read_bytes(), name=path)
        except (OSError, UnreadableDocument):  # it went away, or is no text after all
            return []
        return [
            CorpusDocument(
                f"{path}#{passage.start_line}-{passage.end_line}",
                passage.text,
                path,
                {"start_line": passage.start_line, "end_line": passage.end_line},
            )
            for passage in window_passages(text, path, settings.windows)
        ]

    with ThreadPoolExecutor(settings.chunk_workers) as workers:
        return [window for part in workers.map(windows, files) for window in part]


def _chosen(matrix: DrawerMatrix, only: Filter) -> tuple[list[str], Matrix]:
    """Return the drawers that pass, by id, so that the same palace always gives the same corpus."""
    ids = list(matrix.ids)
    chosen = sorted(drawer for drawer, passes in zip(ids, matrix.passing(ids, only), strict=True) if passes)
    return chosen, matrix.vectors_of(chosen)


def _drawer(row: Mapping[str, Any]) -> CorpusDocument:
    facts = ("wing", "room", "closet", "source_uri", "start_line", "end_line", "media_type", "occurred_at", "author")
    return CorpusDocument(
        row["id"],
        row["text"],
        " / ".join(str(row[name]) for name in ("wing", "room", "closet")),
        {name: row[name] for name in facts if row[name] is not None},
    )

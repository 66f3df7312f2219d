"""Load the documents that a simulation walks over, with their embeddings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.simulation.simulations import CorpusDocument
from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import InvalidInput, NotFound, UnreadableDocument
from graphpalace.ingest.files.decoding import BINARY_PROBE_BYTES, decoded, looks_binary
from graphpalace.ingest.files.discover import MAX_TEXT_BYTES, FoundFile, discover
from graphpalace.ingest.readers.code import window_passages
from graphpalace.operations.simulation.corpus import Corpus, CorpusChoice, DrawerCorpus, FolderCorpus
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.replica.places import filter_of
from graphpalace.store.connection.database import Database
from graphpalace.vectors.drawer_matrix import DrawerMatrix
from graphpalace.vectors.drawer_rows import Filter


def check_windows(settings: SimulationSettings) -> None:
    """Raise `InvalidInput` if the settings have no window sizes."""
    if not settings.windows:
        raise InvalidInput(
            "windows is empty; a folder needs window sizes in lines, for example 1000, 2000, 4000", field="windows"
        )


def check_folder(root: Path) -> None:
    """Raise `NotFound` if a path does not exist, and `InvalidInput` if it is not a folder."""
    if not root.exists():
        raise NotFound(f"root is {str(root)!r}, which does not exist", field="root")
    if not root.is_dir():
        raise InvalidInput(f"root is {str(root)!r}, which is not a folder", field="root")


def text_files(root: Path, settings: SimulationSettings) -> list[FoundFile]:
    """Return the text files of a folder that the settings do not exclude."""
    walked = discover([root], exclude_dirs=settings.exclude_dirs, max_files=settings.max_files)
    return [one for one in walked if isinstance(one, FoundFile) and _is_text(one.path)]


def _is_text(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return path.stat().st_size <= MAX_TEXT_BYTES and not looks_binary(file.read(BINARY_PROBE_BYTES))
    except OSError:
        return False


def windows_of(files: Sequence[FoundFile], settings: SimulationSettings) -> list[CorpusDocument]:
    """Return the windows of files. Files that were deleted meanwhile, or are not text, have none."""

    def windows(file: FoundFile) -> list[CorpusDocument]:
        path = file.path.relative_to(file.root).as_posix()
        try:
            text = decoded(file.path.read_bytes(), name=path)
        except (OSError, UnreadableDocument):
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


class CorpusLoader:
    """Loads the corpora of simulations, from palaces and from folders."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        models: PalaceModels,
        *,
        window_embedder: Embedder | None = None,
        folders: Sequence[str] = (),
    ) -> None:
        """Create a loader.

        Args:
            window_embedder: Embedder of windows of files, for example with a cache, as most windows are the same as in
                the previous run; None: the configured one.
            folders: Folders whose files may be read, including those in their subfolders.
        """
        self._folders = [Path(folder).expanduser().resolve() for folder in folders]
        self._database = database
        self._indexes = indexes
        self._models = models
        self._window_embedder = window_embedder or models.configured

    async def load(
        self,
        choice: CorpusChoice,
        settings: SimulationSettings,
        progress: Callable[[int, int], None] = lambda _done, _of: None,
    ) -> Corpus:
        """Load the chosen documents.

        Args:
            progress: Called with the number of a folder's windows that are embedded, and the number of all.

        Raises:
            NotFound: If the palace, a wing, a room, a drawer or the folder does not exist.
            InvalidInput: If there is no document, the folder may not be read, or no window sizes are set for it.
        """
        corpus = await (self._drawers(choice) if choice.root is None else self._folder(choice.root, settings, progress))
        if not len(corpus.ids):
            where = f"folder {choice.root!r}" if choice.root else f"palace {choice.palace!r}"
            raise InvalidInput(f"{where} has no document to walk over: add some first", field="corpus")
        return corpus

    async def at_hand(self, choice: CorpusChoice, settings: SimulationSettings) -> Corpus | None:
        """Load the chosen documents of a palace, whose embeddings are stored. For a folder, only check the choice.

        Returns:
            The corpus; None for a folder.

        Raises:
            NotFound, InvalidInput: As `load`, as far as can be known without reading files.
        """
        if choice.root is None:
            return await self.load(choice, settings)
        check_windows(settings)
        await self._folder_of(choice.root)
        return None

    async def check(self, choice: CorpusChoice, settings: SimulationSettings) -> int | None:
        """Check a choice, and return its number of documents; None for a folder, whose windows are not known yet.

        Raises:
            NotFound, InvalidInput: As `load`, as far as can be known without embedding a folder.
        """
        if choice.root is None:
            return len((await self.load(choice, settings)).ids)
        check_windows(settings)
        await self.files(choice.root, settings)
        return None

    async def files(self, root: str, settings: SimulationSettings) -> list[FoundFile]:
        """Return the text files of a folder.

        Raises:
            InvalidInput: If the settings do not allow the folder, or it is not a folder.
            NotFound: If it does not exist.
        """
        folder = await self._folder_of(root)
        return await asyncio.to_thread(text_files, folder, settings)

    async def _folder_of(self, root: str) -> Path:
        folder = await asyncio.to_thread(lambda: Path(root).expanduser().resolve())
        if not any(folder.is_relative_to(allowed) for allowed in self._folders):
            allowed = ", ".join(map(str, self._folders)) or "none"
            raise InvalidInput(f"root is {root!r}; [simulation] folders allows {allowed}", field="root", value=root)
        await asyncio.to_thread(check_folder, folder)
        return folder

    async def embedded(self, query: str, palace: str | None) -> np.ndarray:
        """Return the embedding of a question about the documents of a palace; None: of a folder."""
        embedder = self._window_embedder if palace is None else await self._models.of(palace)
        return (await asyncio.to_thread(embedder.embed_questions, [query]))[0]

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
        check_windows(settings)
        found = await self.files(root, settings)
        documents = await asyncio.to_thread(windows_of, found, settings)
        size, parts = settings.embed_batch_size, []
        for start in range(0, len(documents), size):
            texts = [document.content for document in documents[start : start + size]]
            progress(start, len(documents))
            parts.append(await asyncio.to_thread(self._window_embedder.embed, texts))
        vectors = np.concatenate(parts) if parts else np.empty((0, self._window_embedder.dimension), np.float32)
        return FolderCorpus(documents, vectors)


def _chosen(matrix: DrawerMatrix, only: Filter) -> tuple[list[str], Matrix]:
    """Return the drawers that pass, sorted by id, so that the same palace always gives the same corpus."""
    ids = list(matrix.ids)
    chosen = sorted(drawer for drawer, passes in zip(ids, matrix.passing(ids, only), strict=True) if passes)
    return chosen, matrix.vectors_of(chosen)

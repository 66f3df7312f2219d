"""Cut the text files of a folder into windows of lines."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.simulation.simulations import CorpusDocument
from graphpalace.errors import InvalidInput, NotFound, UnreadableDocument
from graphpalace.ingest.files.decoding import BINARY_PROBE_BYTES, decoded, looks_binary
from graphpalace.ingest.files.discover import MAX_TEXT_BYTES, FoundFile, discover
from graphpalace.ingest.readers.code import window_passages


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

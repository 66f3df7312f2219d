"""Read a file whose content a client sends, as an ingest reads files on the disk."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.files import SentFile
from graphpalace.domain.drawers.ingest import IngestReport
from graphpalace.ingest.files.discover import folder_left_out
from graphpalace.ingest.transcripts.hosts import is_transcript
from graphpalace.operations.drawers.source_files import SourceFiles
from graphpalace.settings.sections.ingest import IngestSettings


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What a file has.

    Attributes:
        documents: None if it is the transcript of a conversation.
        report: Why it has no document, if it has none.
    """

    documents: list[Document] | None
    report: IngestReport


async def read_sent(file: SentFile, settings: IngestSettings) -> ReadFile:
    """Read a file whose content a client sends. Those that an ingest of a folder leaves out are left out, too."""
    report = IngestReport(files_total=1)
    for folder in file.path.split("/")[:-1]:
        if reason := folder_left_out(folder, settings.exclude_dirs):
            report.skipped[reason] += 1
            return ReadFile([], report)
    with tempfile.TemporaryDirectory(prefix="graphpalace-") as folder:
        try:
            path = await asyncio.to_thread(_written, file, Path(folder))
        except OSError as error:
            report.unreadable.append(f"{file.path} cannot be read: {error.strerror}")
            return ReadFile([], report)
        source = SourceFiles([path], settings, report, uris={path: file.uri}, leaves=is_transcript)
        found = [replace(one, folders=file.folders) for one in source.discover()]
        if source.left:
            return ReadFile(None, report)
        documents = [document async for document in source.documents(found, progress=lambda: None)]
        report.unreadable = [message.replace(str(path), file.path) for message in report.unreadable]
    return ReadFile(documents, report)


def _written(file: SentFile, folder: Path) -> Path:
    path = folder.resolve() / file.name  # its readers go by the name
    path.write_bytes(file.data)
    return path

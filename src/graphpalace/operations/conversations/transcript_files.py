"""File the transcripts that hosts keep as files."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

from graphpalace.domain.conversations import FiledConversation, Transcript, TranscriptFile
from graphpalace.domain.identity import as_place_name, place_name
from graphpalace.errors import NotFound, UnreadableDocument
from graphpalace.ingest.transcripts.hosts import read_transcript
from graphpalace.operations.conversations.filing import Filing


async def file_transcript(
    filing: Filing, palace: str, file: TranscriptFile, *, wing: str | None = None, again: bool = False
) -> FiledConversation | None:
    """Store what is new in a transcript; return None if nobody has said anything in it yet.

    Args:
        again: Whether to file what was forgotten of it, too.

    Raises:
        NotFound: If the file or the palace does not exist.
        InvalidInput: If the host is not known, or a name is not valid.
        UnreadableDocument: If it is no transcript of a known host.
    """
    if file.project is not None:
        place_name("project", file.project)
    read = await asyncio.to_thread(_read, file)
    if read is None:
        return None
    return await filing.file(palace, read[0], wing=wing, written_at=read[1], again=again)


def _read(file: TranscriptFile) -> tuple[Transcript, datetime] | None:
    path = file.path
    try:
        written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise NotFound(f"{path} does not exist", path=str(path)) from error
    except OSError as error:
        raise UnreadableDocument(f"{path} cannot be read: {error.strerror}", path=str(path)) from error
    found = read_transcript(data, path, host=file.host)
    if found is None:
        return None
    project = file.project or as_place_name(found.project or "") or None
    conversation = as_place_name(file.conversation or found.conversation)
    origin = found.origin or found.conversation
    return replace(found, project=project, conversation=conversation, origin=origin), written

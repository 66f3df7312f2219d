"""The files of an ingest that only this process can read: found and read as the service would, and sent to it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphpalace.client import wire
from graphpalace.client.batches import batches
from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.ingest import IngestPlan, IngestReport, mark_of, stored_content
from graphpalace.errors import NotFound, UnreadableDocument
from graphpalace.ingest.files.disk_sources import first_hashes, gone_sources, recognised_files, sources_on_disk
from graphpalace.ingest.files.file_reader import FileReader
from graphpalace.ingest.files.recognise import StoredSource
from graphpalace.ingest.transcripts.hosts import is_transcript
from graphpalace.operations.drawers.source_files import SourceFiles
from graphpalace.settings.sections.ingest import IngestSettings

_UNDECODABLE = re.compile("[\ud800-\udfff]")
_MOST_AT_ONCE = 1000  # documents that the service takes at a time


class LocalFiles:
    """The files of one ingest, which are read once.

    Attributes:
        report: What was done with the files so far. Who sends documents adds what the service says.
        transcripts: Files that are transcripts of conversations.
    """

    def __init__(self, plan: IngestPlan, paths: Sequence[Path], *, uris: Mapping[Path, str]) -> None:
        """Find the files, and what the service has of them.

        Args:
            uris: The URIs of sources that are not the files themselves, by their path.
        Raises:
            NotFound: If a path does not exist.
        """
        self._plan = plan
        self._paths = paths
        named = {name: value for name, value in asdict(plan).items() if name in IngestSettings.model_fields}
        self._settings = IngestSettings.model_validate(named)
        self.report = IngestReport()
        self._source = SourceFiles(
            paths,
            self._settings,
            self.report,
            uris={path.resolve(): uri for path, uri in uris.items()},
            leaves=is_transcript,
        )
        found = self._source.discover()
        self.transcripts = self._source.left
        self._contents = self._source.contents_now(found)
        self._hashes = {uri: one.hashes for uri, one in self._contents.items()}
        self._stored = sources_on_disk(_stored(plan), self._hashes)
        self._found = recognised_files(self._hashes, self._stored)
        self._marks = {one.closet: one.mark for one in plan.sources}
        self._at: dict[str, list[StoredSource]] = {}
        for source in self._stored:
            self._at.setdefault(source.place, []).append(source)
        self._folders = Counter("/".join(map(_decodable, file.folders)) for file in found)
        self._seen: set[str] = set()
        same = {uri for uri, one in self._contents.items() if one.whole is not None and self._has(uri, one.whole)}
        self._seen |= same
        self._source.pass_over(file for file in found if self._source.uri(file) in same)
        self._files = [file for file in found if self._source.uri(file) not in same]

    def batches(self) -> Iterator[dict[str, Any]]:
        """Read the files that may have changed, and yield what to send: documents, and what is known of the sources."""
        missing = {source.closet: source.uri for source in self._stored if source.missing}
        places = {source.closet: source.place for source in self._stored if source.place != source.uri}
        moved = {uri: source.closet for uri, source in self._found.sources.items() if source.uri != uri}
        for batch in batches(map(_as_json, self._documents()), _MOST_AT_ONCE):
            there = {one["uri"]: self._found.sources.get(one["uri"]) for one in batch}
            known = {uri: source.closet for uri, source in there.items() if source is not None}
            seen = {"sources": moved | known, "missing": missing, "places": places, "folders": self._folders}
            yield {"documents": batch, "seen": seen}

    def gone(self, plan: IngestPlan) -> list[str]:
        """Return the URIs of sources that no longer exist, in order.

        Args:
            plan: What the service has after all documents were sent.
        """
        return gone_sources(
            sources_on_disk(_stored(plan), self._hashes),
            uris={},
            files=first_hashes(self._hashes),
            seen=self._seen,
            roots=self._paths,
            read=self._source.read,
            left_folders=self._found.left_folders,
        )

    def _documents(self) -> Iterator[Document]:
        with FileReader(self._settings.split, self._settings.read_limits) as reader:
            for file in self._files:
                uri = self._source.uri(file)
                try:
                    documents = reader.read(file.path, file.folders, uri)
                except (UnreadableDocument, NotFound) as error:
                    self.report.unreadable.append(error.message)
                    documents = []
                else:
                    self._source.read.add(uri)
                    self._source.count(documents)
                self._seen.update(document.uri for document in documents)
                yield from documents
                self.report.files_done += 1
                self.report.slow_seconds = round(reader.slow_s, 3)

    def _has(self, uri: str, content: str) -> bool:
        """Return whether the source at the place of a file is what its whole document would be stored as."""
        there = self._at.get(uri, [])
        mark = mark_of(content, self._plan.rooms)
        return len(there) == 1 and there[0].uri == uri and self._marks[there[0].closet] == mark


def transcript_of(path: Path) -> dict[str, Any]:
    """Return what to send of a transcript.

    Raises:
        UnreadableDocument: If it cannot be read.
    """
    try:
        written, data = path.stat().st_mtime, path.read_bytes()
    except OSError as error:
        raise UnreadableDocument(f"{path} cannot be read: {error.strerror}", path=str(path)) from error
    return {
        "path": str(path).encode(errors="replace").decode(),
        "content": b64encode(data).decode(),
        "written_at": datetime.fromtimestamp(written, UTC),
    }


def _stored(plan: IngestPlan) -> list[StoredSource]:
    return [StoredSource(one.closet, one.uri, one.uri, stored_content(one.mark)) for one in plan.sources]


def _decodable(name: str) -> str:
    """Return the name of a folder as JSON can carry it; a room is named without what stands in."""
    return _UNDECODABLE.sub("\0", name)


def _as_json(document: Document) -> dict[str, Any]:
    bare = replace(document, passages=tuple(replace(one, vector=None) for one in document.passages))
    value = asdict(bare)
    del value["broken_lines"]
    value["folders"] = [_decodable(name) for name in document.folders]
    for passage in value["passages"]:
        del passage["vector"]
    return json.loads(wire.encoded(value))

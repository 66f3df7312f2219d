"""Ingest what this process can read, and what a client has read elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from graphpalace.cluster.ray_cluster import RayCluster
from graphpalace.domain.conversations import TranscriptContent, TranscriptFile
from graphpalace.domain.drawers.document import Document
from graphpalace.domain.drawers.files import SentFile
from graphpalace.domain.drawers.ingest import IngestPlan, IngestReport, PlannedSource, SeenSources
from graphpalace.domain.palaces.places import WingType
from graphpalace.operations.conversations.conversations import Conversations
from graphpalace.operations.drawers.after_writes import AfterWrites
from graphpalace.operations.drawers.compose import wing_id
from graphpalace.operations.drawers.ingest import Ingest
from graphpalace.operations.drawers.sent_files import read_sent
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.settings.sections.ingest import IngestSettings
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.closets import ClosetStore

_PLANNED = (
    "rooms",
    "max_files",
    "exclude_dirs",
    "follow_links",
    "max_chars",
    "overlap_chars",
    "windows",
    "read_limit_s",
    "read_limit_mb",
    "slow_limit_s",
)


class Ingesting:
    """Ingests into wings, into each of them one after the other: of two that read the same, the second has no work."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        models: PalaceModels,
        conversations: Conversations,
        after: AfterWrites,
        *,
        settings: IngestSettings,
        cluster: RayCluster | None,
    ) -> None:
        """Connect the parts."""
        self._database = database
        self._indexes = indexes
        self._models = models
        self._conversations = conversations
        self._after = after
        self._settings = settings
        self._cluster = cluster
        self._turns: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def files(
        self,
        paths: Sequence[Path],
        *,
        palace: str,
        wing: str,
        wing_type: WingType = WingType.TOPIC,
        rooms: str | None = None,
        max_files: int | None = None,
        windows: Sequence[int] | None = None,
        uris: Mapping[Path, str] | None = None,
        again: bool = False,
        within: Sequence[Path] | None = None,
        progress: Callable[[IngestReport], None] = lambda _report: None,
    ) -> IngestReport:
        """Ingest files and folders into a wing. Arguments that are None are taken from the settings.

        Transcripts of agents are filed as conversations.

        Args:
            uris: The URIs of sources that are not the files themselves, such as standard input, by their resolved path.
            again: Whether to file what was forgotten of conversations, too.
            within: Folders below which sources are looked for that are no longer where they were; None: anywhere.
        """
        async with self._turn(palace, wing):
            run = await self._ingest(
                palace,
                wing,
                wing_type=wing_type,
                settings=self._chosen(rooms=rooms, max_files=max_files, windows=windows),
                progress=progress,
                within=within,
                file_transcript=lambda path: self._conversations.file_transcript(
                    palace, TranscriptFile(path), wing=wing, again=again
                ),
            )
            return await run.run(paths, uris=uris)

    async def plan(self, palace: str, wing: str, **given: Any) -> IngestPlan:
        """Return how a client is to find and read files that only it can read.

        Args:
            given: `rooms`, `max_files` and `windows`; those that are None are taken from the settings.
        """
        chosen = self._chosen(**given)
        listed = await ClosetStore(self._database).sources(palace, wing_id(palace, wing))
        return IngestPlan(
            **{name: getattr(chosen, name) for name in _PLANNED},
            sources=[PlannedSource(closet.id, closet.source_uri, closet.content_hash) for closet in listed],
        )

    async def documents(
        self,
        documents: Sequence[Document],
        seen: SeenSources,
        *,
        palace: str,
        wing: str,
        wing_type: WingType = WingType.TOPIC,
        rooms: str | None = None,
        last: bool,
        progress: Callable[[IngestReport], None] = lambda _report: None,
    ) -> IngestReport:
        """Store documents that a client has read as `plan` said.

        Args:
            seen: What the client has seen of the sources of the wing.
            last: Whether these are the last ones, after which rooms, halls and tunnels are settled.
        """
        async with self._turn(palace, wing):
            run = await self._ingest(
                palace, wing, wing_type=wing_type, settings=self._chosen(rooms=rooms), progress=progress
            )
            return await run.take(documents, seen, last=last)

    async def sent(self, file: SentFile, seen: SeenSources, *, palace: str, wing: str, **choices: Any) -> IngestReport:
        """Store a file whose content a client sends, or file it if it is the transcript of a conversation.

        Args:
            choices: As for `documents`.
        """
        read = await read_sent(file, self._chosen(rooms=choices.get("rooms")))
        if read.documents is None:
            transcript = TranscriptFile(Path(file.path))
            filed = await self._conversations.file_transcript(
                palace, transcript, wing=wing, content=TranscriptContent(file.data)
            )
            read.report.count_filed(filed)
        stored = await self.documents(read.documents or [], seen, palace=palace, wing=wing, **choices)
        read.report.count_stored(stored)
        return read.report

    async def _ingest(self, palace: str, wing: str, **choices: Any) -> Ingest:
        model = await self._models.of(palace)
        return Ingest(self._database, self._indexes, model, palace=palace, wing=wing, cluster=self._cluster, **choices)

    def _chosen(self, **given: Any) -> IngestSettings:
        return self._settings.model_copy(update={name: value for name, value in given.items() if value is not None})

    @asynccontextmanager
    async def _turn(self, palace: str, wing: str) -> AsyncIterator[None]:
        lock = self._turns.setdefault((palace, wing), asyncio.Lock())
        try:
            async with lock:
                yield
        finally:  # what was stored before an error is read too
            self._after.wrote(palace)

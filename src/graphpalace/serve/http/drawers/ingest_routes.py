"""The routes that store files of the service's machine or documents of a client, and delete what no longer exists."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import Request
from pydantic import BaseModel, Field

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.document import Document, Passage, Publication
from graphpalace.domain.drawers.drawer import Deleted
from graphpalace.domain.drawers.files import SentFile
from graphpalace.domain.drawers.ingest import (
    IngestPlan,
    IngestReport,
    MaxFiles,
    PlanRequest,
    PruneRequest,
    Rooms,
    SeenSources,
    Windows,
    WingName,
)
from graphpalace.domain.identity import place_name
from graphpalace.domain.knowledge.names import NameReading
from graphpalace.domain.palaces.places import WingType
from graphpalace.offers import ingest as ingests
from graphpalace.operations.drawers.source_files import readable_paths
from graphpalace.serve.http.access.own_parts import OwnerProof, folders_for, own_deleted
from graphpalace.serve.http.offered import add_route
from graphpalace.serve.http.progress_response import LinesResponse, ProgressResponse, progress_lines
from graphpalace.serve.http.request_body import FileBytes, PalaceField, RequestBody, fields_of, value_of, with_example
from graphpalace.serve.http.router import Operations, named, new_router

MOST_DOCUMENTS = 1000  # in one request
Type = Annotated[WingType, Field(strict=False, description="type of the wing, if it is new")]
ReadNames = Annotated[
    bool, Field(description="whether to read the names in the texts before the end, not in the background")
]


class IngestRequest(RequestBody):
    """Files and folders on the service's machine to store in a wing."""

    model_config = with_example({"paths": ["/home/ann/notes"], "wing": "notes"})

    paths: Annotated[
        list[str],
        Field(
            min_length=1,
            max_length=100_000,
            description="absolute paths or file URIs, in folders that [ingest] folders allows",
        ),
    ]
    wing: WingName
    wing_type: Type = WingType.TOPIC
    rooms: Rooms = None
    max_files: MaxFiles = None
    windows: Windows = None
    again: Annotated[bool, Field(description="whether to file conversations that were forgotten, too")] = False
    uris: Annotated[
        dict[str, Annotated[str, Field(pattern="^stdin:", max_length=2000)]] | None,
        Field(max_length=1000, description="of paths whose content came from elsewhere: what to keep as their source"),
    ] = None
    read_names: ReadNames = False
    proof: OwnerProof = None
    palace: PalaceField = None


class PassageFields(fields_of(Passage, leave_out=("vector",))):
    """A piece of a document, which becomes a drawer."""


class PublicationFields(fields_of(Publication)):
    """What is known of a publication."""

    published: Annotated[date | None, Field(strict=False)] = None


class DocumentFields(fields_of(Document, leave_out=("passages", "publication", "broken_lines"))):
    """A document of a client's file."""

    uri: Annotated[str, Field(pattern="^(file|stdin):", max_length=10_000)]
    passages: Annotated[list[PassageFields], Field(default_factory=list)]
    publication: PublicationFields | None = None

    def value(self) -> Document:
        """Return the document."""
        known = self.publication
        return value_of(
            self,
            Document,
            passages=tuple(value_of(one, Passage) for one in self.passages),
            publication=None if known is None else value_of(known, Publication),
        )


class SeenFields(fields_of(SeenSources)):
    """What a client has seen of the sources of a wing on its disk."""


class SentRequest(RequestBody):
    """What a client sends of its own files."""

    wing: WingName
    wing_type: Type = WingType.TOPIC
    rooms: Rooms = None
    seen: SeenFields = SeenFields()
    last: Annotated[bool, Field(description="whether no more follow: rooms, halls and tunnels are then settled")] = True
    palace: PalaceField = None


class SentFileRequest(SentRequest):
    """A file of the client's."""

    model_config = with_example({"wing": "notes", "path": "boats/new.md", "content": "VGhlIGJvYXQgaXMgYmx1ZS4="})

    path: Annotated[
        str,
        Field(
            min_length=1, max_length=10_000, description="its name, with the folders from the one that was chosen on"
        ),
    ]
    content: FileBytes


class DocumentsRequest(SentRequest):
    """Documents that a client has read from its own files."""

    model_config = with_example({"wing": "notes", "documents": [], "last": True})

    documents: Annotated[list[DocumentFields], Field(max_length=MOST_DOCUMENTS)]
    read_names: ReadNames = False


class IngestLine(BaseModel):
    """One line of the answer to an ingest.

    Attributes:
        done: False while it runs, and true in the last line.
        report: What was done so far. Only the last line lists the unreadable files and the sources that are gone.
        names: How far the reading of names is, if it was asked for.
    """

    done: bool
    report: IngestReport
    names: NameReading | None = None


router = new_router()
_add = partial(add_route, router, tag="drawers")
_told_in_lines = partial(
    router.post, tags=["drawers"], response_class=LinesResponse, responses=progress_lines(IngestLine, last="report")
)


@_told_in_lines("/ingest")
async def ingest(body: IngestRequest, app: Operations, request: Request) -> ProgressResponse:
    """Store files and folders of the service's machine, and report the progress line by line.

    A client that leaves stops the ingest; what is already stored is kept, and the same request stores the rest.
    """
    palace, wing = named(app, body.palace), place_name("wing", body.wing)
    await app.palace_state(palace)
    folders = folders_for(request, body.proof, request.app.state.ingest_folders)
    paths = await asyncio.to_thread(readable_paths, body.paths, folders)
    others = body.uris or {}
    uris = dict(zip(await asyncio.to_thread(readable_paths, list(others), folders), others.values(), strict=True))

    return _progress(
        app,
        palace,
        lambda progress: app.ingesting.files(
            paths,
            palace=palace,
            wing=wing,
            wing_type=body.wing_type,
            rooms=body.rooms,
            max_files=body.max_files,
            windows=body.windows,
            uris=uris,
            again=body.again,
            within=None if folders is None else [Path(folder) for folder in folders],
            progress=progress,
        ),
        read_names=body.read_names,
    )


@_told_in_lines("/ingest/documents")
async def ingest_documents(body: DocumentsRequest, app: Operations) -> ProgressResponse:
    """Store documents that the client has read from its own files, and report what was done.

    A client that leaves stops it; what is already stored is kept, and the same request stores the rest.
    """
    palace, wing = named(app, body.palace), place_name("wing", body.wing)
    await app.palace_state(palace)
    documents = [document.value() for document in body.documents]

    return _progress(
        app,
        palace,
        lambda progress: app.ingesting.documents(
            documents,
            value_of(body.seen, SeenSources),
            palace=palace,
            wing=wing,
            wing_type=body.wing_type,
            rooms=body.rooms,
            last=body.last,
            progress=progress,
        ),
        read_names=body.read_names,
    )


@_told_in_lines("/ingest/content")
async def ingest_content(body: SentFileRequest, app: Operations) -> ProgressResponse:
    """Store a file whose content the client sends, of any format that an ingest reads, and report what was done.

    A transcript of an agent is filed as a conversation.
    """
    palace, wing = named(app, body.palace), place_name("wing", body.wing)
    await app.palace_state(palace)
    file = SentFile(body.path, body.content)
    return _progress(
        app,
        palace,
        lambda progress: app.ingesting.sent(
            file,
            value_of(body.seen, SeenSources),
            palace=palace,
            wing=wing,
            wing_type=body.wing_type,
            rooms=body.rooms,
            last=body.last,
            progress=progress,
        ),
        read_names=False,
    )


async def _plan(app: GraphPalace, palace: str, asked: PlanRequest) -> IngestPlan:
    wing = place_name("wing", asked.wing)
    await app.palace_state(palace)
    return await app.ingesting.plan(palace, wing, rooms=asked.rooms, max_files=asked.max_files, windows=asked.windows)


async def _prune(app: GraphPalace, palace: str, asked: PruneRequest) -> Deleted:
    return own_deleted(palace, await app.drawers.prune(palace, asked.wing, asked.sources))


_add(ingests.PLAN_INGEST, _plan)
_add(ingests.PRUNE, _prune)


def _progress(
    app: GraphPalace,
    palace: str,
    ingest: Callable[[Callable[[IngestReport], None]], Awaitable[IngestReport]],
    *,
    read_names: bool,
) -> ProgressResponse:
    """Return the answer that follows an ingest, and then the reading of names, if it is asked for."""
    so_far = IngestReport()

    async def work(progress: Callable[[IngestReport | NameReading], None]) -> IngestReport:
        report = await ingest(progress)
        if read_names:
            await app.knowledge.names.finish(palace, progress=progress)
        return report

    def line(now: IngestReport | NameReading) -> dict[str, Any]:
        nonlocal so_far
        if isinstance(now, NameReading):
            return _line(so_far) | {"names": asdict(now)}
        so_far = replace(now, unreadable=[], gone=[])
        return _line(so_far)

    return ProgressResponse.of(work, line=line, last=lambda report: _line(report, done=True))


def _line(report: IngestReport, *, done: bool = False) -> dict[str, Any]:
    return {"done": done, "report": report.as_json()}

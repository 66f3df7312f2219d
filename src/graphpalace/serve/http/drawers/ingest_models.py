"""Requests and answers of the routes for ingests."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import BaseModel, Field

from graphpalace.domain.drawers.document import Document, Passage, Publication
from graphpalace.domain.drawers.ingest import IngestReport, SeenSources
from graphpalace.domain.drawers.ingest_requests import MaxFiles, Rooms, Windows, WingName
from graphpalace.domain.knowledge.names import NameReading
from graphpalace.domain.palaces.places import WingType
from graphpalace.serve.http.access.owner_files import OwnerProof
from graphpalace.serve.http.request_body import PalaceField, RequestBody, fields_of, value_of, with_example

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


class DocumentsRequest(RequestBody):
    """Documents that a client has read from its own files."""

    model_config = with_example({"wing": "notes", "documents": [], "last": True})

    wing: WingName
    wing_type: Type = WingType.TOPIC
    rooms: Rooms = None
    documents: Annotated[list[DocumentFields], Field(max_length=MOST_DOCUMENTS)]
    seen: SeenFields = SeenFields()
    last: Annotated[bool, Field(description="whether no more follow: rooms, halls and tunnels are then settled")] = True
    read_names: ReadNames = False
    palace: PalaceField = None


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

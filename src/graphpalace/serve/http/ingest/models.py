"""Requests and answers of the routes for ingests."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from graphpalace.domain.ingest_report import IngestReport
from graphpalace.domain.room import WingType
from graphpalace.domain.split_options import LARGEST_WINDOW, MAX_WINDOWS, SMALLEST_WINDOW
from graphpalace.serve.http.request_body import PalaceField, RequestBody, with_example
from graphpalace.settings.sections.ingest import RoomMode

WingName = Annotated[str, Field(min_length=1, max_length=200, examples=["notes"])]


class IngestRequest(RequestBody):
    """Files and folders on the service's machine to store in a wing."""

    model_config = with_example({"paths": ["/home/ann/notes"], "wing": "notes"})

    paths: Annotated[
        list[str],
        Field(min_length=1, max_length=1000, description="absolute paths, in folders that [ingest] folders allows"),
    ]
    wing: WingName
    wing_type: Annotated[WingType, Field(strict=False, description="type of the wing, if it is new")] = WingType.TOPIC
    rooms: Annotated[RoomMode | None, Field(description="default: [ingest] rooms")] = None
    max_files: Annotated[int | None, Field(ge=0, description="0: no limit; default: [ingest] max_files")] = None
    windows: Annotated[
        list[Annotated[int, Field(ge=SMALLEST_WINDOW, le=LARGEST_WINDOW)]] | None,
        Field(max_length=MAX_WINDOWS, description="sizes in lines; default: [ingest] windows"),
    ] = None
    again: Annotated[bool, Field(description="whether to file conversations that were forgotten, too")] = False
    palace: PalaceField = None


class PruneRequest(RequestBody):
    """Sources whose drawers are to be deleted."""

    model_config = with_example({"wing": "notes", "sources": ["file:///home/ann/notes/old.md"]})

    wing: WingName
    sources: Annotated[list[str], Field(min_length=1, max_length=10_000, description="URIs")]
    palace: PalaceField = None


class IngestLine(BaseModel):
    """One line of the answer to an ingest.

    Attributes:
        done: False while it runs, and true in the last line.
        report: What was done so far. Only the last line lists the unreadable files and the sources that are gone.
    """

    done: bool
    report: IngestReport

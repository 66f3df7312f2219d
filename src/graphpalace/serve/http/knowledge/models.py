"""Requests and answers of the routes for names."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from graphpalace.domain.identity import MOST_NAME_CHARS
from graphpalace.domain.knowledge.names import MOST_LISTED, NameReading
from graphpalace.serve.http.request_body import PalaceField, RequestBody, with_example

Name = Annotated[
    str, Field(min_length=1, max_length=MOST_NAME_CHARS, description="a name in any way of writing it, or an id")
]


class BuildRequest(RequestBody):
    """A request to read the names of drawers."""

    model_config = with_example({"again": False})

    again: Annotated[bool, Field(description="read all drawers again, not only those that are due")] = False
    palace: PalaceField = None


class MergeRequest(RequestBody):
    """Two names that mean one thing."""

    model_config = with_example({"name": "Ada Lovelace", "other": "Countess of Lovelace"})

    name: Name
    other: Annotated[str, Field(min_length=1, max_length=MOST_NAME_CHARS, description="the name that it absorbs")]
    palace: PalaceField = None


class SplitRequest(RequestBody):
    """A name, and an alias of it that means something else, or drawers that mean another thing by it."""

    model_config = with_example({"name": "Ada Lovelace", "alias": "Countess of Lovelace"})

    name: Name
    alias: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MOST_NAME_CHARS,
            description="a merged name, or one that documents use; with drawers: the name that they mean, or null for "
            "the name with a number",
        ),
    ] = None
    drawers: Annotated[
        list[str],
        Field(
            default_factory=list,
            max_length=MOST_LISTED,
            description="ids of drawers that mean another thing by the name",
        ),
    ]
    palace: PalaceField = None


class BuildLine(BaseModel):
    """One line of the answer to a request to read names.

    Attributes:
        done: False while it runs, and true in the last line.
        reading: How far it is.
    """

    done: bool
    reading: NameReading

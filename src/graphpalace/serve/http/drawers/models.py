"""Requests of the routes for drawers."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from graphpalace.domain.drawers.new_drawer import MOST_AT_ONCE, MOST_CHARS, DrawerUpdate, NewDrawer
from graphpalace.domain.forgetting import ForgetChoice
from graphpalace.operations.drawers.duplicates import MOST_FOUND
from graphpalace.serve.http.request_body import PalaceField, RequestBody, fields_of, with_example


class DrawerRequest(fields_of(NewDrawer)):
    """A text to store verbatim."""

    model_config = with_example({"text": "The door code is 4711.", "wing": "home", "room": "keys"})

    unless_similar: Annotated[
        float | None,
        Field(
            ge=0, le=1, description="store it only if no drawer of its wing says the same or has this cosine with it"
        ),
    ] = None
    palace: PalaceField = None


class BatchDrawer(fields_of(NewDrawer)):
    """One of many texts to store verbatim."""


class BatchRequest(RequestBody):
    """Texts to store verbatim, all of them or none."""

    model_config = with_example(
        {
            "drawers": [
                {"text": "The door code is 4711.", "wing": "home"},
                {"text": "Ann waters the plants.", "wing": "home"},
            ]
        }
    )

    drawers: Annotated[list[BatchDrawer], Field(min_length=1, max_length=MOST_AT_ONCE)]
    palace: PalaceField = None


class UpdateRequest(fields_of(DrawerUpdate)):
    """Changes to a drawer. What is left out stays as it is."""

    model_config = with_example({"text": "The door code is 4712."})

    palace: PalaceField = None


class SupersedeRequest(RequestBody):
    """Which drawer takes the place of one."""

    model_config = with_example({"new": "drawer-0123456789abcdef0123456789"})

    new: Annotated[str, Field(min_length=1, max_length=200, description="id of the drawer that holds from now on")]
    palace: PalaceField = None


class ForgetRequest(fields_of(ForgetChoice)):
    """Drawers to delete: those that meet everything that is given. At least one of them is needed."""

    model_config = with_example({"source": "file:///home/ann/notes/old.md", "dry_run": True})

    dry_run: Annotated[bool, Field(description="only answer what would be deleted")] = False
    by: Annotated[str | None, Field(min_length=1, max_length=200, description="who asks, for the receipt")] = None
    palace: PalaceField = None


class DuplicateRequest(RequestBody):
    """A text to look for."""

    model_config = with_example({"text": "The door code is 4711.", "wing": "home"})

    text: Annotated[str, Field(min_length=1, max_length=MOST_CHARS)]
    wing: Annotated[str | None, Field(description="only look in this wing")] = None
    threshold: Annotated[float, Field(ge=0, le=1, description="least cosine of a similar drawer")] = 0.9
    top_k: Annotated[int, Field(ge=1, le=MOST_FOUND, description="largest number of drawers")] = 5
    palace: PalaceField = None

"""Requests and responses of the routes for drawers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from graphpalace.domain.drawer import Drawer
from graphpalace.domain.named_node import NamedNode
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.serve.http.request_body import PalaceField, fields_of, with_example


class DrawerRequest(fields_of(NewDrawer)):
    """A text to store verbatim."""

    model_config = with_example({"text": "The door code is 4711.", "wing": "home", "room": "keys"})

    palace: PalaceField = None


@dataclass(frozen=True)
class DrawerWithPath(Drawer):
    """A drawer with its path in the palace."""

    path: Sequence[NamedNode]
    created: Annotated[
        bool | None, Field(description="after adding: false if the closet has the same text already")
    ] = None
    counted: Annotated[
        bool | None,
        Field(
            description="after opening a drawer from a search: whether this counts as feedback; once for each search"
        ),
    ] = None

    @classmethod
    def of(
        cls, palace: str, drawer: Drawer, *, created: bool | None = None, counted: bool | None = None
    ) -> DrawerWithPath:
        """Return a drawer with its path in the palace."""
        return cls(**vars(drawer), path=drawer.path_in(palace), created=created, counted=counted)


@dataclass(frozen=True, slots=True)
class DrawerPage:
    """A page of drawers. Send `next` as `after` to get the next page."""

    drawers: Sequence[Drawer]
    next: str | None

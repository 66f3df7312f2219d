"""Requests and responses of the routes of drawers."""

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
    """A text to be kept word for word."""

    model_config = with_example({"text": "The door code is 4711.", "wing": "home", "room": "keys"})

    palace: PalaceField = None


@dataclass(frozen=True)
class DrawerWithPath(Drawer):
    """A drawer with the way to it."""

    path: Sequence[NamedNode]
    created: Annotated[
        bool | None, Field(description="after adding: false if the closet had that very text already")
    ] = None
    counted: Annotated[
        bool | None,
        Field(description="after opening out of a search: whether that counts as feedback; once for each search"),
    ] = None

    @classmethod
    def of(
        cls, palace: str, drawer: Drawer, *, created: bool | None = None, counted: bool | None = None
    ) -> DrawerWithPath:
        """Return a drawer of a palace with the way to it."""
        return cls(**vars(drawer), path=drawer.path_in(palace), created=created, counted=counted)


@dataclass(frozen=True, slots=True)
class DrawerPage:
    """Some drawers; pass `next` as `after` for more."""

    drawers: Sequence[Drawer]
    next: str | None

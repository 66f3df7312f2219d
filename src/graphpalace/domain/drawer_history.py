"""The earlier texts of a drawer, and drawers that take the place of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field


@dataclass(frozen=True, slots=True)
class DrawerText:
    """A text that a drawer had."""

    text: str
    since: Annotated[str, Field(description="when it was written")]
    until: Annotated[str, Field(description="when another text took its place")]


@dataclass(frozen=True, slots=True)
class DrawerHistory:
    """The earlier texts of a drawer, until they are forgotten with it."""

    drawer: str
    texts: Annotated[Sequence[DrawerText], Field(description="the latest first; empty if it was never changed")]


@dataclass(frozen=True, slots=True)
class Superseded:
    """That a drawer took the place of another, which answers mark as outdated from then on."""

    old: Annotated[str, Field(description="id of the drawer that is outdated")]
    new: Annotated[str, Field(description="id of the drawer that holds instead")]
    since: Annotated[str, Field(description="from when on")]

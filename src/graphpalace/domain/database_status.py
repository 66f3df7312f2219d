"""The state of the database and what is in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from graphpalace.domain.places import Palace


@dataclass(frozen=True, slots=True)
class DatabaseStatus:
    """Whether Neo4j answers, its version, its schema, and the palaces."""

    server: Annotated[
        Literal["external", "running", "stopped"],
        Field(description="the managed Neo4j; external: your own"),
    ]
    uri: str
    database: Annotated[Literal["up", "down"], Field(description="whether it answers")] = "down"
    pid: int | None = None
    browser: Annotated[str, Field(description="address of Neo4j Browser")] = ""
    version: Annotated[str, Field(description="of Neo4j")] = ""
    edition: str = ""
    schema: Annotated[str, Field(description="current, or how many migrations are missing")] = ""
    reason: Annotated[str, Field(description="why it does not run or answer")] = ""
    palaces: Sequence[Palace] = ()

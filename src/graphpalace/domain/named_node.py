"""A node of the graph as people know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field


@dataclass(frozen=True, slots=True)
class NamedNode:
    """One node of a way."""

    kind: Annotated[str, Field(examples=["Room"])]
    id: str
    name: Annotated[str, Field(examples=["decorators"])]

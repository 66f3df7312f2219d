"""Palaces: how they are listed, what state and version they are in, and how they change.

Moments are texts as ISO 8601 writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from graphpalace.domain.field import Field
from graphpalace.domain.identity import PALACE_NAME


@dataclass(frozen=True, slots=True)
class PalaceQuery:
    """All palaces of a database."""


@dataclass(frozen=True, slots=True)
class DatabaseQuery:
    """The database of a service."""


@dataclass(frozen=True, slots=True)
class NewPalace:
    """A palace to create."""

    name: Annotated[
        str,
        Field(
            examples=["example_palace"],
            description="1 to 63 of a-z, 0-9 and _, beginning with a letter",
            json_schema_extra={"pattern": PALACE_NAME},
        ),
    ]


@dataclass(frozen=True, slots=True)
class PalaceToDrop:
    """A palace to delete with everything in it."""

    name: Annotated[str, Field(description="of the palace")]
    confirm: Annotated[str, Field(description="the palace's name, as a confirmation")] = ""


@dataclass(frozen=True, slots=True)
class Created:
    """Whether a request created something, or it existed already."""

    name: str
    created: Annotated[bool, Field(description="false: it existed already")]


@dataclass(frozen=True, slots=True)
class Palace:
    """A palace with its counts."""

    name: Annotated[str, Field(examples=["example_palace"])]
    created_at: str
    model: Annotated[str, Field(description="embedding model its vectors are of")]
    dimension: Annotated[int, Field(description="of these vectors")]
    wings: int
    rooms: int
    closets: int
    drawers: int


@dataclass(frozen=True, slots=True)
class PalaceState:
    """What a palace notes of itself.

    Attributes:
        born: When it was made, which tells it from a later one of its name.
        analyzer: Lucene's, for its words.
        revision: How many changes were made to what is in it.
        settled_revision: Up to which change its centroids, halls and tunnels follow from its drawers.
        divided_revision: Up to which change its common rooms were divided.
        cycle: Where its clock was set.
    """

    name: str
    born: str
    model: str
    dimension: int
    analyzer: str
    revision: int
    settled_revision: int
    divided_revision: int
    cycle: int


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


@dataclass(frozen=True, slots=True)
class PalaceVersion:
    """The version of a palace and of its learning at the time of a read.

    Attributes:
        born: When the palace was created, which distinguishes it from a later palace of the same name.
        learned, forgot: Number of feedbacks that were given, and number of times that feedback was taken back.
        cycle: Cycle to which the clock was last set.
        since_ms: Milliseconds since the clock was set.
        revision: Number of changes to the contents of the palace.
        drawers: Number of drawers.
        model, dimension: Embedding model of the vectors, and their length.
        facts, facts_forgot: How often facts were written, and how often some of these writes deleted facts.
    """

    born: str
    learned: int
    forgot: int
    cycle: int
    since_ms: int
    revision: int
    drawers: int
    model: str
    dimension: int
    facts: int = 0
    facts_forgot: int = 0

    @property
    def written(self) -> int:
        """Number of writes to the palace. It never decreases."""
        return self.revision + self.learned + self.forgot


@dataclass(frozen=True, slots=True)
class DrawerChange:
    """An entry of the change feed: ids of the drawers that were stored and of those that were removed."""

    stored: Sequence[str]
    removed: Sequence[str]


@dataclass(frozen=True, slots=True)
class GraphChange:
    """An entry of the change feed, with the ids of nodes and the keys of edges that received pheromones.

    Attributes:
        named: Ids of drawers that mention other names than before.
        edges: Each in the form "TYPE source target".
    """

    stored: Sequence[str]
    removed: Sequence[str]
    named: Sequence[str]
    nodes: Sequence[str]
    edges: Sequence[str]


@dataclass(frozen=True, slots=True)
class Reembedded:
    """The result of a change of model.

    Attributes:
        before: Model of the palace until then.
        model: Model of the palace now.
        embedded: Number of vectors that were computed; those of an earlier run that was ended are not counted.
    """

    palace: str
    before: str
    model: str
    embedded: int


@dataclass(frozen=True, slots=True)
class ReembedProgress:
    """How far a change of model is.

    Attributes:
        step: `embedding`, `linking` or `storing`; the new vectors answer from `linking` on.
        done, total: Number of drawers.
    """

    step: str
    done: int
    total: int

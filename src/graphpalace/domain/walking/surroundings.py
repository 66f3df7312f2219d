"""What a request for the surroundings of a node says, and the part of the graph that answers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from graphpalace.domain.field import Field
from graphpalace.domain.walking.walks import NamedNode, Place

MOST_NEIGHBOURS = 500
MOST_SHOWN = 5_000


@dataclass(frozen=True, slots=True)
class SurroundingsRequest:
    """A request for the neighbours of one node."""

    of: Annotated[Place, Field(description="the node: a wing, WING/ROOM, or the id of any node")]
    limit: Annotated[
        int,
        Field(ge=1, le=MOST_NEIGHBOURS, description="largest number of neighbours; the cheapest come first"),
    ] = 50
    shown: Annotated[
        Sequence[Annotated[str, Field(max_length=500)]],
        Field(
            max_length=MOST_SHOWN,
            description="ids of nodes that are known already; edges between them and the neighbours are in the answer,"
            " and they do not count towards the limit",
        ),
    ] = ()


@dataclass(frozen=True, slots=True)
class GraphNode(NamedNode):
    """A node of the graph; the pheromones are those of now."""

    edges: Annotated[int, Field(description="how many edges it has in the whole graph")]
    exploitation: float
    exploration: float


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge of the graph; the pheromones and the current cost are those of now."""

    type: Annotated[str, Field(examples=["HAS_ROOM"])]
    source: Annotated[str, Field(description="id of the node that it leaves, as the database stores it")]
    target: str
    predicates: Annotated[
        Sequence[str],
        Field(description="of RELATES_TO: what the facts say that were not taken back", examples=[["works for"]]),
    ]
    base_cost: Annotated[float, Field(description="cost without pheromones")]
    current_cost: float
    success: float
    traversal: float
    recency: float


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A node and its neighbours, with all edges between them and from them to what is `shown` already."""

    middle: Annotated[str, Field(description="id of the node whose neighbours these are")]
    nodes: Annotated[Sequence[GraphNode], Field(description="the node itself, then its neighbours, cheapest first")]
    edges: Sequence[GraphEdge]
    left_out: Annotated[int, Field(description="how many more neighbours it has")]
    cycle: Annotated[int, Field(description="of the palace's clock")]

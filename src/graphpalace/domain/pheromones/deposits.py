"""Deposits of pheromones: what is asked for and added, its effect, and the record that allows undoing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from graphpalace.domain.field import Field
from graphpalace.domain.identity import place_name
from graphpalace.errors import InvalidInput

if TYPE_CHECKING:  # it imports numpy, and commands read receipts
    from graphpalace.domain.walking.graph_snapshot import EdgeRef, NodeRef

DepositKind = Literal["success", "exploration"]
MOST_NODES = 1000
MOST_AMOUNT = 100.0


class EdgeGain(NamedTuple):
    """What a deposit adds to an edge.

    `success` (negative to take away) and `traversal` are added; `recency` is raised to the value given here.
    """

    success: float
    traversal: float = 0.0
    recency: float = 0.0


class NodeGain(NamedTuple):
    """What a deposit adds to a node: exploitation (negative to take away) and exploration."""

    exploitation: float = 0.0
    exploration: float = 0.0


@dataclass(frozen=True, slots=True)
class Deposit:
    """A set of pheromone changes that are applied together.

    Attributes:
        id: Makes the deposit idempotent: a deposit with an id that was used before is not applied again.
        kind: Reason for the deposit: `path_success`, `feedback` or `exploration`.
        recorded: Whether to record it, so that it, or an earlier deposit on the same edges or nodes, can be undone.
            Exploration is never recorded.
    """

    id: str
    kind: str
    edges: Mapping[EdgeRef, EdgeGain]
    nodes: Mapping[NodeRef, NodeGain]
    recorded: bool = True


@dataclass(frozen=True, slots=True)
class DepositReceipt:
    """The effect of a deposit.

    Attributes:
        fresh: Whether it was applied now. False if a deposit with the same id was applied before; nothing changed then.
        edges, nodes: Number of edges and nodes that were changed; fewer than given if some no longer exist.
    """

    fresh: bool
    edges: int
    nodes: int


@dataclass(frozen=True, slots=True)
class DepositRecord:
    """The stored record of a deposit, which allows undoing it.

    Attributes:
        cycle: Cycle of the deposit.
        edges, nodes: Keys of the changed edges and nodes, in the order of the values below.
        before: For each pheromone, the values before the deposit, one for each edge or node.
        laid: For each pheromone, the values of the deposit.
    """

    id: str
    cycle: int
    edges: Sequence[str]
    nodes: Sequence[str]
    before: Mapping[str, Sequence[float]]
    laid: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Carrier:
    """An edge or a node with its pheromones.

    Attributes:
        key: Its key in records of deposits.
        element: Its element id in the database.
        pheromones: Strength of each pheromone by name, >= 0.
    """

    key: str
    element: str
    pheromones: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class UndoableDeposit:
    """A deposit that can be undone, with all that is needed to do so.

    Attributes:
        cycle: Cycle for which the pheromones of `edges` and `nodes` were computed.
        later: Records of later deposits that share an edge or a node with it, oldest first.
        edges, nodes: Those of the deposit's edges and nodes that still exist, with their current pheromones.
    """

    cycle: int
    record: DepositRecord
    later: Sequence[DepositRecord]
    edges: Sequence[Carrier]
    nodes: Sequence[Carrier]


@dataclass(frozen=True, slots=True)
class UndoneDeposit:
    """The values to write so that the palace is as if a deposit had never been made.

    Attributes:
        cycle: Cycle for which the values are computed.
        edges, nodes: The edges and nodes of the deposit with their new pheromones.
        later: For each later deposit, by its id, the new `before` values of its record, by pheromone.
    """

    cycle: int
    edges: Sequence[Carrier]
    nodes: Sequence[Carrier]
    later: Mapping[str, Mapping[str, Sequence[float]]]


@dataclass(frozen=True, slots=True)
class DepositRequest:
    """Pheromones to lay on a path that helped, or on places that were searched."""

    nodes: Annotated[
        Sequence[str],
        Field(
            min_length=1,
            max_length=MOST_NODES,
            description="ids of nodes, wings, or WING/ROOM; for success the path, each joined to the next by an edge",
        ),
    ]
    kind: Annotated[DepositKind, Field(description="success: the path helped; exploration: places were searched")] = (
        "success"
    )
    amount: Annotated[
        float | None,
        Field(
            gt=0,
            le=MOST_AMOUNT,
            description="success of the first edge, later ones get less; default: the configured reward",
        ),
    ] = None
    id: Annotated[
        str | None,
        Field(min_length=1, max_length=200, description="a second deposit with the same id has no effect"),
    ] = None

    def check(self) -> None:
        """Check the request.

        Raises:
            InvalidInput: If a value is out of range, or `amount` is given for an exploration.
        """
        if self.kind not in ("success", "exploration"):
            raise InvalidInput(f"kind is {self.kind!r}; it must be success or exploration", field="kind")
        least = 2 if self.kind == "success" else 1
        if not least <= len(self.nodes) <= MOST_NODES:
            raise InvalidInput(
                f"nodes has {len(self.nodes)} items; for {self.kind} it must have {least} to {MOST_NODES}",
                field="nodes",
            )
        if self.amount is not None and self.kind == "exploration":
            raise InvalidInput("amount is only for success; an exploration lays the configured mark", field="amount")
        if self.amount is not None and not 0 < self.amount <= MOST_AMOUNT:
            raise InvalidInput(f"amount is {self.amount}; it must be above 0, at most {MOST_AMOUNT:g}", field="amount")
        if self.id is not None:
            place_name("id", self.id)

"""A deposit of pheromones that a caller asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from graphpalace.domain.identity import place_name
from graphpalace.errors import InvalidInput

DepositKind = Literal["success", "exploration"]
MOST_NODES = 1000
MOST_AMOUNT = 100.0


@dataclass(frozen=True, slots=True)
class DepositRequest:
    """Pheromones to lay on a path that helped, or on places that were searched.

    Attributes:
        nodes: Ids, or names as the search for a path takes them. For `success`, the path in walking order.
    """

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

"""Find the nodes of a palace by name, and the names of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.domain.graph.trail import NodeRef
from graphpalace.store.connection.database import Database


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """A wing or a room that a name may mean.

    Attributes:
        kind: `Wing` or `Room`.
        name: Unambiguous name: WING, or WING/ROOM.
        exact: Whether the given name was the unambiguous one.
    """

    id: str
    kind: str
    name: str
    exact: bool


class NodeNameStore:
    """Looks up nodes by name, and names by node."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find_places(self, palace: str, name: str) -> list[FoundPlace]:
        """Return at most 20 wings and rooms that a name may mean; exact matches come first."""
        return [FoundPlace(**row) for row in await self._database.read(palace, "snapshot/find_places", name=name)]

    async def names(self, nodes: Sequence[NodeRef]) -> dict[str, str]:
        """Return readable names of nodes by id: a name, a title, or the beginning of a drawer's text."""
        wanted = [{"kind": node.kind, "id": node.id} for node in nodes]
        return {row["id"]: row["name"] for row in await self._database.read(None, "snapshot/name_nodes", nodes=wanted)}

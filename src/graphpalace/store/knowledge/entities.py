"""Store the names that drawers mention and facts are about: one node for each normalised name."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.domain.knowledge.entity import (
    MOST_ALIASES,
    Entity,
    EntityType,
    NewEntity,
    entity_id,
    normalised_name,
)
from graphpalace.store.connection.database import Database, Row, Transaction
from graphpalace.store.palaces.changes import record_change
from graphpalace.store.palaces.palaces import hold_palace


async def entities_by_name(tx: Transaction, palace: str, names: Sequence[NewEntity]) -> dict[str, Entity]:
    """Create the missing ones of some names, and return all of them by the normalised names that were asked for.

    A name that was merged into another by hand gives that other entity. The transaction must have locked the palace.

    Args:
        names: Each with a normalised name that is not empty.
    """
    asked: dict[str, NewEntity] = {}
    for new in names:
        asked.setdefault(normalised_name(new.name), new)
    rows = await tx.run(
        "knowledge/get_or_create_entities",
        names=[
            {
                "id": entity_id(palace, normalised),
                "name": new.name,
                "normalised_name": normalised,
                "entity_type": new.entity_type,
                "aliases": list(dict.fromkeys(new.aliases)),
            }
            for normalised, new in sorted(asked.items())
        ],
        most_aliases=MOST_ALIASES,
        concept=EntityType.CONCEPT,
    )
    return {row.pop("asked"): entity_of(row) for row in rows}


def entity_of(row: Row) -> Entity:
    """Return the entity of a row with its properties."""
    return Entity(**{**row, "entity_type": EntityType(row["entity_type"])})


class EntityStore:
    """Finds and creates the entities of palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_or_create(self, palace: str, names: Sequence[NewEntity]) -> dict[str, Entity]:
        """Do as `entities_by_name` in a transaction of its own.

        Raises:
            NotFound: If the palace does not exist, or was dropped meanwhile.
        """

        async def work(tx: Transaction) -> dict[str, Entity]:
            await hold_palace(tx, palace)
            found = await entities_by_name(tx, palace, names)
            await record_change(tx)
            return found

        return await self._database.transaction(palace, work)

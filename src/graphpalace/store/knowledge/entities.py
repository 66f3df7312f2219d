"""Store the names that drawers mention and facts are about, and read which drawers mention which."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from graphpalace.domain.identity import as_place_name
from graphpalace.domain.knowledge.entity import (
    MOST_ALIASES,
    Entity,
    EntityType,
    MentionChanges,
    MentionColumns,
    NewEntity,
    SpellingColumns,
    entity_id,
    normalised_name,
)
from graphpalace.domain.knowledge.names import DrawerNames, MentionedName, NamedDrawer, NeighbourName
from graphpalace.store.connection.database import Database, Row, Transaction, palace_row
from graphpalace.store.palaces.palaces import hold_palace, record_change


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
                "name": as_place_name(new.name) or new.name,  # a text may hide signs in a name
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

    async def find(self, palace: str, name: str) -> Entity | None:
        """Return the entity of an id, or of a name in any way of writing it; None if there is none.

        A name that was merged into another by hand gives that other entity.
        """
        for identity in (name, entity_id(palace, normalised_name(name))):
            rows = await self._database.read(palace, "knowledge/find_entity", id=identity)
            if rows:
                return entity_of(rows[0])
        return None

    async def page(
        self, palace: str, *, query: str, entity_type: EntityType | None, wing_id: str | None, offset: int, limit: int
    ) -> list[Entity]:
        """Return entities whose names or aliases contain a text, those with most drawers first.

        Args:
            query: Empty: all.
            entity_type: None: any.
            wing_id: Of the wing whose drawers count; None: all drawers count.
        """
        rows = await self._database.read(
            palace,
            "knowledge/list_entities",
            query=normalised_name(query) or query.casefold(),
            entity_type=entity_type,
            wing_id=wing_id,
            offset=offset,
            limit=limit,
        )
        return [entity_of(row) for row in rows]

    async def drawers(self, entity: str, *, offset: int, limit: int) -> list[NamedDrawer]:
        """Return drawers that mention an entity, those that mention it most first."""
        rows = await self._database.read(None, "knowledge/list_drawers", id=entity, offset=offset, limit=limit)
        return [NamedDrawer(**row) for row in rows]

    async def mentions(self, palace: str, drawers: Sequence[str], *, most: int) -> list[DrawerNames]:
        """Return the names that drawers mention, in the order of the drawers; those that do not exist are left out.

        Args:
            most: Largest number of names of a drawer.
        """
        rows = await self._database.read(palace, "knowledge/list_mentions", drawers=list(drawers), most=most)
        of = {row["drawer"]: row["names"] for row in rows}
        return [
            DrawerNames(
                drawer,
                [MentionedName(**{**each, "entity_type": EntityType(each["entity_type"])}) for each in of[drawer]],
            )
            for drawer in dict.fromkeys(drawers)
            if drawer in of
        ]

    async def neighbours(self, entity: str, *, drawers: int, limit: int) -> list[NeighbourName]:
        """Return the entities that share most drawers with an entity.

        Args:
            drawers: How many drawers of the entity are looked at.
        """
        rows = await self._database.read(None, "knowledge/list_neighbours", id=entity, drawers=drawers, limit=limit)
        return [NeighbourName(**{**row, "entity_type": EntityType(row["entity_type"])}) for row in rows]

    async def signs(self, entities: Sequence[str], *, most: int) -> dict[str, dict[str, list[str]]]:
        """Return what drawers say of entities beside their names, by entity and drawer.

        Entities of which fewer than two drawers say something are left out.

        Args:
            most: Mentions of an entity that are looked at.
        """
        rows = await self._database.read(None, "knowledge/list_signs", ids=list(entities), most=most)
        return {row["id"]: {each["drawer"]: each["signs"] for each in row["signs"]} for row in rows}

    async def facts_and_merged(self, entity: str) -> tuple[int, list[str]]:
        """Return the number of facts about an entity, and the names that were merged into it."""
        rows = await self._database.read(None, "knowledge/name_page", id=entity)
        return (rows[0]["facts"], rows[0]["merged"]) if rows else (0, [])


class MentionStore:
    """Reads mentions for the index in memory, and the changes to keep it up to date."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, palace: str) -> AsyncGenerator[tuple[SpellingColumns, MentionColumns], None]:
        """Yield the mentions of a palace, at most five thousand at a time, each with how its name is written."""
        async for row in self._database.stream(palace, "knowledge/load_mentions"):
            ids = row["ids"]
            yield (
                SpellingColumns(ids, row["shown"], row["normalised"], row["aliases"]),
                MentionColumns(
                    row["drawers"], [ids[at] for at in row["names"]], row["is_title"], row["success"], row["cycles"]
                ),
            )

    async def load_some(self, drawers: Sequence[str]) -> MentionColumns:
        """Return the mentions in some drawers."""
        (row,) = await self._database.read(None, "knowledge/load_some_mentions", ids=list(drawers))
        return MentionColumns(**row)

    async def spellings(self, names: Sequence[str]) -> SpellingColumns:
        """Return how some names are written. Those that no longer exist are left out."""
        (row,) = await self._database.read(None, "knowledge/load_spellings", ids=list(names))
        return SpellingColumns(**row)

    async def changes(self, palace: str, *, since: int | None) -> MentionChanges | None:
        """Return what changed since a revision; None if the palace does not exist.

        Args:
            since: None: only the state of the palace.
        """
        rows = await self._database.read(
            palace, "knowledge/read_mention_changes", seen=since or 0, loaded=since is not None
        )
        row = palace_row(rows)
        if row is None:
            return None
        entries = row["changes"]
        # A deposit names its edges as "TYPE source target"; the source of a REFERENCES edge is the drawer.
        trails = (edge.split(" ") for entry in entries for edge in entry["edges"])
        return MentionChanges(
            row["born"],
            row["revision"],
            row["cycle"],
            len(entries),
            frozenset(drawer for entry in entries for drawer in entry["removed"]),
            frozenset(drawer for entry in entries for drawer in entry["named"])
            | {source for kind, source, _ in trails if kind == "REFERENCES"},
        )

"""Find and count the facts of palaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphpalace.domain.knowledge.entity import entity_id, normalised_name
from graphpalace.domain.knowledge.fact_index import ReplacedDrawer
from graphpalace.domain.knowledge.fact_versions import FactName, StoredFact
from graphpalace.domain.knowledge.facts import FactStats, PredicateCount
from graphpalace.store.connection.database import Database
from graphpalace.store.knowledge.fact_rows import fact_of

_MOST_PREDICATES = 100  # that are counted one by one


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity that facts are about, with every name that is known for it."""

    id: str
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class FactTimes:
    """Which versions of facts are wanted.

    Attributes:
        as_of: Those that held in the world at this moment; None: at any time.
        known_at: Those that the palace knew at this moment; None: knows now.
    """

    as_of: datetime | None = None
    known_at: datetime | None = None


class FactStore:
    """Reads facts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def names(self, palace: str, names: Sequence[str]) -> dict[str, FactName]:
        """Return the entities that names mean, by the normalised names; names that are not known are left out."""
        asked = {normalised: entity_id(palace, normalised) for normalised in map(normalised_name, names)}
        rows = await self._database.read(
            palace, "knowledge/find_names", names=[{"id": id, "normalised_name": name} for name, id in asked.items()]
        )
        return {row["asked"]: FactName(row["id"], row["name"]) for row in rows}

    async def get(self, palace: str, fact: str) -> StoredFact | None:
        """Return a fact by its id."""
        rows = await self._database.read(palace, "knowledge/read_fact", id=fact)
        return fact_of(rows[0]) if rows else None

    async def versions(self, palace: str, *, subject: str, predicate: str, object: str) -> list[StoredFact]:
        """Return all versions of the facts with a subject, a predicate and an object, unlearned ones too."""
        rows = await self._database.read(
            palace, "knowledge/read_versions", subject=subject, predicate=predicate, object=object
        )
        return [fact_of(row) for row in rows]

    async def find(
        self,
        palace: str,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        times: FactTimes,
        limit: int,
    ) -> list[StoredFact]:
        """Return facts by what they say, sorted by subject, predicate and time.

        Args:
            subject, object: Ids of entities.
        """
        rows = await self._database.read(
            palace,
            "knowledge/find_facts",
            subject=subject,
            predicate=predicate,
            object=object,
            as_of=times.as_of,
            known_at=times.known_at,
            limit=limit,
        )
        return [fact_of(row) for row in rows]

    async def around(
        self,
        palace: str,
        entities: Sequence[str],
        *,
        predicate: str | None = None,
        times: FactTimes,
        unlearned: bool = False,
        limit: int,
    ) -> list[StoredFact]:
        """Return the facts that begin or end at some entities, sorted by time.

        Args:
            unlearned: Whether to return the versions that the palace has unlearned, too.
        """
        rows = await self._database.read(
            palace,
            "knowledge/facts_around",
            entities=list(entities),
            predicate=predicate,
            as_of=times.as_of,
            known_at=times.known_at,
            unlearned=unlearned,
            limit=limit,
        )
        return [fact_of(row) for row in rows]

    async def since(self, palace: str, revision: int) -> tuple[list[StoredFact], list[NamedEntity]]:
        """Return the versions that were written since a revision of the palace's facts, and the entities they name."""
        (row,) = await self._database.read(palace, "knowledge/load_facts", since=revision)
        names = [NamedEntity(each["id"], (each["name"], *each["aliases"])) for each in row["names"]]
        return [fact_of(each) for each in row["facts"]], names

    async def replaced(self, palace: str) -> dict[str, ReplacedDrawer]:
        """Return the drawers whose place others have taken, by id."""
        (row,) = await self._database.read(palace, "knowledge/load_replaced")
        return {old: ReplacedDrawer(old, new, since.to_native()) for old, new, since in row["drawers"]}

    async def count(self, palace: str, *, now: datetime, outdated: int) -> FactStats:
        """Return how many facts there are.

        Args:
            outdated: Number of drawers all of whose facts are closed.
        """
        (row,) = await self._database.read(palace, "knowledge/count_facts", now=now, most=_MOST_PREDICATES)
        predicates = [PredicateCount(**each) for each in row.pop("predicates")]
        return FactStats(**row, outdated=outdated, predicates=predicates)

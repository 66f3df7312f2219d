"""Find and count the facts of palaces, and the drawers from which facts are still to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from graphpalace.domain.knowledge.entity import entity_id, normalised_name
from graphpalace.domain.knowledge.fact_index import ReplacedDrawer
from graphpalace.domain.knowledge.fact_versions import FactName, StoredFact
from graphpalace.domain.knowledge.facts import STATED, FactStats, PredicateCount, ReadDrawer
from graphpalace.store.connection.database import Database, Row

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

    async def predicates(self, palace: str, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], list[str]]:
        """Return what the facts that were not taken back say of pairs of entities, by the ids of subject and object."""
        rows = await self._database.read(
            palace,
            "knowledge/read_predicates",
            pairs=[{"source": source, "target": target} for source, target in pairs],
        )
        return {(row["source"], row["target"]): row["predicates"] for row in rows}

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


def fact_of(row: Row) -> StoredFact:
    """Return the fact of a row with its properties."""
    return StoredFact(
        id=row["id"],
        subject=FactName(row["subject_id"], row["subject"]),
        predicate=row["predicate"],
        object=FactName(row["object_id"], row["object"]),
        valid_from=moment_of(row["valid_from"]),
        valid_to=moment_of(row["valid_to"]),
        observed_at=moment_of(row["observed_at"]) or datetime.min.replace(tzinfo=UTC),
        invalidated_at=moment_of(row["invalidated_at"]),
        superseded_by=row["superseded_by"],
        confidence=1.0 if row["confidence"] is None else row["confidence"],  # somebody may have made it with Cypher
        source=row["source"] or STATED,
        drawers=tuple(row["drawers"] or ()),
        stated=row["stated"] is not False,
    )


def moment_of(stored: Any) -> datetime | None:
    """Return a time of Neo4j in UTC; None if there is none."""
    return None if stored is None else stored.to_native().astimezone(UTC)


def opened_row(fact: StoredFact, trail_of: str | None) -> Row:
    """Return a new version as the query that writes it takes it."""
    return {
        "id": fact.id,
        "subject": fact.subject.id,
        "object": fact.object.id,
        "predicate": fact.predicate,
        "valid_from": fact.valid_from,
        "valid_to": fact.valid_to,
        "observed_at": fact.observed_at,
        "trail_of": trail_of,
    } | evidence_row(fact)


def evidence_row(fact: StoredFact) -> Row:
    """Return what a known version says of its evidence."""
    return {
        "id": fact.id,
        "superseded_by": fact.superseded_by,
        "confidence": fact.confidence,
        "source": fact.source,
        "drawers": list(fact.drawers),
        "stated": fact.stated,
    }


def closed_row(fact: StoredFact) -> Row:
    """Return how a version is closed."""
    return {"id": fact.id, "superseded_by": fact.superseded_by, "invalidated_at": fact.invalidated_at}


@dataclass(frozen=True, slots=True)
class UnreadPlace:
    """Where drawers are to be read: a wing, rooms, or everywhere."""

    wing_id: str | None
    room_ids: Sequence[str] | None


class ProposalStore:
    """Keeps what an extractor has read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count_due(self, palace: str, place: UnreadPlace) -> int:
        """Return how many drawers are still to be read."""
        (row,) = await self._database.read(palace, "knowledge/count_unread", **asdict(place))
        return row["drawers"]

    async def due(self, palace: str, place: UnreadPlace, *, after: str, limit: int) -> list[ReadDrawer]:
        """Return some drawers that are still to be read, sorted by id.

        Args:
            after: The id after which they begin.
        """
        rows = await self._database.read(palace, "knowledge/list_unread", **asdict(place), after=after, limit=limit)
        return [ReadDrawer(**row) for row in rows]

    async def take(self, palace: str, drawer: ReadDrawer) -> bool:
        """Mark a drawer as read; return False if it was changed or deleted since it was listed."""
        rows = await self._database.write(palace, "knowledge/take_read", id=drawer.id, stamp=drawer.stamp)
        return bool(rows)

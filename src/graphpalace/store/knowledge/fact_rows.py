"""Facts as rows of queries."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from graphpalace.domain.knowledge.fact_versions import FactName, StoredFact
from graphpalace.domain.knowledge.facts import STATED
from graphpalace.store.connection.database import Row


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

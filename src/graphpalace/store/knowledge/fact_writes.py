"""Change the facts of palaces. Each change is one transaction, which is recorded in the change feed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphpalace.domain.knowledge.entity import RELATION_COST, NewEntity, normalised_name
from graphpalace.domain.knowledge.fact_requests import NewFact, Supersession, predicate_name
from graphpalace.domain.knowledge.fact_versions import FactChanges, FactHistory, FactName, StoredFact
from graphpalace.domain.moments import optional_time
from graphpalace.errors import NotFound
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.knowledge.entities import entities_by_name
from graphpalace.store.knowledge.facts import closed_row, evidence_row, fact_of, moment_of, opened_row
from graphpalace.store.palaces.palaces import hold_palace


@dataclass(frozen=True, slots=True)
class ChangedFacts:
    """What a change did.

    Attributes:
        fact: The fact that was wanted; None after an invalidation.
        created: Whether it is new.
        ended: What the palace knows now of the facts that ended, or how it unlearned them.
        kept: What it knows instead of facts that it unlearned.
    """

    fact: StoredFact | None
    created: bool = False
    ended: Sequence[StoredFact] = ()
    kept: Sequence[StoredFact] = ()


class FactWriter:
    """Adds, supersedes and invalidates facts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_all(self, palace: str, facts: Sequence[NewFact]) -> list[ChangedFacts]:
        """Add facts, all of them or none; a known one only gets more evidence.

        Raises:
            NotFound: If the palace or one of the drawers does not exist.
        """

        async def work(tx: Transaction) -> list[ChangedFacts]:
            await hold_palace(tx, palace)
            now = await _now(tx, [drawer for new in facts for drawer in new.drawers])
            names = await _names(tx, palace, [name for new in facts for name in (new.subject, new.object)])
            added, changes = [], FactChanges()
            histories: dict[tuple[str, str, str], FactHistory] = {}
            for new in facts:
                wanted = _wanted(new, names, now)
                wanted = replace(
                    wanted,
                    valid_from=optional_time("valid_from", new.valid_from),
                    valid_to=optional_time("valid_to", new.valid_to),
                )
                place = wanted.subject.id, wanted.predicate, wanted.object.id
                if place not in histories:
                    histories[place] = await _history(tx, palace, *place, now=now)
                history = histories[place]
                fact, created = history.add(wanted)
                added.append((history, fact, created))
            for history in histories.values():
                changes.take(history.changes)
            await _write(tx, changes)
            return [ChangedFacts(history.version(fact), created) for history, fact, created in added]

        return await self._database.transaction(palace, work)

    async def supersede(self, palace: str, new: Supersession, *, single_valued: bool) -> ChangedFacts:
        """Let a fact take the place of what holds at a moment.

        Args:
            single_valued: Whether the predicate has one object at a time.

        Raises:
            NotFound: If the palace or one of the drawers does not exist, or what is to be replaced does not hold.
            InvalidInput: If nothing says which of several facts is replaced.
        """

        async def work(tx: Transaction) -> ChangedFacts:
            await hold_palace(tx, palace)
            now = await _now(tx, new.drawers)
            replaced = [] if new.replaces is None else [new.replaces]
            names = await _names(tx, palace, [new.subject, new.object, *replaced])
            wanted = _wanted(new, names, now)
            history = await _history(tx, palace, wanted.subject.id, wanted.predicate, None, now=now)
            fact, created, ended = history.supersede(
                wanted,
                at=optional_time("at", new.at) or now,
                replaces=None if new.replaces is None else names[normalised_name(new.replaces)].id,
                single_valued=single_valued,
            )
            await _write(tx, history.changes)
            return ChangedFacts(history.version(fact), created, [history.version(one) for one in ended])

        return await self._database.transaction(palace, work)

    async def invalidate(
        self, palace: str, wanted: StoredFact, *, only: str | None, ended: datetime | None
    ) -> ChangedFacts:
        """Unlearn a fact, or all known facts with the same subject, predicate and object.

        Args:
            only: Id of the one fact; None: all.
            ended: The facts did hold until this moment; None: they never did.

        Raises:
            InvalidInput: If a fact does not hold just before that moment.
            NotFound: If the palace does not exist.
        """

        async def work(tx: Transaction) -> ChangedFacts:
            await hold_palace(tx, palace)
            now = await _now(tx, ())
            place = wanted.subject.id, wanted.predicate, wanted.object.id
            history = await _history(tx, palace, *place, now=now)
            known = [one for one in history.live if only in (None, one.id)]
            if only is None and ended is not None and len(known) > 1:  # those that it can mean
                known = [one for one in known if one.holds_at(ended)] or known
            kept = [history.invalidate(one, ended=ended) for one in known]
            gone = [history.version(one.id) for one in known]
            await _write(tx, history.changes)
            return ChangedFacts(
                None,
                ended=[one for one in gone if one.invalidated_at is not None],
                kept=[history.version(one) for one in kept if one is not None],
            )

        return await self._database.transaction(palace, work)


async def _now(tx: Transaction, drawers: Sequence[str]) -> datetime:
    """Return the database's time. Raise `NotFound` if one of the drawers is not in the palace."""
    (row,) = await tx.run("knowledge/read_clock", drawers=list(dict.fromkeys(drawers)))
    if row["missing"]:
        raise NotFound(f"drawer {row['missing'][0]!r} is not in the palace", field="drawers", missing=row["missing"])
    now = moment_of(row["now"])
    assert now
    return now


async def _names(tx: Transaction, palace: str, names: Sequence[str]) -> dict[str, FactName]:
    """Return the entities with some names, which are created if they are missing, by normalised name."""
    found = await entities_by_name(tx, palace, [NewEntity(name) for name in names])
    return {normalised: FactName(entity.id, entity.name) for normalised, entity in found.items()}


def _wanted(new: NewFact | Supersession, names: dict[str, FactName], now: datetime) -> StoredFact:
    """Return a fact as it is wanted, without an id and times."""
    return StoredFact(
        id="",
        subject=names[normalised_name(new.subject)],
        predicate=predicate_name("predicate", new.predicate),
        object=names[normalised_name(new.object)],
        valid_from=None,
        valid_to=None,
        observed_at=now,
        confidence=new.confidence,
        source=new.source,
        drawers=tuple(dict.fromkeys(new.drawers)),
        stated=not new.drawers,
    )


async def _history(
    tx: Transaction, palace: str, subject: str, predicate: str, object: str | None, *, now: datetime
) -> FactHistory:
    rows = await tx.run("knowledge/read_versions", subject=subject, predicate=predicate, object=object)
    return FactHistory(palace, [fact_of(row) for row in rows], now=now)


async def _write(tx: Transaction, changes: FactChanges) -> None:
    if not changes:
        return
    named: dict[str, list[str]] = defaultdict(list)
    for fact in (*(fact for fact, _ in changes.opened), *changes.supported):
        for drawer in fact.drawers:
            named[drawer].append(fact.id)
    await tx.run(
        "knowledge/write_facts",
        opened=[opened_row(fact, trail_of) for fact, trail_of in changes.opened],
        closed=[closed_row(fact) for fact in changes.closed],
        supported=[evidence_row(fact) for fact in changes.supported],
        named=[{"drawer": drawer, "facts": facts} for drawer, facts in named.items()],
        base_cost=RELATION_COST,
    )
    await tx.run("knowledge/record_names", named=[], respelled=[], facts=False)  # `write_facts` has counted them

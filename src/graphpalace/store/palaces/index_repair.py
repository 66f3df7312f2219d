"""Find indexes and constraints that are missing or have failed, and create them again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from graphpalace.store.connection.database import Database, Row
from graphpalace.store.connection.schema import IndexState, ServerStore, language_indexes, migrations, palace_indexes

_RULE = re.compile(r"CREATE\s+(?:\w+\s+)?(INDEX|CONSTRAINT)\s+(\w+)")


@dataclass(frozen=True, slots=True)
class PalaceHealth:
    """What tells of a palace whether something is left to do in it.

    Attributes:
        analyzers: Those of its wings, besides its own.
        next_model: The model that new vectors are being computed with; None: none are.
        switched: Whether the new vectors answer, but not all has followed.
        importing: Whether an import has begun and not ended.
        undecayed_s: Seconds since the last decay.
        leased: Whether a service is applying the decay.
        unsettled_s: Seconds since its drawers changed, if the links of its rooms are older; None: they are not.
    """

    name: str
    model: str
    dimension: int
    analyzer: str
    analyzers: Sequence[str]
    next_model: str | None
    switched: bool
    importing: bool
    undecayed_s: float
    leased: bool
    unsettled_s: float | None


@dataclass(frozen=True, slots=True)
class IndexFault:
    """An index or a constraint that is not as it should be.

    Attributes:
        reason: For example "is missing".
        drop: Statement that removes it.
        create: Statement of a migration that creates it, or the name of a query of `cypher/`.
        palace: Whose index it is; None: that of the schema.
        literals: For that query.
    """

    name: str
    reason: str
    drop: str
    create: str
    palace: str | None = None
    literals: Row = field(default_factory=dict)


class IndexRepair:
    """Compares the indexes of a database whose schema is current with those that there should be."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def palaces(self) -> list[PalaceHealth]:
        """Return what tells whether something is left to do in each palace."""
        return [PalaceHealth(**row) for row in await self._database.read(None, "health/check_palaces")]

    async def faults(self) -> list[IndexFault]:
        """Return the indexes and constraints that are missing, have failed, or are for vectors of another length."""
        there = {index.name: index for index in await ServerStore(self._database).indexes()}
        found = []
        for migration in migrations():
            for statement in migration.statements:
                if rule := _RULE.match(statement):
                    kind, name = rule.groups()
                    if reason := _reason(there.get(name)):
                        found.append(IndexFault(name, reason, f"DROP {kind} {name} IF EXISTS", statement))
        for palace in await self.palaces():
            found += _of_palace(palace, there)
        return found

    async def repair(self) -> list[str]:
        """Create what is missing or has failed, wait until it is online, and return the names.

        Raises:
            DatabaseFailed: If an index fails again.
        """
        faults = await self.faults()
        for fault in faults:
            await self._database.run_statement(fault.drop)
            if fault.palace is None:
                await self._database.run_statement(fault.create)
            else:
                await self._database.change_schema(fault.palace, fault.create, literals=fault.literals)
        if faults:
            await ServerStore(self._database).await_indexes()
        return [fault.name for fault in faults]


def _of_palace(palace: PalaceHealth, there: dict[str, IndexState]) -> list[IndexFault]:
    wanted = palace_indexes(palace.name, analyzer=palace.analyzer, dimension=palace.dimension)
    if palace.switched:  # `reembed` removes the vector index, and creates it in the end
        wanted = [index for index in wanted if index.kind != "vector"]
    for analyzer in palace.analyzers:
        wanted += language_indexes(palace.name, analyzer)
    return [
        IndexFault(one.name, reason, f"DROP INDEX {one.name} IF EXISTS", one.query, palace.name, one.literals)
        for one in wanted
        if (reason := _reason(there.get(one.name), dimension=one.literals.get("dimension")))
    ]


def _reason(index: IndexState | None, *, dimension: int | None = None) -> str:
    if index is None:
        return "is missing"
    if index.state == "FAILED":
        return f"has failed: {' '.join(index.failure.split())[:200]}"
    if dimension is not None and index.dimension not in (None, dimension):
        return f"is for vectors of {index.dimension} numbers, and those of the palace have {dimension}"
    return ""

"""Begin and finish imports, and write their rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from graphpalace.domain.palaces.languages import ANALYZERS
from graphpalace.domain.transfer.answers import ImportedRows
from graphpalace.domain.transfer.kinds import EdgeKind, NodeKind
from graphpalace.errors import DatabaseFailed, InvalidInput
from graphpalace.store.connection.database import Database, Row, Transaction
from graphpalace.store.drawers.drawer_links import link_similar
from graphpalace.store.palaces.languages import LanguageStore
from graphpalace.store.palaces.palaces import hold_palace
from graphpalace.store.transfer.reading import from_json
from graphpalace.store.transfer.writing import write_edges, write_nodes

Work = Callable[[Transaction], Awaitable[ImportedRows]]

# What a palace that has nothing else takes over from an exported one. The rest, such as its model, is its own.
_TAKEN = (
    "created_at", "settled_revision", "divided_revision", "learned", "forgot", "facts_forgot", "cycle",
    "cycle_started_at", "decay_cycle", "decay_finished_at", "decay_seconds", "decay_nodes", "decay_edges",
    "decay_pruned", "words_form", "news_surprise", "news_doubt",
)  # fmt: skip


class ImportStore:
    """Writes what imports bring.

    Args:
        cycle_seconds: Seconds of one cycle of the clock.
    """

    def __init__(self, database: Database, *, cycle_seconds: float) -> None:
        self._database = database
        self._cycle_seconds = cycle_seconds

    async def begin(self, palace: str, import_id: str) -> tuple[bool, int]:
        """Return whether a palace has nothing but what this import brought, and the cycle of its clock.

        Raises:
            NotFound: If there is no palace of this name.
        """

        async def work(tx: Transaction) -> tuple[bool, int]:
            await hold_palace(tx, palace)
            (row,) = await tx.run("transfer/begin_import", import_id=import_id, cycle_seconds=self._cycle_seconds)
            return row["fresh"], row["cycle"]

        return await self._database.transaction(palace, work)

    async def take_over(self, palace: str, import_id: str, kind: NodeKind, row: Row) -> bool:
        """Let a palace that has nothing else take over the clock and the counters of an exported one."""
        given = from_json(kind, row, palace=palace)
        taken = {name: given[name] for name in _TAKEN if name in given}

        async def work(tx: Transaction) -> bool:
            await hold_palace(tx, palace)
            (done,) = await tx.run(
                "transfer/take_over_palace",
                import_id=import_id,
                properties=taken,
                revision=given.get("revision", 0),
                facts=given.get("facts", 0),
            )
            return done["taken"]

        return await self._database.transaction(palace, work)

    async def nodes(
        self, palace: str, kind: NodeKind, rows: Sequence[Row], *, fresh: bool, model: str | None
    ) -> ImportedRows:
        """Create nodes that do not exist yet.

        Args:
            rows: As JSON has them, checked.
            fresh: Whether the palace has nothing but what this import brought.
            model: Embedding model of the vectors among them; None: they have none.

        Raises:
            InvalidInput: If a value does not exist, a node appears twice, or Neo4j refuses the rows.
            Conflict: If a node is one of another palace, or the palace has another model by now.
        """
        given = [from_json(kind, row, palace=palace) for row in rows]
        if kind.file == "wings":
            await self._ensure_analyzers(palace, sorted({row["analyzer"] for row in given if row.get("analyzer")}))

        async def work(tx: Transaction) -> ImportedRows:
            await hold_palace(tx, palace, model=model)
            return await write_nodes(tx, palace, kind, given, fresh=fresh)

        return await self._written(palace, kind, work)

    async def edges(self, palace: str, kind: EdgeKind, rows: Sequence[Row]) -> ImportedRows:
        """Create relationships that do not exist yet, where both ends are in the palace.

        Raises:
            InvalidInput: If a value does not exist, a fact appears twice, or Neo4j refuses the rows.
        """
        given = [
            {
                "source": row["from"],
                "target": row["to"],
                "properties": from_json(kind, row.get("properties", {}), palace=palace),
            }
            for row in rows
        ]

        async def work(tx: Transaction) -> ImportedRows:
            await hold_palace(tx, palace)
            return await write_edges(tx, palace, kind, given)

        return await self._written(palace, kind, work)

    async def unlinked(self, palace: str) -> list[str]:
        """Return the imported drawers that are still to be compared with the others, sorted by id."""
        return [row["id"] for row in await self._database.read(palace, "transfer/list_imported")]

    async def link(self, palace: str, drawers: Sequence[str], links: Sequence[tuple[str, str, float]]) -> int:
        """Create similarities of imported drawers, and note that they were compared; return how many there are."""

        async def work(tx: Transaction) -> int:
            await hold_palace(tx, palace)
            await tx.run("transfer/mark_linked", ids=list(drawers))
            return await link_similar(tx, links)

        return await self._database.transaction(palace, work)

    async def sweep(self, palace: str) -> int:
        """Delete drawers that are in no closet; return how many."""
        return await self._locked_count(palace, "transfer/sweep_drawers", "swept")

    async def count_mentions(self, palace: str) -> int:
        """Count again how many drawers mention each entity; return how many counts were wrong."""
        return await self._locked_count(palace, "transfer/count_mentions", "entities")

    async def finish(self, palace: str, import_id: str, *, unsettled: bool) -> None:
        """Let every process that has the palace in memory read it anew.

        Args:
            unsettled: Whether its rooms are to be settled again in any case.
        """

        async def work(tx: Transaction) -> None:
            await hold_palace(tx, palace)
            await tx.run("transfer/finish_import", import_id=import_id, unsettled=unsettled)

        await self._database.transaction(palace, work)

    async def _locked_count(self, palace: str, name: str, counted: str) -> int:
        async def work(tx: Transaction) -> int:
            await hold_palace(tx, palace)
            (row,) = await tx.run(name)
            return row[counted]

        return await self._database.transaction(palace, work)

    async def _written(self, palace: str, kind: NodeKind | EdgeKind, work: Work) -> ImportedRows:
        try:
            return await self._database.transaction(palace, work)
        except DatabaseFailed as error:  # such as two wings of one name
            raise InvalidInput(f"{kind.file}: Neo4j refuses rows of it: {error.message}", field=kind.file) from error

    async def _ensure_analyzers(self, palace: str, analyzers: Sequence[str]) -> None:
        for analyzer in analyzers:
            if analyzer not in ANALYZERS.values():
                raise InvalidInput(
                    f"wings: analyzer is {analyzer!r}; it must be one of {', '.join(sorted(set(ANALYZERS.values())))}",
                    field="analyzer",
                )
            await LanguageStore(self._database).ensure_indexes(palace, analyzer)
        if analyzers:

            async def work(tx: Transaction) -> None:
                await hold_palace(tx, palace)
                await tx.run("transfer/add_analyzers", analyzers=list(analyzers))

            await self._database.transaction(palace, work)

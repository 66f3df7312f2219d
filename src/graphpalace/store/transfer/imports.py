"""Begin and finish imports, and write their rows into a palace, unless they are there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from graphpalace.domain.palaces.languages import ANALYZERS
from graphpalace.domain.transfer.answers import ImportedRows
from graphpalace.domain.transfer.kinds import NODES, EdgeKind, NodeKind
from graphpalace.errors import Conflict, DatabaseFailed, InvalidInput
from graphpalace.store.connection.database import Database, Row, Transaction
from graphpalace.store.drawers.drawer_links import link_similar
from graphpalace.store.palaces.languages import LanguageStore
from graphpalace.store.palaces.palaces import hold_palace
from graphpalace.store.transfer.reading import from_json

_OWN_QUERIES = {
    "has_drawer": "transfer/create_has_drawer",
    "has_closet": "transfer/create_has_closet",
    "relates_to": "transfer/create_facts",
}
_TWINS = {"entities": "merged_entities", "merged_entities": "entities"}  # a node of the one may be there as the other


async def write_nodes(
    tx: Transaction, palace: str, kind: NodeKind, rows: Sequence[Row], *, fresh: bool
) -> ImportedRows:
    """Create nodes that do not exist yet.

    Args:
        rows: Their properties, as Neo4j has them.
        fresh: Whether the palace takes over the order of lessons.

    Raises:
        InvalidInput: If a node appears twice.
        Conflict: If a node is one of another palace.
    """
    given = {key_of(kind, row): row for row in rows}
    if len(given) < len(rows):
        raise InvalidInput(f"{kind.file}: {kind.key} {_twice(kind, rows)!r} appears twice", field=kind.file)
    known = await _known(tx, kind, list(given))
    conflicts, left_out = [], 0
    new: list[Row] = []
    for key, row in given.items():
        there = known.get(key)
        if there is None:
            new.append(row)
        elif there["palace"] == palace:
            conflicts += _conflict(kind, str(key), there, row)
        elif kind.only_same_name:
            conflicts.append(f"{kind.file} {key}: palace {there['palace']} has one of this name")
            left_out += 1
        else:
            raise Conflict(
                f"{kind.file}: {key!r} belongs to palace {there['palace']!r} of the same database, so it cannot be "
                f"imported into palace {palace!r}",
                palace=palace,
            )
    if twin := _TWINS.get(kind.file):
        merged = await _known(tx, NODES[twin], [row["id"] for row in new])
        conflicts += [f"{kind.file} {key}: it is one of {twin} here" for key in merged]
        new = [row for row in new if row["id"] not in merged]
    if kind.file == "simulation_states":
        own = await self_contained(tx, palace, new)
        left_out += len(new) - len(own)
        new = own
    if kind.file == "feedback" and not fresh and new:
        (counted,) = await tx.run("transfer/reserve_lessons", more=len(new))
        new = [
            row | {"learned": counted["learned"] + number}
            for number, row in enumerate(sorted(new, key=lambda row: row["learned"]), 1)
        ]
    if kind.file == "entities" and known:
        both = [
            {"id": key, "aliases": given[key].get("aliases", []), "kept_apart": given[key].get("kept_apart", [])}
            for key in known
        ]
        await tx.run("transfer/join_aliases", rows=both)
    if new:
        label = f"Drawer:Drawer_{palace}" if kind.label == "Drawer" else kind.label
        written = [row | {"palace": palace} for row in new]
        await tx.run("transfer/create_nodes", rows=written, literals={"label": label})
    return ImportedRows(len(new), len(rows) - len(new) - left_out, conflicts, left_out)


async def write_edges(tx: Transaction, palace: str, kind: EdgeKind, rows: Sequence[Row]) -> ImportedRows:
    """Create relationships that do not exist yet, where both ends are in the palace.

    Args:
        rows: `source` and `target`, which are keys, and `properties`, as Neo4j has them.

    Raises:
        InvalidInput: If a fact appears twice.
    """
    if kind.type in ("RELATES_TO", "REPLACED_BY"):
        rows = [row | {"properties": row["properties"] | {"palace": palace}} for row in rows]
    if kind.type == "RELATES_TO" and len({row["properties"]["id"] for row in rows}) < len(rows):
        raise InvalidInput(f"{kind.file}: a fact appears twice", field=kind.file)
    numbered = [row | {"at": at} for at, row in enumerate(rows)]
    name, literals = edge_query(kind)
    found: list[Row] = []
    while numbered:  # once, unless two rows have the same ends: the second finds what the first has created
        now, numbered = _without_repeated(numbered)
        found += await tx.run(name, rows=now, literals=literals)
    conflicts: list[str] = []
    for row in found:
        given = rows[row["at"]]
        if not row["created"] and row["properties"] is not None:
            shown = given["properties"].get("id") or f"{given['source']} {given['target']}"
            conflicts += _conflict(kind, shown, row["properties"], given["properties"])
    created = sum(row["created"] for row in found)
    return ImportedRows(created, len(found) - created, conflicts, len(rows) - len(found))


def _without_repeated(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Return the first row of each pair of ends, whatever their direction, and the rest."""
    first: list[Row] = []
    rest: list[Row] = []
    seen: set[tuple[str, str]] = set()
    for row in rows:
        ends = (min(row["source"], row["target"]), max(row["source"], row["target"]))
        (rest if ends in seen else first).append(row)
        seen.add(ends)
    return first, rest


def edge_query(kind: EdgeKind) -> tuple[str, dict[str, str]]:
    """Return the query that creates relationships of a kind, and what stands in it."""
    if kind.file in _OWN_QUERIES:
        return _OWN_QUERIES[kind.file], {}
    source, target = NODES[kind.source], NODES[kind.target]
    ends = {"source": source.label, "from": source.key, "target": target.label, "to": target.key}
    return "transfer/create_links" if kind.both_ways else "transfer/create_edges", ends | {"type": kind.type}


async def self_contained(tx: Transaction, palace: str, states: Sequence[Row]) -> list[Row]:
    """Return those states whose simulation is in the palace."""
    names = sorted({_simulation(row) for row in states})
    literals = {"label": "Simulation", "key": "name"}
    rows = await tx.run("transfer/find_nodes", keys=names, literals=literals)
    own = {row["key"] for row in rows if row["properties"]["palace"] == palace}
    return [row for row in states if _simulation(row) in own]


def key_of(kind: NodeKind, row: Mapping[str, Any]) -> Any:
    """Return what identifies a node among those of its kind."""
    return (row["simulation"], row["part"]) if kind.file == "simulation_states" else row[kind.key]


async def _known(tx: Transaction, kind: NodeKind, keys: Sequence[Any]) -> dict[Any, Row]:
    if kind.file == "simulation_states":
        rows = await tx.run("transfer/find_states", keys=sorted({name for name, _ in keys}))
        wanted = set(keys)
        return {tuple(row["key"]): row["properties"] for row in rows if tuple(row["key"]) in wanted}
    if kind.file == "pheromone_samples":
        rows = await tx.run("transfer/find_samples", keys=list(keys))
    else:
        rows = await tx.run("transfer/find_nodes", keys=list(keys), literals={"label": kind.label, "key": kind.key})
    return {row["key"]: row["properties"] for row in rows}


def _simulation(row: Row) -> str:
    return row["simulation"].removesuffix("/view")


def _conflict(kind: NodeKind | EdgeKind, shown: str, there: Row, given: Row) -> list[str]:
    other = [name for name in kind.content if there.get(name) != given.get(name)]
    return [f"{kind.file} {shown}: {', '.join(other)}"] if other else []


def _twice(kind: NodeKind, rows: Sequence[Row]) -> Any:
    seen: set[Any] = set()
    for row in rows:
        if (key := key_of(kind, row)) in seen:
            return key
        seen.add(key)
    return None


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

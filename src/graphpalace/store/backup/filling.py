"""Empty a database, and fill it with the rows of a backup."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator

from graphpalace.errors import InvalidInput
from graphpalace.store.backup.moment import node_number
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import SchemaStore, ServerStore
from graphpalace.store.palaces.languages import LanguageStore
from graphpalace.store.palaces.palaces import PalaceStore

_NODES, _RELATIONSHIPS = 500, 2000  # written at once; a node may have a text of a million characters
_MOST_CHARS = 4_000_000
_INDEXES_S = 3600
_OWN_NAME = re.compile(r"\w+")
_UNKNOWN = -1


class DatabaseFilling:
    """Fills a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def contents(self) -> str:
        """Return what somebody has put into the database, in words; an empty text if there is nothing.

        One palace that nobody used yet is nothing, because every start makes the default palace, and so is what an
        interrupted restore left.
        """
        if await self._database.read(None, "backup/find_restore"):
            return ""
        (row,) = await self._database.read(None, "backup/count_contents")
        if row["nodes"] == 0 and len(row["palaces"]) <= 1:
            return ""
        return f"{row['nodes']:,} nodes in the palaces {', '.join(sorted(row['palaces']))}"

    async def begin(self, file: str, *, migrations: Collection[str]) -> None:
        """Note that a restore has begun, empty the database, and create the indexes of some migrations."""
        await self._database.write(None, "backup/begin_restore", file=file)
        for row in await self._database.read(None, "backup/list_schema"):
            if _OWN_NAME.fullmatch(row["name"]):  # ours are
                drop = "backup/drop_constraint" if row["constraint"] else "backup/drop_index"
                await self._database.change_schema(None, drop, literals={"name": row["name"]})
        await self._database.auto_commit(None, "backup/delete_everything")
        await SchemaStore(self._database).lay(migrations)

    async def fill(
        self,
        nodes: Iterable[list],
        relationships: Iterable[list],
        *,
        progress: Callable[[int], None] = lambda _done: None,
    ) -> None:
        """Create nodes and relationships with all that they have.

        Args:
            nodes: Number, labels and properties of each.
            relationships: Type, numbers of both ends and properties of each.
            progress: Called after each batch with how many of both are there.

        Raises:
            InvalidInput: If an end of a relationship is missing.
        """
        done, place = 0, ""
        created = array("q")  # by the number of a node in the backup, that of the new one: eight bytes for each
        for batch in _batches(nodes, most=_NODES):
            rows = await self._database.write(
                None, "compact/create_nodes", nodes=[{"labels": labels, "properties": had} for _, labels, had in batch]
            )
            for (number, *_), row in zip(batch, rows, strict=True):
                if number >= len(created):
                    created.extend([_UNKNOWN] * (number + 1 - len(created)))
                created[number] = node_number(row["id"])
                place = row["id"].rpartition(":")[0]
            done += len(batch)
            progress(done)
        for batch in _batches(relationships, most=_RELATIONSHIPS):
            rows = [
                {
                    "type": kind,
                    "source": f"{place}:{_created(created, source)}",
                    "target": f"{place}:{_created(created, target)}",
                    "properties": had,
                }
                for kind, source, target, had in batch
            ]
            await self._database.write(None, "compact/create_relationships", relationships=rows)
            done += len(batch)
            progress(done)

    async def finish(self) -> list[str]:
        """Create the indexes of all palaces, and note that the restore has ended; return the names of the palaces."""
        palaces = await self._database.read(None, "backup/list_palaces")
        for palace in palaces:
            await PalaceStore(self._database).ensure_indexes(
                palace["name"], dimension=palace["dimension"], analyzer=palace["analyzer"]
            )
            for analyzer in palace["others"]:
                await LanguageStore(self._database).ensure_indexes(palace["name"], analyzer)
        await ServerStore(self._database).await_indexes(timeout_s=_INDEXES_S)
        await self._database.write(None, "backup/end_restore")
        return [palace["name"] for palace in palaces]


def _created(created: array[int], number: int) -> int:
    found = created[number] if number < len(created) else _UNKNOWN
    if found == _UNKNOWN:
        raise InvalidInput(f"the backup has a relationship of node {number}, which it does not have")
    return found


def _batches(rows: Iterable[list], *, most: int) -> Iterator[list[list]]:
    batch: list[list] = []
    chars = 0
    for row in rows:
        batch.append(row)
        chars += sum(len(value) for value in row[-1].values() if isinstance(value, str | bytes))
        if len(batch) == most or chars > _MOST_CHARS:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch

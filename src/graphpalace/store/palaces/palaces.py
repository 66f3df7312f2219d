"""Store palaces, each with indexes of its own, and their change feeds, which tell which drawers each write changed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphpalace.domain.drawers.names import title_words
from graphpalace.domain.identity import palace_name, stable_id
from graphpalace.domain.palaces.palaces import Palace, PalaceState
from graphpalace.domain.palaces.places import BASE_COST
from graphpalace.domain.search.search_words import WORDS_FORM, search_words
from graphpalace.errors import Conflict, InvalidInput, ModelMismatch, NotFound
from graphpalace.store.connection.database import Database, Row, Transaction, palace_row
from graphpalace.store.connection.schema import ServerStore, migrations
from graphpalace.store.palaces.palace_drops import DropInProgress, PalaceDrops, dropped_name


class PalaceStore:
    """Creates, reads and upgrades palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, name: str, *, model: str, dimension: int, analyzer: str) -> bool:
        """Create a palace with its indexes, unless it exists. Return whether it was created.

        Args:
            analyzer: Name of the Lucene analyzer of the full-text index.

        Raises:
            InvalidInput: If the name of the analyzer is not valid.
            Conflict: If a palace of this name is still being deleted.
        """
        if not re.fullmatch(r"[a-z][a-z-]*", analyzer):
            raise InvalidInput(
                f"search.analyzer is {analyzer!r}; it must be the name of a Lucene analyzer", field="analyzer"
            )

        async def work(tx: Transaction) -> Row:
            (row,) = await tx.run(
                "palaces/create_palace",
                id=stable_id("palace", palace_name(name)),
                name=name,
                dropped=dropped_name(name),
                model=model,
                dimension=dimension,
                analyzer=analyzer,
                schema_version=migrations()[-1].version,
                words_form=WORDS_FORM,
            )
            if row["dropping"]:
                raise DropInProgress
            return row

        row = await PalaceDrops(self._database).after(name, lambda: self._database.transaction(name, work))
        await self.ensure_indexes(name, dimension=row["dimension"], analyzer=row["analyzer"])
        return bool(row["created"])

    async def renew(self) -> list[str]:
        """Add to palaces of earlier versions what searches and paths need: words, indexes, and costs of edges to wings.

        Returns the names of the palaces that received words and indexes. The index that marks a palace as upgraded is
        created last, so an interrupted upgrade is repeated.
        """
        await self._database.write(None, "palaces/price_contains", base_cost=BASE_COST["CONTAINS"])
        indexes = {index.name for index in await ServerStore(self._database).indexes()}
        old = [name for name in await self.names() if f"drawer_exact_{name}" not in indexes]
        for name in old:
            while rows := await self._database.read(name, "palaces/list_drawers_without_words", limit=1000):
                words = [
                    {
                        "id": row["id"],
                        "words": search_words(row["text"]),
                        "title_words": title_words(row["title"], *row["labels"]),
                    }
                    for row in rows
                ]
                await self._database.write(name, "palaces/set_words", drawers=words)
            try:
                palace = await self.get(name)
            except NotFound:  # it was dropped meanwhile
                continue
            await self._database.change_schema(name, "palaces/drop_text_index")
            await self.ensure_indexes(name, dimension=palace.dimension, analyzer=palace.analyzer)
        return old

    async def every(self) -> list[Palace]:
        """Return all palaces with their counts, sorted by name."""
        return [Palace(**row) for row in await self._database.read(None, "palaces/list_palaces")]

    async def names(self) -> list[str]:
        """Return the names of all palaces, sorted."""
        return [row["name"] for row in await self._database.read(None, "palaces/list_names")]

    async def get(self, name: str) -> PalaceState:
        """Return the properties of a palace.

        Raises:
            NotFound: If there is no palace of this name.
        """
        row = palace_row(await self._database.read(palace_name(name), "palaces/get_palace"))
        if row is None:
            raise _missing(name)
        return PalaceState(**row)

    async def ensure_indexes(self, name: str, *, dimension: int, analyzer: str) -> None:
        """Create the missing indexes of a palace one after the other, and wait until they are online."""
        online = {index.name for index in await ServerStore(self._database).indexes() if index.online}
        if online.issuperset(f"drawer_{kind}_{name}" for kind in ("stems", "exact", "vector")):
            return
        await self._database.change_schema(name, "palaces/create_stems_index", literals={"analyzer": analyzer})
        await self._database.change_schema(name, "palaces/create_exact_index")
        await self._database.change_schema(name, "palaces/create_vector_index", literals={"dimension": dimension})
        await ServerStore(self._database).await_indexes()


def model_mismatch(name: str, stored: tuple[str, int], *, model: str, dimension: int) -> ModelMismatch:
    """Return the error for a palace whose vectors are of a model that the settings cannot make.

    Args:
        stored: Model of the palace, and the length of its vectors.
        model, dimension: Those of the settings.
    """
    return ModelMismatch(
        f"palace {name!r} holds vectors of {stored[0]} ({stored[1]} dimensions), but the settings say "
        f"{model} ({dimension}); set [embeddings] back, or compute its vectors anew with "
        f"`graphpalace reembed --palace {name}`",
        palace=name,
        expected=stored[0],
        configured=model,
    )


async def hold_palace(tx: Transaction, name: str, *, model: str | None = None) -> None:
    """Lock a palace until the transaction ends, so that it is not dropped while something is added to it.

    Every transaction that changes a palace takes this lock first. Because all take their locks in the same order, no
    two of them wait for each other forever.

    Args:
        model: Embedding model of the vectors that the transaction stores; None: it stores none.

    Raises:
        NotFound: If there is no palace of this name.
        Conflict: If the palace has changed its model since the vectors were computed.
    """
    rows = await tx.run("palaces/hold_palace")
    if not rows:
        raise _missing(name)
    if model is not None and rows[0]["model"] != model:
        raise Conflict(f"palace {name!r} has just changed its embedding model: run the same command again", palace=name)


def _missing(name: str) -> NotFound:
    return NotFound(f"there is no palace {name!r}; make it with `graphpalace palace create {name}`", palace=name)


async def record_change(tx: Transaction, *, stored: Sequence[str] = (), removed: Sequence[str] = ()) -> int:
    """Append an entry to the change feed of the palace that the transaction has locked, and return its revision.

    Args:
        stored, removed: Ids of drawers; both are empty if only wings or rooms changed.
    """
    (row,) = await tx.run("ingest/record_change", stored=list(stored), removed=list(removed))
    return row["revision"]


class ChangeStore:
    """Deletes old entries from the change feeds of all palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def forget(self, *, keep_s: int) -> int:
        """Delete the entries of all feeds that are older than some seconds, and return their number.

        A service whose last read is older than these entries reads the whole palace again.
        """
        (row,) = await self._database.write(None, "ingest/prune_changes", keep_s=keep_s)
        return row["pruned"]

"""Store and drop palaces with their own indexes, and their change feeds, which tell what each write changed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import TypeVar

from graphpalace.domain.drawers.drawer_text import title_words
from graphpalace.domain.identity import palace_name, stable_id
from graphpalace.domain.palaces.palaces import Palace, PalaceState
from graphpalace.domain.palaces.places import BASE_COST
from graphpalace.domain.search.search_words import WORDS_FORM, search_words
from graphpalace.errors import Conflict, InvalidInput, ModelMismatch, NotFound
from graphpalace.store.connection.database import Database, Row, Transaction, palace_row
from graphpalace.store.connection.schema import OWN_ANALYZERS, ServerStore, language_indexes, migrations, palace_indexes

T = TypeVar("T")

_NODES = 1000  # deleted in one transaction
_MARK = "dropped "  # no name of a palace has a space
_LEFT_S = 30.0  # a service that has not deleted anything for this long has ended
_WAIT_S = 5.0
_PAUSE_S = 0.05


class DropInProgress(Exception):
    """A palace of this name is still being deleted."""


def dropped_name(name: str) -> str:
    """Return the name of a palace from the time it is dropped until its contents are deleted."""
    return _MARK + palace_name(name)


class PalaceDrops:
    """Drops palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def drop(self, name: str) -> int:
        """Delete a palace with its contents and its indexes, and return the number of deleted nodes.

        From the start, nobody finds the palace, and nothing can be added to it. If the deletion is interrupted, it is
        completed when a service starts, or when a palace of the same name is created.

        Raises:
            NotFound: If there is no palace of this name.
        """
        if not await self._database.write(name, "palaces/begin_drop", dropped=dropped_name(name)):
            raise NotFound(f"there is no palace {name!r}; `graphpalace palace list` shows those there are", palace=name)
        return await self._delete(name)

    async def finish(self, *, left_s: float = _LEFT_S) -> list[str]:
        """Complete deletions that were interrupted, and return the names of the palaces.

        Args:
            left_s: Seconds without progress after which a deletion counts as interrupted.
        """
        names = await self.interrupted(left_s=left_s)
        for name in names:
            await self._delete(name)
        return names

    async def interrupted(self, *, left_s: float = _LEFT_S) -> list[str]:
        """Return the names of the palaces whose deletion was interrupted.

        Args:
            left_s: As for `finish`.
        """
        rows = await self._database.read(None, "palaces/list_drops")
        return [row["dropped"].removeprefix(_MARK) for row in rows if row["idle_ms"] >= 1000 * left_s]

    async def after(self, name: str, attempt: Callable[[], Awaitable[T]]) -> T:
        """Repeat an attempt until it no longer raises `DropInProgress`, and return its result.

        Raises:
            Conflict: If a palace of this name is still being deleted after some seconds.
        """
        until = monotonic() + _WAIT_S
        while True:
            try:
                return await attempt()
            except DropInProgress:
                if monotonic() > until:
                    raise Conflict(
                        f"palace {name!r} was dropped and is still being deleted: try again when that is over",
                        palace=name,
                    ) from None
            if name not in await self.finish():
                await asyncio.sleep(_PAUSE_S)

    async def _delete(self, name: str) -> int:
        """Delete the remaining contents of a dropped palace. Several services may do so at the same time."""
        dropped = dropped_name(name)
        await self._database.change_schema(name, "palaces/drop_stems_index")
        await self._database.change_schema(name, "palaces/drop_exact_index")
        await self._database.change_schema(name, "palaces/drop_vector_index")
        indexes = {index.name for index in await ServerStore(self._database).indexes()}
        for analyzer in OWN_ANALYZERS:
            for index in language_indexes(name, analyzer):
                if index.name in indexes:
                    literals = {"kind": index.kind}
                    await self._database.change_schema(name, "palaces/drop_language_index", literals=literals)
        removed = 1  # the palace itself
        while True:
            rows = await self._database.write(name, "palaces/delete_some", dropped=dropped, most=_NODES)
            removed += sum(row["deleted"] for row in rows)
            if not rows or rows[0]["over"]:
                return removed


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
        indexes = palace_indexes(name, analyzer=analyzer, dimension=dimension)
        if online.issuperset(index.name for index in indexes):
            return
        for index in indexes:
            await self._database.change_schema(name, index.query, literals=index.literals)
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

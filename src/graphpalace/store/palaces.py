"""Palaces: side by side in one database, each with indexes of its own."""

from __future__ import annotations

import re

from graphpalace.domain.identity import palace_name, stable_id
from graphpalace.domain.room import BASE_COST
from graphpalace.domain.search_words import search_words
from graphpalace.errors import InvalidInput, ModelMismatch, NotFound
from graphpalace.store.database import Database, Row, Transaction
from graphpalace.store.drop_palace import StillDropping, after_drop, dropped_name
from graphpalace.store.migrate import migrations


async def create_palace(database: Database, name: str, *, model: str, dimension: int, analyzer: str) -> bool:
    """Make a palace with its indexes if there is none of that name; return whether it was made.

    Raises:
        ModelMismatch: If the palace is there and was made with another embedding model or dimension.
        Conflict: If one of that name is still being deleted.
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
        )
        if row["dropping"]:
            raise StillDropping
        return row

    row = await after_drop(database, name, lambda: database.transaction(work, palace=name))
    check_model(name, row, model=model, dimension=dimension)
    await ensure_indexes(database, name, dimension=row["dimension"], analyzer=row["analyzer"])
    return bool(row["created"])


async def ensure_indexes(database: Database, name: str, *, dimension: int, analyzer: str) -> None:
    """Make the palace's own indexes where they are missing, one after the other, and wait until they are online."""
    await database.change_schema("palaces/create_stems_index", palace=name, literals={"analyzer": analyzer})
    await database.change_schema("palaces/create_exact_index", palace=name)
    await database.change_schema("palaces/create_vector_index", palace=name, literals={"dimension": dimension})
    await database.read("health/await_indexes", timeout_s=300)


async def renew_palaces(database: Database) -> list[str]:
    """Give palaces of earlier versions what search and ways need now: words, indexes and a cost of the edges to wings.

    Returns the names of those that got words and indexes. The index that marks a palace as renewed is made last, so
    what was cut off is done again.
    """
    await database.write("palaces/price_contains", base_cost=BASE_COST["CONTAINS"])
    indexes = {row["name"] for row in await database.read("health/list_indexes")}
    names = [row["name"] for row in await database.read("palaces/list_names")]
    old = [name for name in names if f"drawer_exact_{name}" not in indexes]
    for name in old:
        while rows := await database.read("palaces/list_drawers_without_words", palace=name, limit=1000):
            words = [
                {"id": row["id"], "words": search_words(row["text"]), "title_words": search_words(row["title"])}
                for row in rows
            ]
            await database.write("palaces/set_words", palace=name, drawers=words)
        try:
            palace = await get_palace(database, name)
        except NotFound:  # somebody dropped it meanwhile
            continue
        await database.change_schema("palaces/drop_text_index", palace=name)
        await ensure_indexes(database, name, dimension=palace["dimension"], analyzer=palace["analyzer"])
    return old


def check_model(name: str, row: Row, *, model: str, dimension: int) -> None:
    """Raise if the palace's vectors are not the configured model's."""
    if (row["model"], row["dimension"]) != (model, dimension):
        raise ModelMismatch(
            f"palace {name!r} holds vectors of {row['model']} ({row['dimension']} dimensions), but the settings say "
            f"{model} ({dimension}); set [embeddings] back, or create another palace and ingest again",
            palace=name,
            expected=row["model"],
            configured=model,
        )


async def hold_palace(tx: Transaction, name: str) -> None:
    """Lock a palace for a transaction, so that it is not dropped while something is added to it.

    Whoever changes a palace takes this lock first: locks that all take in one order are in nobody's way for ever.

    Raises:
        NotFound: If there is none of that name.
    """
    if not await tx.run("palaces/hold_palace", palace=name):
        raise _missing(name)


async def get_palace(database: Database, name: str) -> Row:
    """Return what is known of a palace.

    Raises:
        NotFound: If there is none of that name.
    """
    rows = await database.read("palaces/get_palace", name=palace_name(name))
    if not rows:
        raise _missing(name)
    return rows[0]


def _missing(name: str) -> NotFound:
    return NotFound(f"there is no palace {name!r}; make it with `graphpalace palace create {name}`", palace=name)

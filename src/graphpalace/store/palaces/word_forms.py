"""Bring the words by which drawers are found up to date, where another version has made them otherwise."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphpalace.domain.code_names import title_words
from graphpalace.domain.search.search_words import WORDS_FORM, search_words
from graphpalace.store.connection.database import Database, Row, Transaction
from graphpalace.store.palaces.changes import record_change
from graphpalace.store.palaces.palaces import hold_palace

_AT_ONCE = 500  # drawers of a transaction, during which nobody else writes to the palace


@dataclass(frozen=True, slots=True)
class WordsDue:
    """A palace some of whose words may be those of an earlier version.

    Attributes:
        renewed_to: Id of the last drawer that was looked at; "" at the beginning.
        drawers, left: How many drawers it has, and how many of them are still to be looked at.
    """

    name: str
    renewed_to: str
    drawers: int
    left: int


class WordForms:
    """Renews the words of palaces. What is interrupted goes on where it was; several processes may share the work."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self) -> list[WordsDue]:
        """Return the palaces whose words are to be renewed, sorted by name."""
        return [WordsDue(**row) for row in await self._database.read(None, "palaces/list_words_due", form=WORDS_FORM)]

    async def renew_some(self, due: WordsDue) -> WordsDue | None:
        """Renew the words of the next drawers of a palace, in one transaction; return what is left, or None.

        Raises:
            NotFound: If the palace does not exist, or was dropped meanwhile.
        """

        async def work(tx: Transaction) -> WordsDue | None:
            await hold_palace(tx, due.name)
            rows = await tx.run("palaces/list_words", after=due.renewed_to, limit=_AT_ONCE)
            changed = [found for row in rows if (found := _renewed(row)) is not None]
            if rows:
                await tx.run("palaces/renew_words", drawers=changed, renewed_to=rows[-1]["id"])
            else:
                await tx.run("palaces/finish_words", form=WORDS_FORM)
            if changed:
                await record_change(tx)  # what is remembered of the words of searches is outdated
            return replace(due, renewed_to=rows[-1]["id"], left=max(due.left - len(rows), 0)) if rows else None

        return await self._database.transaction(due.name, work)


def _renewed(row: Row) -> Row | None:
    """Return the words of a drawer if they are not as they should be; None too if it has none and is not indexed."""
    if not row["words"]:
        return None
    own, title = search_words(row["text"]), title_words(row["title"], row["name"], row["number"], *row["labels"])
    if (own, title) == (row["words"], row["title_words"]):
        return None
    return {"id": row["id"], "property": row["property"], "words": own, "title_words": title}

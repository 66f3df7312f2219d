"""The languages of wings, the full-text indexes for their analyzers, and the words that these read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from graphpalace.domain.drawers.drawer_text import title_words
from graphpalace.domain.palaces.places import BASE_COST, WingType
from graphpalace.domain.search.search_words import WORDS_FORM, search_words
from graphpalace.errors import NotFound
from graphpalace.store.connection.database import Database, Row, Transaction
from graphpalace.store.connection.schema import OWN_ANALYZERS, ServerStore, language_indexes, words_property
from graphpalace.store.palaces.palaces import PalaceStore, hold_palace, record_change

_TEXTS, _CHARS = 50, 300  # of a wing, to guess its language from
_MOVED = 1000  # drawers whose words move in one transaction
_AT_ONCE = 500  # drawers of a transaction, during which nobody else writes to the palace


@dataclass(frozen=True, slots=True)
class WingLanguage:
    """What is known of a wing's language.

    Attributes:
        language: ISO 639-1 code; None if it is not known.
        analyzer: Analyzer of the wing's words; None: the palace's.
        texts: How some of its texts begin, if its language is not known.
    """

    language: str | None
    analyzer: str | None
    palace_analyzer: str
    texts: Sequence[str]


class LanguageStore:
    """Reads and changes the languages of wings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, palace: str, wing_id: str) -> WingLanguage:
        """Return the language of a wing, which may not exist yet.

        Raises:
            NotFound: If the palace does not exist.
        """
        rows = await self._database.read(palace, "rooms/read_language", wing_id=wing_id, texts=_TEXTS, chars=_CHARS)
        if not rows:
            await PalaceStore(self._database).get(palace)
        return WingLanguage(**rows[0])

    async def ensure_indexes(self, palace: str, analyzer: str) -> None:
        """Create the full-text indexes of an analyzer in a palace, unless it has them, and wait until they are online.

        Args:
            analyzer: One of `domain.languages.ANALYZERS`.
        """
        names = {index.name for index in await ServerStore(self._database).indexes()}
        indexes = language_indexes(palace, analyzer)
        if names.issuperset(index.name for index in indexes):
            return
        for index in indexes:
            await self._database.change_schema(palace, index.query, literals=index.literals)
        await ServerStore(self._database).await_indexes()

    async def choose(
        self,
        palace: str,
        wing_id: str,
        wing: str,
        wing_type: WingType,
        *,
        language: str,
        analyzer: str | None,
        instead_of: str | None,
    ) -> None:
        """Give a wing a language, creating the wing if needed, and move its words to the indexes of its analyzer.

        Args:
            analyzer: Analyzer of the language; None: the palace's.
            instead_of: The wing's language so far. If it has become another, that one stays.

        Raises:
            NotFound: If the palace does not exist, or was dropped meanwhile.
        """

        async def decide(tx: Transaction) -> str | None:
            await hold_palace(tx, palace)
            (row,) = await tx.run(
                "rooms/choose_language",
                id=wing_id,
                name=wing,
                wing_type=wing_type,
                language=language,
                analyzer=analyzer,
                instead_of=instead_of,
                base_cost=BASE_COST["CONTAINS"],
            )
            await record_change(tx)
            return row["analyzer"]

        chosen = await self._database.transaction(palace, decide)
        while await self._move_some(palace, wing_id, chosen):
            pass

    async def _move_some(self, palace: str, wing_id: str, analyzer: str | None) -> bool:
        """Move words of some drawers of a wing to the properties of an analyzer; return whether any was moved."""

        async def work(tx: Transaction) -> bool:
            await hold_palace(tx, palace)
            (row,) = await tx.run(
                "rooms/move_words",
                wing_id=wing_id,
                to=words_property(analyzer),
                others=[words_property(other) for other in (None, *OWN_ANALYZERS) if other != analyzer],
                most=_MOVED,
            )
            if row["moved"]:
                await record_change(tx)  # what is remembered of the words of searches is outdated
            return bool(row["moved"])

        return await self._database.transaction(palace, work)


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


async def renew_words(database: Database, progress: Callable[[WordsDue], object] = lambda _due: None) -> list[str]:
    """Bring the words of all palaces up to date; return the names of those that were not.

    Searches and writes go on meanwhile. What is interrupted goes on where it was.

    Args:
        progress: Called before each batch of drawers.
    """
    forms = WordForms(database)
    due = await forms.due()
    for palace in due:
        left: WordsDue | None = palace
        with suppress(NotFound):  # it was dropped meanwhile
            while left is not None:
                progress(left)
                left = await forms.renew_some(left)
    return [palace.name for palace in due]

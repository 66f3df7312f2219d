"""The languages of wings, and the full-text indexes that a palace has for each of their analyzers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.domain.room import BASE_COST, WingType
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.connection.server import ServerStore
from graphpalace.store.palaces.changes import record_change
from graphpalace.store.palaces.language_indexes import OWN_ANALYZERS, language_indexes, words_property
from graphpalace.store.palaces.palaces import PalaceStore, hold_palace

_TEXTS, _CHARS = 50, 300  # of a wing, to guess its language from
_MOVED = 1000  # drawers whose words move in one transaction


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
        if names.issuperset(language_indexes(palace, analyzer)):
            return
        literals = {"analyzer": analyzer}
        await self._database.change_schema(palace, "palaces/create_language_stems_index", literals=literals)
        await self._database.change_schema(palace, "palaces/create_language_exact_index", literals=literals)
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

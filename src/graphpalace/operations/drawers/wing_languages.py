"""Decide the language of a wing, and with it the analyzer of its words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from graphpalace.domain.palaces.languages import own_analyzer
from graphpalace.domain.palaces.places import WingType
from graphpalace.ingest.language import language_of
from graphpalace.operations.drawers.compose import wing_id
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.languages import LanguageStore


class WingLanguages:
    """Gives each wing a language, once: the one that the settings name, or the one of its first texts.

    Args:
        fixed: ISO 639-1 code of the language of every wing that is written to; None: guess it.
    """

    def __init__(self, database: Database, *, fixed: str | None) -> None:
        self._stored = LanguageStore(database)
        self._fixed = fixed

    async def decide(
        self,
        palace: str,
        wing: str,
        texts: Sequence[str],
        *,
        wing_type: WingType = WingType.TOPIC,
        named: str | None = None,
    ) -> None:
        """Decide the language of a wing, unless it has the right one already; the wing is then created if needed.

        A wing that has no language gets that of the texts and of those that it has, if it is clear. If the language of
        a wing with drawers is decided or changed, their words move to the index of its analyzer.

        Args:
            texts: Some of the texts that are about to be stored.
            named: ISO 639-1 code of the language that somebody has said it has; None: nobody has.

        Raises:
            NotFound: If the palace does not exist.
        """
        identity = wing_id(palace, wing)
        known = await self._stored.of(palace, identity)
        language = named or self._fixed or known.language
        if language is None:
            language = await asyncio.to_thread(language_of, [*texts, *known.texts])
        if language is None or language == known.language:
            return
        analyzer = own_analyzer(language, palace=known.palace_analyzer)
        if analyzer is not None:
            await self._stored.ensure_indexes(palace, analyzer)
        await self._stored.choose(
            palace, identity, wing, wing_type, language=language, analyzer=analyzer, instead_of=known.language
        )

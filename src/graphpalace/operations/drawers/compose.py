"""Compose what is stored of documents: wings with their languages, rooms, closets and drawers with stable ids."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from graphpalace.domain.drawers.document import Document, Passage
from graphpalace.domain.drawers.drawer_text import has_letters
from graphpalace.domain.drawers.records import DrawerRecord, RoomRecord
from graphpalace.domain.identity import stable_id, text_hash
from graphpalace.domain.palaces.languages import own_analyzer
from graphpalace.domain.palaces.places import WingType
from graphpalace.ingest.language import language_of
from graphpalace.ingest.place import hall_type
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.languages import LanguageStore


def wing_id(palace: str, wing: str) -> str:
    """Return the id of a wing."""
    return stable_id("wing", palace, wing)


def room_id(palace: str, wing: str, room: str) -> str:
    """Return the id of a room."""
    return stable_id("room", palace, wing, room)


def closet_id(palace: str, wing: str, uri: str, number: int = 0) -> str:
    """Return the id that a new closet for a source in a wing gets; each wing has at most one closet per source.

    A closet keeps its id when its source is moved, so the closet of a source is found by its URI.

    Args:
        number: Which of the closets that were made for this URI it is, from 0.
    """
    return stable_id("closet", palace, wing, uri, *([str(number)] if number else []))


def free_closet_id(palace: str, wing: str, uri: str, taken: Mapping[str, str]) -> str:
    """Return the id of a new closet for a source, other than those of sources that were moved away from its URI.

    Args:
        taken: The URI of each closet of the wing, by its id.
    """
    numbers = (closet_id(palace, wing, uri, number) for number in count())
    return next(closet for closet in numbers if taken.get(closet, uri) == uri)


def drawer_id(palace: str, closet: str, text: str, number: int = 0) -> str:
    """Return the id of a drawer with a text in a closet.

    Args:
        number: Which of the drawers that came to their closet with this text it is, from 0.
    """
    return stable_id("drawer", palace, closet, text_hash(text), str(number))


def room_record(
    palace: str,
    wing: str,
    room: str,
    texts: Iterable[str],
    *,
    wing_type: WingType = WingType.TOPIC,
    found_by: str = "hand",
) -> RoomRecord:
    """Return the record of a room, with the hall type that its texts suggest.

    A room that exists already keeps the hall type it has.
    """
    return RoomRecord(
        id=room_id(palace, wing, room),
        name=room,
        wing_id=wing_id(palace, wing),
        wing=wing,
        wing_type=wing_type,
        hall_type=hall_type(texts),
        found_by=found_by,
    )


def drawer_records(palace: str, closet: str, document: Document, rooms: list[str]) -> list[DrawerRecord]:
    """Return the document's drawers in order.

    A drawer's id is derived from its closet and its text. It therefore stays the same when text above the drawer
    changes. Equal texts in one closet are numbered.
    """
    seen: Counter[str] = Counter()
    records = []
    for position, (passage, room) in enumerate(zip(document.passages, rooms, strict=True)):
        identity = drawer_id(palace, closet, passage.text, seen[passage.text])
        records.append(_record(identity, room, position, passage, document))
        seen[passage.text] += 1
    return records


def _record(drawer: str, room: str, position: int, passage: Passage, document: Document) -> DrawerRecord:
    return DrawerRecord(
        id=drawer,
        room_id=room,
        text=passage.text,
        position=position,
        start_line=passage.start_line,
        end_line=passage.end_line,
        headings=passage.headings,
        author=passage.author,
        occurred_at=passage.occurred_at,
        title=document.title,
        labels=(*document.aliases, *document.tags),
        name=passage.name,
        number=document.publication.pub_id if document.publication else None,
        indexed=has_letters(passage.text),
        vector=passage.vector,
    )


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

"""Add texts as drawers. What is added together is stored in one transaction, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from graphpalace.domain.drawers.drawer import AddedDrawers
from graphpalace.domain.drawers.new_drawer import MOST_AT_ONCE, NewDrawer, SimilarDrawer, zoned
from graphpalace.domain.drawers.records import ClosetPart, DrawerRecord, RoomRecord
from graphpalace.domain.search.news import LIKELY_NEWS, NewsOn
from graphpalace.domain.vectors import unit_vector
from graphpalace.domain.write_key import current_key, done_before
from graphpalace.embedding.embedder import Embedder, give_vectors
from graphpalace.embedding.measured_models import scale_of
from graphpalace.errors import GraphPalaceError, InvalidInput, SimilarMeanwhile
from graphpalace.operations.drawers.after_writes import AfterWrites
from graphpalace.operations.drawers.compose import (
    WingLanguages,
    closet_id,
    drawer_id,
    free_closet_id,
    room_id,
    room_record,
    wing_id,
)
from graphpalace.operations.drawers.drawer_linker import SimilarRule, find_older
from graphpalace.operations.drawers.duplicates import SimilarTexts
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.closets import ClosetStore
from graphpalace.store.drawers.drawer_links import Unlike
from graphpalace.store.drawers.drawers import DrawerStore

_STEP = "drawers"  # of a request with a key
_MOST_TRIES = 50  # others store similar texts; each try finds more of them
_TEXTS_READ = 50  # texts of a room that decide about its hall type


@dataclass(frozen=True, slots=True)
class _Placed:
    """A new drawer with its record and the closet that it belongs to."""

    new: NewDrawer
    closet: str
    record: DrawerRecord


@dataclass(frozen=True, slots=True)
class AddedText:
    """What became of a text.

    Attributes:
        id: Of its drawer.
        created: Whether the drawer is new.
        similar: Why another drawer stands for it.
        news: The older drawers that it is likely to be news on.
    """

    id: str
    created: bool
    similar: SimilarDrawer | None = None
    news: Sequence[NewsOn] = ()


class DrawerAdding:
    """Adds texts as drawers. A text that its closet has already stays as it is."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        models: PalaceModels,
        after: AfterWrites,
        *,
        similar: SimilarRule,
        language: str | None = None,
    ) -> None:
        """Connect the parts.

        Args:
            language: ISO 639-1 code of the language of every wing that is written to; None: guess it.
        """
        self._stored = DrawerStore(database)
        self._closets = ClosetStore(database)
        self._languages = WingLanguages(database, fixed=language)
        self._indexes = indexes
        self._models = models
        self._after = after
        self._similar = similar
        self._texts = SimilarTexts(database, indexes)

    async def add_all(self, palace: str, drawers: Sequence[NewDrawer]) -> AddedDrawers:
        """Store texts in one transaction. A fault names the place of its text, for example `drawers.3.text`.

        Args:
            drawers: 1 to 1000.

        Raises:
            InvalidInput: If there are none or too many, or one has a blank text, an empty name or a value out of range.
            TooLarge: If a text is longer than a million characters.
            WrongDimension: If an embedding is not of the palace's dimension.
        """
        if not 1 <= len(drawers) <= MOST_AT_ONCE:
            raise InvalidInput(f"drawers has {len(drawers)} items; it must have 1 to {MOST_AT_ONCE}", field="drawers")
        for at, new in enumerate(drawers):
            try:
                await self._check(palace, new)
            except GraphPalaceError as error:
                field = f"drawers.{at}.{error.detail.get('field', '')}".rstrip(".")
                raise type(error)(f"drawers.{at}.{error.message}", **error.detail | {"field": field}) from None
        added, _ = await self._add(palace, drawers)
        return added

    async def add(self, palace: str, new: NewDrawer, *, unless_similar: float | None = None) -> AddedText:
        """Store a text.

        Args:
            unless_similar: Store it only if no drawer of its wing says the same or has this cosine with it, 0 to 1.
                This is decided in the transaction that stores it.

        Raises:
            InvalidInput, TooLarge, WrongDimension: As `add_all`.
            SimilarMeanwhile: If others store similar texts all the time.
        """
        await self._check(palace, new)
        if unless_similar is None or done_before(_STEP):
            added, news = await self._add(palace, [new])
            return AddedText(added.ids[0], bool(added.created), news=news)
        if not 0 <= unless_similar <= 1:
            raise InvalidInput(
                f"unless_similar is {unless_similar}; it must be 0 to 1", field="unless_similar", value=unless_similar
            )
        embedder = await self._models.of(palace)
        (one,) = placed = [_place(palace, new, 0, {})]
        await self._embed(placed, embedder)
        assert one.record.vector is not None
        tries = 0
        while True:
            similar, unlike = await self._texts.find(
                palace, wing_id(palace, new.wing), new.text, one.record.vector, least=unless_similar
            )
            if similar is not None:
                return AddedText(similar.id, False, similar)
            try:
                added, news = await self._add(palace, [new], unlike=unlike, embedded=one.record)
                return AddedText(added.ids[0], bool(added.created), news=news)
            except SimilarMeanwhile:
                tries += 1
                if tries == _MOST_TRIES:
                    raise

    async def _check(self, palace: str, new: NewDrawer) -> None:
        new.check()
        if new.embedding is not None:
            unit_vector(new.embedding, dimension=(await self._models.of(palace)).dimension)

    async def _add(
        self,
        palace: str,
        drawers: Sequence[NewDrawer],
        *,
        unlike: Unlike | None = None,
        embedded: DrawerRecord | None = None,
    ) -> tuple[AddedDrawers, Sequence[NewsOn]]:
        """Store texts; return what became of them, and which older drawers they are likely to be news on.

        Args:
            embedded: The record of one of the texts, if it has its vectors already.
        """
        placed = await self._placed(palace, drawers)
        embedder = await self._models.of(palace)  # as it was just read
        ids = [one.record.id for one in placed]
        first: dict[str, _Placed] = {}
        for one in placed:
            first.setdefault(one.record.id, one)
        fresh = await self._unknown(palace, first.values())
        repeated = done_before(_STEP)
        if fresh:
            # Embed outside of `reading`: the index cannot be written while it is read, and a model may take seconds.
            await self._embed(fresh, embedder, embedded)
            fresh = await self._unknown(palace, fresh)  # another request may have stored the same text meanwhile,
            repeated = repeated or (not fresh and current_key() is not None)  # perhaps the same request, sent again
        created = 0
        news: Sequence[NewsOn] = ()
        if fresh or repeated:
            await self._link(palace, fresh, embedder)
        named = _named_languages(drawers)
        for wing in dict.fromkeys([*(one.new.wing for one in fresh), *named]):
            texts = [one.new.text for one in fresh if one.new.wing == wing]
            await self._languages.decide(palace, wing, texts, named=named.get(wing))
        if fresh or repeated:
            written = await self._closets.write(
                palace, _rooms(palace, fresh), _parts(palace, fresh), model=embedder.name, step=_STEP, unlike=unlike
            )
            created = len(written.created)
            news = [NewsOn(older, value) for _, older, value in written.news if value >= LIKELY_NEWS]
            self._after.wrote(palace)
        return AddedDrawers(ids, created, len(ids) - created), news

    async def _placed(self, palace: str, drawers: Sequence[NewDrawer]) -> list[_Placed]:
        """Return the drawers with their records.

        A drawer keeps its id when its text is changed. The id that its first text had is then taken: who adds that text
        again gets the next id.
        """
        closets = await self._moved_closets(palace, drawers)
        placed = [_place(palace, new, 0, closets) for new in drawers]
        async with self._indexes.reading(palace) as matrix:
            known = [one.record.id for one in placed if one.record.id in matrix]
        number = 0
        while known and (changed := await self._stored.changed_texts(palace, known)):
            number += 1
            known = []
            for at, one in enumerate(placed):
                if changed.get(one.record.id, one.new.text) != one.new.text:
                    placed[at] = _place(palace, one.new, number, closets)
                    known.append(placed[at].record.id)
        return placed

    async def _moved_closets(self, palace: str, drawers: Sequence[NewDrawer]) -> dict[tuple[str, str], str]:
        """Return the closets of sources by wing and URI, where their ids may not follow from these.

        That is so for files: an ingest finds them again where they were moved.
        """
        wings: dict[str, set[str]] = {}
        for new in drawers:
            if new.uri.startswith("file:"):
                wings.setdefault(new.wing, set()).add(new.uri)
        closets: dict[tuple[str, str], str] = {}
        for wing, uris in wings.items():
            place = wing_id(palace, wing)
            usual = [closet_id(palace, wing, uri) for uri in uris]
            found = await self._closets.find(palace, place, sorted(uris), ids=usual)
            if any(closet.source_uri not in uris for closet in found):
                found = await self._closets.sources(palace, place)
            held = {closet.source_uri: closet.id for closet in sorted(found, reverse=True)}
            taken = {closet.id: closet.source_uri for closet in found}
            for uri in uris:
                closets[wing, uri] = held.get(uri) or free_closet_id(palace, wing, uri, taken)
        return closets

    async def _unknown(self, palace: str, placed: Iterable[_Placed]) -> list[_Placed]:
        async with self._indexes.reading(palace) as matrix:
            return [one for one in placed if one.record.id not in matrix]

    async def _embed(self, fresh: Sequence[_Placed], embedder: Embedder, embedded: DrawerRecord | None = None) -> None:
        for one in fresh:
            if one.new.embedding is not None:
                one.record.vector = unit_vector(one.new.embedding, dimension=embedder.dimension)
            elif embedded is not None and embedded.id == one.record.id:
                one.record.vector, one.record.windows = embedded.vector, embedded.windows
        bare = [one.record for one in fresh if one.record.vector is None]
        if bare:  # an embedder may load its model on the first call, so it is called only if needed
            await asyncio.to_thread(give_vectors, embedder, bare, [record.text for record in bare])

    async def _link(self, palace: str, fresh: Sequence[_Placed], embedder: Embedder) -> None:
        if not fresh:
            return
        ids = [one.record.id for one in fresh]
        vectors = np.stack([one.record.vector for one in fresh if one.record.vector is not None])
        async with self._indexes.reading(palace) as matrix:
            links = await asyncio.to_thread(self._similar.links, ids, vectors, matrix)
            await asyncio.to_thread(
                find_older,
                [one.record for one in fresh],
                [wing_id(palace, one.new.wing) for one in fresh],
                matrix,
                scale=scale_of(embedder.name),
                now=datetime.now(UTC),
            )
        for one, near in zip(fresh, links, strict=True):
            one.record.similar = near


def _named_languages(drawers: Sequence[NewDrawer]) -> dict[str, str]:
    """Return the languages that new drawers name for their wings.

    Raises:
        InvalidInput: If two of them name different languages for one wing.
    """
    named: dict[str, str] = {}
    for new in drawers:
        if new.language is not None and named.setdefault(new.wing, new.language) != new.language:
            raise InvalidInput(
                f"language is {new.language!r}, and {named[new.wing]!r} for another text of wing {new.wing!r}; "
                "a wing has one language",
                field="language",
                value=new.language,
            )
    return named


def _place(palace: str, new: NewDrawer, number: int, closets: Mapping[tuple[str, str], str]) -> _Placed:
    closet = closets.get((new.wing, new.uri)) or closet_id(palace, new.wing, new.uri)
    record = DrawerRecord(
        id=drawer_id(palace, closet, new.text, number),
        room_id=room_id(palace, new.wing, new.room),
        text=new.text,
        position=0,  # the store appends it to its closet
        start_line=1,
        end_line=new.text.count("\n") + 1,
        author=new.author,
        occurred_at=zoned(new.occurred_at),
        importance=new.importance,
        title=new.title or f"{new.room} notes",
    )
    return _Placed(new, closet, record)


def _rooms(palace: str, fresh: Sequence[_Placed]) -> list[RoomRecord]:
    texts: dict[tuple[str, str], list[str]] = {}
    for one in fresh:
        texts.setdefault((one.new.wing, one.new.room), []).append(one.new.text)
    return [room_record(palace, wing, room, some[:_TEXTS_READ]) for (wing, room), some in sorted(texts.items())]


def _parts(palace: str, fresh: Sequence[_Placed]) -> list[ClosetPart]:
    closets: dict[str, list[_Placed]] = {}
    for one in fresh:
        closets.setdefault(one.closet, []).append(one)
    return [
        ClosetPart(
            closet,
            wing_id(palace, members[-1].new.wing),
            members[-1].record.title,
            members[-1].new.uri,
            "text/plain",
            tuple(one.record for one in members),
            appended=True,
        )
        for closet, members in sorted(closets.items())
    ]

"""File conversations: each turn once, however often and by however many processes a conversation is filed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from weakref import WeakValueDictionary

import numpy as np

from graphpalace.domain.access.caller import Role, current_caller
from graphpalace.domain.conversations import FiledConversation, Transcript, conversation_mark, conversation_uri
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.domain.drawers.records import ClosetPart, DrawerRecord, FiledPart, FilingState
from graphpalace.domain.identity import as_place_name, place_name, text_hash
from graphpalace.domain.palaces.places import WingType
from graphpalace.embedding.embedder import give_vectors
from graphpalace.errors import FiledMeanwhile
from graphpalace.ingest.transcripts.turns import Turn, title_of, turns_of
from graphpalace.operations.conversations.turn_pieces import ConversationPlace, NewPieces, new_pieces
from graphpalace.operations.drawers.after_writes import AfterWrites
from graphpalace.operations.drawers.compose import WingLanguages, closet_id, room_id, room_record, wing_id
from graphpalace.operations.drawers.drawer_linker import SimilarRule
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.closets import ClosetStore
from graphpalace.store.drawers.conversations import FilingStore
from graphpalace.store.palaces.palaces import PalaceStore

ROOM = "conversations"
_BATCH_CHARS = 100_000  # of text in one transaction, about a hundred drawers
_MOST_TRIES = 20  # other processes file the same conversation; each try finds more of it filed


@dataclass(slots=True)
class _Filing:
    """One call's work on one conversation."""

    transcript: Transcript
    turns: Sequence[Turn]
    place: ConversationPlace
    created: int = 0
    removed: int = 0
    changed: int = 0
    masked: Counter[str] = field(default_factory=Counter)
    forgotten_at: str | None = None
    forgotten: set[str] = field(default_factory=set)
    again: bool = False

    @property
    def marks(self) -> frozenset[str]:
        """The ids that the conversation would have if it was forgotten: in its wing, and everywhere."""
        uri = conversation_uri(self.transcript.host, self.transcript.conversation)
        return frozenset({self.place.closet, conversation_mark(self.place.palace, uri)})


class Filing:
    """Files conversations, each into one closet, with a drawer for each turn, or several if it is long."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        models: PalaceModels,
        after: AfterWrites,
        *,
        similar: SimilarRule,
        split: SplitOptions,
        mask_secrets: bool,
        language: str | None = None,
    ) -> None:
        """Connect the parts.

        Args:
            language: ISO 639-1 code of the language of every wing that is written to; None: guess it.
        """
        self._palaces = PalaceStore(database)
        self._filed = FilingStore(database)
        self._closets = ClosetStore(database)
        self._languages = WingLanguages(database, fixed=language)
        self._indexes = indexes
        self._models = models
        self._after = after
        self._similar = similar
        self._split = replace(split, overlap_chars=0)
        self._mask = mask_secrets
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def file(
        self,
        palace: str,
        transcript: Transcript,
        *,
        wing: str | None = None,
        written_at: datetime | None = None,
        again: bool = False,
    ) -> FiledConversation:
        """Store what is new in a conversation. To finish a call that was interrupted, file the conversation again.

        What was forgotten of it is left out.

        Args:
            wing: Where to put it; None: into the wing of its project, or else of its host.
            written_at: The time of messages that have none.
            again: Whether to file what was forgotten, too.

        Raises:
            InvalidInput: If the name of the wing is not valid.
            NotFound: If the palace does not exist.
        """
        chosen = place_name("wing", wing) if wing is not None else _own_wing(transcript)
        await self._palaces.get(palace)
        turns = await asyncio.to_thread(turns_of, transcript, mask=self._mask)
        uri = conversation_uri(transcript.host, transcript.conversation)
        closet = closet_id(palace, chosen, uri)
        place = ConversationPlace(
            palace,
            chosen,
            room_id(palace, chosen, ROOM),
            closet,
            transcript.host,
            transcript.conversation,
            transcript.project,
            title_of(transcript, turns),
            written_at,
        )
        work = _Filing(transcript, turns, place, again=again)
        lock = self._locks.setdefault(closet, asyncio.Lock())
        async with lock:
            if again:
                await self._allow_again(palace, closet, conversation_mark(palace, uri))
            await self._tried(work)
        return FiledConversation(
            transcript.host,
            transcript.conversation,
            uri,
            chosen,
            transcript.project,
            work.changed,
            work.created,
            work.removed,
            dict(sorted(work.masked.items())),
            work.forgotten_at,
            len(work.forgotten),
            transcript.broken_lines,
        )

    async def _allow_again(self, palace: str, closet: str, everywhere: str) -> None:
        """Let what was forgotten in the wing be filed; in the other wings too, for who may write there."""
        whole = current_caller().may_in(Role.WRITE, palace)
        await self._filed.allow_again(palace, closet, everywhere if whole else closet)

    async def _tried(self, work: _Filing) -> None:
        for left in reversed(range(_MOST_TRIES)):
            try:
                await self._file(work)
                return
            except FiledMeanwhile:
                if not left:
                    raise

    async def _file(self, work: _Filing) -> None:
        gone = await self._filed.forgotten(work.place.palace, sorted(work.marks))
        if gone:
            work.forgotten_at = max(gone.values())
            return
        known = await self._filed.conversation(work.place.palace, work.place.closet)
        state = known.state if known else FilingState()
        if known:
            project = work.place.project or known.project
            work.place = replace(work.place, title=known.title, project=project)
        chains = _chains(work.turns)
        for start, end in self._batches(work, _first_unfiled(work, state, chains)):
            part = work.turns[start:end]
            ids = [work.place.turn_id(turn) for turn in part]
            there = await self._filed.pieces(work.place.palace, ids)
            left_out = await self._filed.forgotten(work.place.palace, ids)
            work.forgotten |= left_out.keys()
            filed = [turn for turn, identity in zip(part, ids, strict=True) if identity not in left_out]
            found = await asyncio.to_thread(new_pieces, work.place, filed, there, options=self._split)
            joins = work.transcript.joins
            following = FilingState(end - 1, chains[end - 1], part[-1].mark) if joins else FilingState()
            stamp = text_hash(f"{state.stamp}\n{following}\n{[turn.mark for turn in part]}")
            following = replace(following, stamp=stamp)
            if found.drawers or (known and joins):
                await self._write(work, found, following, before=state.stamp)
                state = following
                known = known or await self._filed.conversation(work.place.palace, work.place.closet)

    def _batches(self, work: _Filing, first: int) -> Iterator[tuple[int, int]]:
        """Yield first and last turn, exclusive, of each transaction."""
        start, size = first, 0
        for at in range(first, len(work.turns)):
            size += len(work.turns[at].text)
            if size >= _BATCH_CHARS:
                yield start, at + 1
                start, size = at + 1, 0
        if start < len(work.turns):
            yield start, len(work.turns)

    async def _write(self, work: _Filing, found: NewPieces, state: FilingState, *, before: str) -> None:
        place = work.place
        texts = [drawer.text for drawer in found.drawers]
        model = await self._embedded(place.palace, found.drawers)
        if texts:
            await self._languages.decide(place.palace, place.wing, texts, wing_type=WingType.PROJECT)
        written = await self._closets.write(
            place.palace,
            [room_record(place.palace, place.wing, ROOM, texts[:50], wing_type=WingType.PROJECT)],
            [
                ClosetPart(
                    place.closet,
                    wing_id(place.palace, place.wing),
                    place.title,
                    conversation_uri(place.host, place.conversation),
                    "text/markdown",
                    tuple(found.drawers),
                    appended=True,
                    filed=FiledPart(
                        place.host,
                        place.conversation,
                        place.project,
                        state,
                        before,
                        frozenset(found.replaced),
                        work.marks | {drawer.said_in.turn for drawer in found.drawers if drawer.said_in is not None},
                    ),
                )
            ],
            model=model,
        )
        self._after.wrote(place.palace)
        work.created += len(written.created)
        work.removed += len(written.removed)
        work.changed += found.turns
        work.masked += found.masked

    async def _embedded(self, palace: str, drawers: Sequence[DrawerRecord]) -> str:
        """Give drawers their vectors and their nearest neighbours; return the name of the model."""
        embedder = await self._models.of(palace)
        for drawer in drawers:
            if not drawer.indexed:
                drawer.vector = np.zeros(embedder.dimension, np.float32)
        indexed = [drawer for drawer in drawers if drawer.indexed]
        if indexed:
            await asyncio.to_thread(give_vectors, embedder, indexed, [drawer.text for drawer in indexed])
            ids = [drawer.id for drawer in indexed]
            vectors = np.stack([drawer.vector for drawer in indexed if drawer.vector is not None])
            async with self._indexes.reading(palace) as matrix:
                links = await asyncio.to_thread(self._similar.links, ids, vectors, matrix)
            for drawer, near in zip(indexed, links, strict=True):
                drawer.similar = near
        return embedder.name


def _own_wing(transcript: Transcript) -> str:
    return as_place_name(transcript.project or "") or as_place_name(transcript.host)


def _chains(turns: Sequence[Turn]) -> list[str]:
    """Return for each turn the hash of all turns before it; the last one is that of all turns."""
    chains = [""]
    for turn in turns:
        chains.append(text_hash(chains[-1] + turn.mark))
    return chains


def _first_unfiled(work: _Filing, state: FilingState, chains: Sequence[str]) -> int:
    """Return the first turn that may not be filed: 0 if the transcript is not the one that was filed, but longer.

    What somebody has deleted of a filed conversation therefore stays deleted.
    """
    if work.again:
        return 0
    before = state.turns
    if not work.transcript.joins or not state.last or before >= len(work.turns) or chains[before] != state.chain:
        return 0
    return before + (work.turns[before].mark == state.last)

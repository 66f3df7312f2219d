"""Decide which drawers a conversation needs, given what of it is filed already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphpalace.domain.drawers.drawer_text import has_letters
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.domain.drawers.new_drawer import zoned
from graphpalace.domain.drawers.records import DrawerRecord, SaidIn
from graphpalace.domain.identity import stable_id, text_hash
from graphpalace.ingest.split import split_section
from graphpalace.ingest.transcripts.turns import Turn
from graphpalace.store.drawers.conversations import KnownPiece


@dataclass(frozen=True, slots=True)
class ConversationPlace:
    """Where the drawers of a conversation go."""

    palace: str
    wing: str
    room: str
    closet: str
    host: str
    conversation: str
    project: str | None
    title: str
    written_at: datetime | None

    def turn_id(self, turn: Turn) -> str:
        """Return the id of a turn, which a copy of it in another conversation of its host shares."""
        return stable_id("turn", self.palace, self.wing, self.host, turn.key)


@dataclass(slots=True)
class NewPieces:
    """The drawers to be created, those that they replace, and what was masked in them."""

    drawers: list[DrawerRecord] = field(default_factory=list)
    replaced: set[str] = field(default_factory=set)
    turns: int = 0
    masked: Counter[str] = field(default_factory=Counter)


def new_pieces(
    place: ConversationPlace, turns: Sequence[Turn], known: dict[str, list[KnownPiece]], *, options: SplitOptions
) -> NewPieces:
    """Return what is to be written of some turns.

    A turn that is filed as it is, or in a longer version, is left as it is. One that has grown replaces its shorter
    version in its closet, but no drawer that somebody has edited.
    """
    found = NewPieces()
    for turn in turns:
        identity = place.turn_id(turn)
        pieces = _pieces(place, turn, identity, options)
        there = known.get(identity, [])
        here = [piece for piece in there if piece.closet == place.closet]
        ids = {piece.id for piece in there}
        missing = [piece for piece in pieces if piece.id not in ids]
        if not missing or _squeezed([turn.text]) in _squeezed([piece.text for piece in here or there]):
            continue
        needed = {piece.id for piece in pieces}
        found.replaced |= {piece.id for piece in here if piece.id not in needed and not piece.edited}
        found.drawers += missing
        found.turns += 1
        found.masked += turn.masked
    return found


def _pieces(place: ConversationPlace, turn: Turn, identity: str, options: SplitOptions) -> list[DrawerRecord]:
    seen: Counter[str] = Counter()
    records = []
    for passage in split_section(turn.text, 1, (), options, kind="markdown"):
        number, seen[passage.text] = seen[passage.text], seen[passage.text] + 1
        records.append(
            DrawerRecord(
                id=stable_id("drawer", place.palace, identity, text_hash(passage.text), str(number)),
                room_id=place.room,
                text=passage.text,
                position=0,  # the store appends it to its closet
                start_line=passage.start_line,
                end_line=passage.end_line,
                author=turn.speaker,
                occurred_at=zoned(turn.time or place.written_at),
                title=place.title,
                indexed=has_letters(passage.text),
                said_in=SaidIn(place.conversation, place.project, identity),
            )
        )
    return records


def _squeezed(texts: Sequence[str]) -> str:
    """Return texts without their blanks, some of which are lost where a turn is split."""
    return "".join("".join(texts).split())

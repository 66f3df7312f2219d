"""Rooms, closets and drawers as they are written to the palace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphpalace.domain.drawers.document import Publication
from graphpalace.domain.palaces.places import HallType, WingType
from graphpalace.domain.vectors import Matrix, Vector


@dataclass(frozen=True, slots=True)
class RoomRecord:
    """A room with the wing that it is in."""

    id: str
    name: str
    wing_id: str
    wing: str
    wing_type: WingType = WingType.TOPIC
    hall_type: HallType = HallType.FACTS
    found_by: str = "hand"  # hand, folder, heading or cluster


@dataclass(frozen=True, slots=True)
class SaidIn:
    """Where a drawer of a conversation was said. All of it stands on the drawer, where searches filter by it.

    Attributes:
        conversation: Its id in its host.
        turn: Id of the turn that the drawer is a piece of.
    """

    conversation: str
    project: str | None
    turn: str


@dataclass(frozen=True, slots=True)
class FilingState:
    """How far a conversation is filed.

    Attributes:
        turns: How many of its turns were filed before the last one.
        chain: Hash of these turns.
        last: Hash of the last one, which may still grow.
        stamp: Differs after each filing; "" before the first.
    """

    turns: int = 0
    chain: str = ""
    last: str = ""
    stamp: str = ""


@dataclass(frozen=True, slots=True)
class FiledPart:
    """What makes a closet that of a conversation, and how far it is filed when a write has succeeded.

    Attributes:
        before: The stamp that the closet must still have; it differs if another process has filed it meanwhile.
        replaced: Ids of drawers that hold shorter versions of turns.
        marks: Ids that its conversation and its turns would have as forgotten ones; none of them may be one.
    """

    host: str
    conversation: str
    project: str | None
    state: FilingState
    before: str
    replaced: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class StayForgotten:
    """What of conversations is not to be filed again when drawers are forgotten.

    Attributes:
        whole: The conversations of the drawers; else only their turns.
        conversation: Id of the mark of a conversation, wherever it is filed.
    """

    whole: bool
    conversation: str | None = None


@dataclass(slots=True)
class DrawerRecord:
    """A drawer to store.

    Attributes:
        title: Title of its document.
        labels: Aliases and tags of its document.
        name: Where it stands in the code, such as `argparse.ArgumentParser.parse_args`; None for other texts.
        number: Number of the publication that it is of, by which it is found; None for other texts.
        indexed: Whether words and vector are indexed; if not, the drawer is stored, and no search shows it.
        vector: Length one, or zero if it is not indexed; None if the drawer is already stored.
        windows: Vectors of the windows of a long text.
        similar: Ids and cosines of the nearest drawers that were stored before it, best first.
        older: Ids of the nearest drawers of its wing that are older, with their cosines on the scale of the model, best
            first. It may be news on them.
        said_in: Where it was said, if it is of a conversation.
    """

    id: str
    room_id: str
    text: str
    position: int
    start_line: int
    end_line: int
    headings: tuple[str, ...] = ()
    author: str | None = None
    occurred_at: datetime | None = None
    importance: float = 0.5
    title: str = ""
    labels: tuple[str, ...] = ()
    name: str | None = None
    number: str | None = None
    indexed: bool = True
    vector: Vector | None = field(default=None, repr=False)
    windows: Matrix | None = field(default=None, repr=False)
    similar: list[tuple[str, float]] = field(default_factory=list, repr=False)
    older: list[tuple[str, float]] = field(default_factory=list, repr=False)
    said_in: SaidIn | None = None


@dataclass(frozen=True, slots=True)
class ChangedText:
    """The new text of a drawer.

    Attributes:
        vector: Length one.
        windows: Vectors of the windows of a long text.
        model: Embedding model that made the vector.
        similar: Ids and cosines of the nearest other drawers, best first.
        older: As `DrawerRecord` has them.
        same_meaning: Whether what was learned of the old text holds for this one too.
    """

    text: str
    vector: Vector = field(repr=False)
    windows: Matrix = field(repr=False)
    model: str
    similar: Sequence[tuple[str, float]] = field(default=(), repr=False)
    same_meaning: bool = True
    older: Sequence[tuple[str, float]] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class ChangedDrawer:
    """Changes to a drawer. What is None stays as it is.

    Attributes:
        title: Title of its document.
        name, number: The name that it has, if it is code, and the number of its publication; not changes.
        labels: The aliases and tags that its document has; not a change.
    """

    id: str
    title: str | None = None
    name: str | None = None
    number: str | None = None
    labels: tuple[str, ...] = ()
    author: str | None = None
    occurred_at: datetime | None = None
    importance: float | None = None
    text: ChangedText | None = None


@dataclass(frozen=True, slots=True)
class ClosetPart:
    """A closet, or as many of its drawers as fit into one transaction.

    Attributes:
        keep: In the last part, the ids of all drawers that the closet shall have; others are removed. None in earlier
            parts, and if drawers are only added.
        content_hash: In the last part, the hash of the source; None in earlier parts.
        default_room: A room that is only used if no cluster has taken the closet before.
        publication: Its publication data; None keeps the stored ones.
        tags, aliases: What the front matter of a note calls so.
        appended: Whether new drawers are added after the drawers of the closet, which stay unchanged.
        filed: What is recorded of a conversation.
        moved_from: URI under which the closet had the source before it was moved.
        displaces: Closets that have lost their source to this one, with the URI that they have; with their drawers they
            are deleted.
    """

    id: str
    wing_id: str
    title: str
    source_uri: str
    media_type: str
    drawers: tuple[DrawerRecord, ...]
    keep: frozenset[str] | None = None
    content_hash: str | None = None
    default_room: str | None = None
    publication: Publication | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    appended: bool = False
    filed: FiledPart | None = None
    moved_from: str | None = None
    displaces: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The changes of one transaction.

    Attributes:
        edges: Number of links to similar drawers.
        news: Ids of a new and an older drawer, and how probably the new one is news on it.
    """

    revision: int
    created: tuple[str, ...]
    kept: tuple[str, ...]
    removed: tuple[str, ...]
    edges: int
    news: tuple[tuple[str, str, float], ...] = ()

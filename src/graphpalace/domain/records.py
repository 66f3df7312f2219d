"""Closets and drawers on their way into the palace."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from graphpalace.domain.publication import Publication
from graphpalace.domain.room import HallType, WingType
from graphpalace.domain.vectors import Vector


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


@dataclass(slots=True)
class DrawerRecord:
    """One drawer to be stored.

    Attributes:
        title: Of its document.
        vector: Length one; None where the drawer is known to be stored already.
        similar: Ids and cosines of its nearest drawers among those that came before it, best first.
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
    vector: Vector | None = field(default=None, repr=False)
    similar: list[tuple[str, float]] = field(default_factory=list, repr=False)


@dataclass(frozen=True, slots=True)
class ClosetPart:
    """A closet, or as many of its drawers as fit into one transaction.

    Attributes:
        keep: All drawer ids that the closet shall have, in its last part: others are removed; None before that, and
            where drawers are only added.
        content_hash: Of the source, in the last part; None before that.
        default_room: A room that gives way to the cluster that the closet was moved to before.
        publication: What is known of it; None leaves what is stored.
        appended: Whether new drawers stand after all that the closet has; those that it has already stay as they are.
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
    appended: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What one transaction did."""

    revision: int
    created: tuple[str, ...]
    kept: tuple[str, ...]
    removed: tuple[str, ...]
    edges: int

"""Drawers as they are stored, with all that belongs to them: what is asked of them, and what is answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from graphpalace.domain.drawers.new_drawer import (
    MOST_AT_ONCE,
    MOST_FOUND,
    DrawerUpdate,
    NewDrawer,
    SimilarDrawer,
    Text,
)
from graphpalace.domain.field import NAMED, Field
from graphpalace.domain.palaces.places import HallName
from graphpalace.domain.search.news import LikelyNews
from graphpalace.domain.walking.walks import NamedNode


@dataclass(frozen=True, slots=True)
class Deleted:
    """The number of deleted drawers or, for a palace, nodes, and of facts that were read only from these drawers."""

    deleted: int
    facts: int = 0

    def __add__(self, other: Deleted) -> Deleted:
        return Deleted(self.deleted + other.deleted, self.facts + other.facts)


@dataclass(frozen=True)
class Drawer:
    """A text that is kept word for word, and where it stands. Moments and days are texts as ISO 8601 writes them.

    Attributes:
        name: Where it stands in the code; None for other texts.
        position: In its closet, from 0.
        start_line, end_line: In the source or the extracted text, 1-based, inclusive.
        headings: Titles above it, outermost first.
        author: Who said it, for messages.
        occurred_at: When it was said, if that is known.
        importance: 0 to 1.
        closet: The title of its document.
        tags, aliases: What the front matter of the document calls so.
        codes: Classifications of the document with their schemes, as `cpc:H04L9/32`.
        pub_id, app_id, exam_id, family_id, assignee, country, published: As `domain.search.publication` says.
    """

    id: str
    name: Annotated[
        str | None,
        Field(description="where it stands in the code", examples=["argparse.ArgumentParser.parse_args"]),
    ]
    text: str
    position: Annotated[int, Field(description="place in its closet, from 0")]
    start_line: int
    end_line: int
    headings: list[str]
    author: str | None
    occurred_at: str | None
    created_at: str
    importance: float
    wing_id: str
    wing: str
    room_id: str
    room: str
    hall_type: HallName
    closet_id: str
    closet: str
    source_uri: str
    media_type: str
    tags: Annotated[list[str], Field(description="of its document", examples=[["garden/herbs"]])]
    aliases: Annotated[list[str], Field(description="other names of its document")]
    codes: Annotated[
        list[str], Field(description="of a publication, each with its scheme", examples=[["cpc:H04L9/32"]])
    ]
    pub_id: Annotated[
        str | None,
        Field(description="publication number; this and what follows: null for other documents"),
    ]
    app_id: Annotated[str | None, Field(description="application number")]
    exam_id: Annotated[str | None, Field(description="number of the examined document")]
    family_id: Annotated[str | None, Field(description="the same for all publications of one invention")]
    assignee: str | None
    country: Annotated[str | None, Field(description="office that published it")]
    published: Annotated[str | None, Field(description="day of publication", examples=["2023-05-31"])]

    def facts(self) -> dict[str, Any]:
        """Return all but its id and its text, by name."""
        return {name: value for name, value in vars(self).items() if name not in ("id", "text")}

    def path_in(self, palace: str) -> list[NamedNode]:
        """Return the way from the palace to the drawer."""
        return [
            NamedNode("Palace", palace, palace),
            NamedNode("Wing", self.wing_id, self.wing),
            NamedNode("Room", self.room_id, self.room),
            NamedNode("Closet", self.closet_id, self.closet),
            NamedNode("Drawer", self.id, self.name or f"#{self.position}"),
        ]


@dataclass(frozen=True, slots=True)
class AddedDrawer:
    """A drawer that was to be stored, and whether it is new: its closet may have had that very text already.

    Attributes:
        similar: Why another drawer stands for the text.
        news: The older drawers that it is likely to be news on.
    """

    drawer: Drawer
    created: bool
    similar: SimilarDrawer | None = None
    news: Sequence[LikelyNews] = ()


@dataclass(frozen=True, slots=True)
class AddedDrawers:
    """What adding many texts did.

    Attributes:
        ids: The drawer of each text, in the order of the texts.
        created: How many drawers are new.
        kept: How many texts their closets had already.
    """

    ids: Sequence[str]
    created: int
    kept: Annotated[int, Field(description="texts that their closets had already")]


@dataclass(frozen=True)
class DrawerWithPath(Drawer):
    """A drawer with its path in the palace."""

    path: Sequence[NamedNode]
    created: Annotated[
        bool | None, Field(description="after adding: false if the closet has the same text already")
    ] = None
    similar: Annotated[
        SimilarDrawer | None,
        Field(
            description="after adding with `unless_similar`: why this drawer stands for the text, which is not stored"
        ),
    ] = None
    news: Annotated[
        Sequence[LikelyNews] | None,
        Field(description="after adding: older drawers that it is likely to be news on; supersede those that it is"),
    ] = None
    counted: Annotated[
        bool | None,
        Field(
            description="after opening a drawer from a search: whether this counts as feedback; once for each search"
        ),
    ] = None

    @classmethod
    def of(
        cls,
        palace: str,
        drawer: Drawer,
        *,
        created: bool | None = None,
        similar: SimilarDrawer | None = None,
        news: Sequence[LikelyNews] | None = None,
        counted: bool | None = None,
    ) -> DrawerWithPath:
        """Return a drawer with its path in the palace."""
        path = drawer.path_in(palace)
        return cls(**vars(drawer), path=path, created=created, similar=similar, news=news, counted=counted)


@dataclass(frozen=True, slots=True)
class DrawerPage:
    """A page of drawers. Send `next` as `after` to get the next page."""

    drawers: Sequence[Drawer]
    next: str | None


@dataclass(frozen=True, slots=True)
class DrawerText:
    """A text that a drawer had."""

    text: str
    since: Annotated[str, Field(description="when it was written")]
    until: Annotated[str, Field(description="when another text took its place")]


@dataclass(frozen=True, slots=True)
class DrawerHistory:
    """The earlier texts of a drawer, until they are forgotten with it."""

    drawer: str
    texts: Annotated[Sequence[DrawerText], Field(description="the latest first; empty if it was never changed")]


@dataclass(frozen=True, slots=True)
class Superseded:
    """That a drawer took the place of another, which answers mark as outdated from then on."""

    old: Annotated[str, Field(description="id of the drawer that is outdated")]
    new: Annotated[str, Field(description="id of the drawer that holds instead")]
    since: Annotated[str, Field(description="from when on")]


DrawerId = Annotated[str, Field(description="id of the drawer")]


@dataclass(frozen=True, slots=True)
class DrawerRequest(NewDrawer):
    """A text to store verbatim."""

    unless_similar: Annotated[
        float | None,
        Field(
            ge=0, le=1, description="store it only if no drawer of its wing says the same or has this cosine with it"
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """Texts to store verbatim, all of them or none."""

    drawers: Annotated[Sequence[NewDrawer], Field(min_length=1, max_length=MOST_AT_ONCE)]


@dataclass(frozen=True, slots=True)
class DrawerListing:
    """Which drawers to list."""

    wing: str | None = None
    room: str | None = None
    after: Annotated[str, Field(description="the `next` of the page before")] = ""
    limit: Annotated[int, Field(ge=1, le=200, description="largest number of drawers")] = 50


@dataclass(frozen=True, slots=True)
class DrawerToRead:
    """A drawer to read, and the search that showed it."""

    drawer: DrawerId
    run: Annotated[
        str | None, Field(description="the search that showed the drawer; opening it counts as weak feedback")
    ] = None


@dataclass(frozen=True, slots=True)
class OneDrawer:
    """A drawer to delete, or whose earlier texts are wanted."""

    drawer: DrawerId


@dataclass(frozen=True, slots=True)
class UpdateRequest(DrawerUpdate):
    """Changes to a drawer. What is left out stays as it is."""

    drawer: DrawerId = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class SupersedeRequest:
    """Which drawer takes the place of one."""

    old: Annotated[str, Field(description="id of the drawer that is outdated")]
    new: Annotated[str, Field(min_length=1, max_length=200, description="id of the drawer that holds from now on")]


@dataclass(frozen=True, slots=True)
class SupersedeToTakeBack:
    """A drawer that is to count again."""

    old: Annotated[str, Field(description="id of the drawer that was taken to be outdated")]


@dataclass(frozen=True, slots=True)
class DuplicateRequest:
    """A text to look for."""

    text: Text
    wing: Annotated[str | None, Field(description="only look in this wing"), NAMED] = None
    threshold: Annotated[float, Field(ge=0, le=1, description="least cosine of a similar drawer")] = 0.9
    top_k: Annotated[int, Field(ge=1, le=MOST_FOUND, description="largest number of drawers")] = 5

"""What is asked of an ingest, and what it plans, sees and reports, also of files that only the client can read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any

from graphpalace.domain.drawers.files import LARGEST_WINDOW, MAX_WINDOWS, SMALLEST_WINDOW, RoomMode
from graphpalace.domain.field import Field

if TYPE_CHECKING:
    from graphpalace.domain.conversations import FiledConversation


WingName = Annotated[str, Field(min_length=1, max_length=200, examples=["notes"])]
Rooms = Annotated[RoomMode | None, Field(description="default: [ingest] rooms")]
MaxFiles = Annotated[int | None, Field(ge=0, description="0: no limit; default: [ingest] max_files")]
Windows = Annotated[
    Sequence[Annotated[int, Field(ge=SMALLEST_WINDOW, le=LARGEST_WINDOW)]] | None,
    Field(max_length=MAX_WINDOWS, description="sizes in lines; default: [ingest] windows"),
]


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """A wing into which a client is to put its own files."""

    wing: WingName
    rooms: Rooms = None
    max_files: MaxFiles = None
    windows: Windows = None


@dataclass(frozen=True, slots=True)
class PruneRequest:
    """Sources whose drawers are to be deleted."""

    wing: WingName
    sources: Annotated[
        Sequence[str],
        Field(min_length=1, max_length=10_000, description="URIs, such as those that an ingest reports as `gone`"),
    ]


_OF_DOCUMENTS = (
    "documents_stored",
    "documents_unchanged",
    "documents_moved",
    "drawers_created",
    "drawers_kept",
    "drawers_removed",
    "similar_edges",
)


@dataclass(frozen=True, slots=True)
class PlannedSource:
    """A source that a wing has.

    Attributes:
        closet: Id of its closet.
        uri: As it is stored.
        mark: Of what was stored: the hash of the content, and the mode of rooms; None if that is not complete.
    """

    closet: str
    uri: str
    mark: str | None


@dataclass(frozen=True, slots=True)
class IngestPlan:
    """How a client is to find and read the files of an ingest, so that it does so as the service would.

    Attributes:
        rooms: What rooms are made from.
        max_files: 0: no limit.
        exclude_dirs, follow_links, max_chars, overlap_chars, windows, read_limit_s, read_limit_mb, slow_limit_s: As the
            settings of these names in `[ingest]`.
        sources: What the wing has.
    """

    rooms: str
    max_files: int
    exclude_dirs: Sequence[str]
    follow_links: bool
    max_chars: int
    overlap_chars: int
    windows: Sequence[int]
    read_limit_s: float
    read_limit_mb: int
    slow_limit_s: float
    sources: Sequence[PlannedSource]


@dataclass(frozen=True, slots=True)
class SeenSources:
    """What a client has seen of the sources of a wing on its disk.

    Attributes:
        sources: Which closets documents are in, by the URI of the document.
        missing: URIs of files that are not on the disk, by the closet.
        places: URIs without links of closets whose URIs have some.
        folders: How many files of the ingest are in each folder below its paths, by the folder's path from there.
    """

    sources: Annotated[Mapping[str, str], Field(description="closets, by the URIs of documents")] = field(
        default_factory=dict
    )
    missing: Annotated[
        Mapping[str, str], Field(description="URIs of files that are not on the client's disk, by their closets")
    ] = field(default_factory=dict)
    places: Annotated[Mapping[str, str], Field(description="URIs without links, by closets whose URIs have some")] = (
        field(default_factory=dict)
    )
    folders: Annotated[Mapping[str, int], Field(description="how many files of the ingest each folder has")] = field(
        default_factory=dict
    )


def folders_of(path: str) -> tuple[str, ...]:
    """Return the folders of a path below the paths of an ingest."""
    return tuple(path.split("/")) if path else ()


def stored_content(mark: str | None) -> str | None:
    """Return the hash of the content in the mark of a closet."""
    return mark.rpartition("-")[0] if mark else None


def mark_of(content: str, rooms: str) -> str:
    """Return the mark of an up-to-date closet: its content hash and the mode in which its rooms were found."""
    return f"{content}-{rooms}"


@dataclass(slots=True)
class IngestReport:
    """Counts of what an ingest has done so far. The `progress` callback receives it after every step.

    Attributes:
        documents_moved: Those of the stored ones that the wing had under another path.
        skipped: Files, folders and lines that were left out, by reason. A folder counts once, whatever is in it.
        slow_seconds: Processor time that files took which are slow to read for the little text that they have.
        masked: Secrets that were masked in conversations, by kind.
    """

    files_total: int = 0
    files_done: int = 0
    documents_stored: int = 0
    documents_unchanged: int = 0
    documents_moved: int = 0
    drawers_created: int = 0
    drawers_kept: int = 0
    drawers_removed: int = 0
    similar_edges: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    masked: Counter[str] = field(default_factory=Counter)
    unreadable: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    seconds: float = 0.0
    slow_seconds: float = 0.0

    def count_skipped(self, reason: str, number: int) -> None:
        """Count what was left out for a reason; a reason that nothing was left out for is not listed."""
        if number:
            self.skipped[reason] += number

    def count_filed(self, filed: FiledConversation | None) -> None:
        """Count what was filed of a transcript; None: nobody has said anything in it yet."""
        if filed is None:
            self.skipped["empty"] += 1
            return
        self.documents_stored += filed.turns > 0
        self.documents_unchanged += filed.turns == 0 and filed.forgotten_at is None
        if filed.forgotten_at is not None:
            self.skipped["forgotten"] += 1
        self.count_skipped("broken line", filed.broken_lines)
        self.drawers_created += filed.drawers_created
        self.drawers_removed += filed.drawers_removed
        self.masked.update(filed.masked)

    def count_stored(self, other: IngestReport) -> None:
        """Add what another report says of stored documents."""
        for name in _OF_DOCUMENTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def with_stored(self, other: IngestReport) -> IngestReport:
        """Return a copy to which that was added."""
        found = replace(self, skipped=Counter(self.skipped), masked=Counter(self.masked))
        found.count_stored(other)
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the counts as JSON has them; `asdict` alone counts the entries of a counter."""
        return asdict(replace(self, skipped=Counter(), masked=Counter())) | {
            "skipped": dict(self.skipped),
            "masked": dict(self.masked),
        }

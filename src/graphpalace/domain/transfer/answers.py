"""What exports and imports report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TransferProgress:
    """How far an export or an import is.

    Attributes:
        file: The file that is being written or read.
        done: Rows so far, of all files.
        total: Rows of the whole; None if it is not known.
    """

    file: str
    done: int
    total: int | None


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote.

    Attributes:
        palace: Name of the palace.
        rows: Number of rows of each file.
        changed_meanwhile: Whether somebody wrote to the palace during the export. It may then lack parts of these
            writes; another export has them.
    """

    palace: str
    rows: Mapping[str, int]
    changed_meanwhile: bool


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """How rows are to be sent.

    Attributes:
        palace: Name of the palace that they go into.
        import_id: Identifies the import. A repetition of an interrupted one has the same.
        fresh: Whether the palace has nothing else. It then takes over the clock and the counters of the exported one.
        shift_cycles: What to add to the cycles of the exported palace, so that they are those of the palace's clock.
        send_vectors: Whether the vectors of the export are used; if not, they are computed again.
        send_similar: Whether the similarities of the export are used; if not, they are computed again.
        made: Whether there was no palace of this name before.
    """

    palace: str
    import_id: str
    fresh: bool
    shift_cycles: int
    send_vectors: bool
    send_similar: bool
    made: bool = False


@dataclass(frozen=True, slots=True)
class ImportedRows:
    """What became of some rows.

    Attributes:
        created: Rows that are new in the palace.
        kept: Rows that the palace had already.
        conflicts: Rows that the palace had with another content, which stays; each as `drawers drawer-...: text`.
        left_out: Rows of relationships of which the palace lacks an end, and what belongs to such nodes.
    """

    created: int = 0
    kept: int = 0
    conflicts: Sequence[str] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class ImportFinished:
    """What was done after the last row.

    Attributes:
        linked: Number of similarities that were found between drawers that are new and others.
        swept: Number of drawers that were removed because the export did not have their closet.
    """

    linked: int
    swept: int


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did.

    Attributes:
        palace: Name of the palace.
        created, kept, left_out: Number of rows of each file that are new, that the palace had already, and that lack
            what they belong to.
        conflicts: Number of rows that the palace had with another content, which stays.
        named_conflicts: The first of them, each as `drawers drawer-...: text`.
        linked: Number of similarities that were found between drawers that are new and others.
    """

    palace: str
    created: Mapping[str, int]
    kept: Mapping[str, int]
    left_out: Mapping[str, int]
    conflicts: int = 0
    named_conflicts: Sequence[str] = field(default_factory=list)
    linked: int = 0


@dataclass(frozen=True, slots=True)
class MovedIn:
    """What came from another memory.

    Attributes:
        drawers: Texts that are new in the palace.
        kept: Texts that it had already.
        conversations: Conversations that were filed.
        turns: Turns of conversations that are new.
        facts: Facts that were stated.
        skipped: What was not taken, by the reason.
        masked: Number of secrets in conversations that were masked, by their kind.
    """

    drawers: int = 0
    kept: int = 0
    conversations: int = 0
    turns: int = 0
    facts: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    masked: Mapping[str, int] = field(default_factory=dict)

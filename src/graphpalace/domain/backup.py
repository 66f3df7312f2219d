"""What a backup says of itself, and what making and restoring one answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from graphpalace.errors import Conflict, InvalidInput

FORMAT = 1
_NAME = "graphpalace-backup"


@dataclass(frozen=True, slots=True)
class BackupPart:
    """A file in a backup.

    Attributes:
        rows: Number of its lines.
        sha256: Hash of its bytes, as 64 hexadecimal digits.
    """

    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """What a backup says of itself.

    Attributes:
        version: Version of GraphPalace that wrote it.
        schema_version: Last migration of the database, such as `0020`.
        migrations: Checksum of each applied migration, by version.
        made_at: The moment at which the database was as the backup has it, in ISO 8601.
        palaces: Their names.
        nodes, relationships: What there is of each.
    """

    version: str
    schema_version: str
    migrations: Mapping[str, str]
    made_at: str
    palaces: Sequence[str]
    nodes: BackupPart
    relationships: BackupPart

    def text(self) -> str:
        """Return the manifest as the text of its file."""
        return json.dumps({"format": _NAME, "format_version": FORMAT, **asdict(self)}, indent=2) + "\n"


def read_backup_manifest(text: bytes, *, path: str) -> BackupManifest:
    """Return the manifest from the text of its file.

    Args:
        path: Of the backup, for messages.

    Raises:
        InvalidInput: If it is not one of a backup.
        Conflict: If a later version of GraphPalace wrote it in another format.
    """
    try:
        found = json.loads(text)
        written = found.pop("format_version")
        if found.pop("format") != _NAME or type(written) is not int:
            raise KeyError("format")
        if written > FORMAT:
            raise Conflict(
                f"{path}: format_version is {written}, and this version of GraphPalace reads {FORMAT}: upgrade it "
                f"(GraphPalace {found.get('version')} wrote the backup)",
                format_version=written,
            )
        nodes, relationships = (BackupPart(**found.pop(name)) for name in ("nodes", "relationships"))
        return BackupManifest(**found, nodes=nodes, relationships=relationships)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InvalidInput(f"{path} is damaged: its manifest cannot be read", field="file") from None


@dataclass(frozen=True, slots=True)
class BackupMade:
    """A backup that was made, read again and found to be complete.

    Attributes:
        seconds: Of the whole work.
        paused_s: For how many of them writers had to wait.
        deleted: Older backups that were deleted.
    """

    path: str
    bytes: int
    nodes: int
    relationships: int
    palaces: Sequence[str]
    encrypted: bool
    made_at: str
    seconds: float
    paused_s: float
    deleted: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class BackupRestored:
    """A backup that was restored.

    Attributes:
        applied: Migrations that came after the backup and were applied to it.
    """

    path: str
    nodes: int
    relationships: int
    palaces: Sequence[str]
    version: str
    made_at: str
    applied: Sequence[str]
    seconds: float


@dataclass(frozen=True, slots=True)
class BackupProgress:
    """How far a backup or its restoration is.

    Attributes:
        doing: `reading`, `checking` or `restoring`.
        done: Nodes and relationships.
        total: None if it is not known.
    """

    doing: str
    done: int
    total: int | None = None

"""The manifest of an export: what the folder contains, and what is needed to read it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Annotated, Any

from graphpalace.domain.field import Field
from graphpalace.domain.identity import palace_name
from graphpalace.domain.transfer.kinds import KINDS
from graphpalace.errors import Conflict, InvalidInput

FORMAT = 1
MANIFEST = "manifest.json"
_NAME = "graphpalace-export"
LONGEST_CYCLE_S = 10**9
OLDEST_SCHEMA = "0014"  # the schema of the first version that could export


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file of an export.

    Attributes:
        rows: Number of its lines.
        sha256: Hash of its bytes, as 64 hexadecimal digits.
    """

    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ExportedPalace:
    """What an export says of its palace as a whole.

    Attributes:
        palace: Its name.
        version: Version of GraphPalace that wrote the export.
        schema_version: Last migration of the database, such as `0014`.
        exported_at: When the export began, in ISO 8601.
        model, dimension: Embedding model, and the length of its vectors.
        analyzer: Lucene analyzer of the palace's full-text index.
        cycle: Cycle of the palace's clock at `exported_at`.
        cycle_seconds: Length of a cycle.
        vectors: Whether the export has the vectors.
        runs: Whether it has searches and runs.
        changed_meanwhile: Whether somebody wrote to the palace during the export.
    """

    palace: str
    version: str
    schema_version: str
    exported_at: Annotated[str, Field(json_schema_extra={"format": "date-time"})]
    model: str
    dimension: Annotated[int, Field(ge=1, le=4096)]
    analyzer: str
    cycle: int
    cycle_seconds: Annotated[float, Field(gt=0, le=LONGEST_CYCLE_S)]
    vectors: bool
    runs: bool
    changed_meanwhile: bool


@dataclass(frozen=True, slots=True)
class Manifest:
    """The whole manifest."""

    palace: ExportedPalace
    files: Mapping[str, ExportedFile]

    @property
    def import_id(self) -> str:
        """Identifies the export, whatever folder it is in."""
        return sha256(self.text().encode()).hexdigest()[:32]

    @property
    def rows(self) -> int:
        """Number of rows of all files."""
        return sum(file.rows for file in self.files.values())

    def text(self) -> str:
        """Return the manifest as the text of its file."""
        shown = {"format": _NAME, "format_version": FORMAT, **asdict(self.palace)}
        shown["files"] = {f"{name}.jsonl": asdict(file) for name, file in self.files.items()}
        return json.dumps(shown, indent=2, ensure_ascii=False) + "\n"


def read_manifest(text: str | bytes, *, path: str) -> Manifest:
    """Return the manifest from the text of its file.

    Args:
        path: Of the file, for messages.

    Raises:
        InvalidInput: If it is not one of an export, or has an unknown or a missing key, or a value of another type.
        Conflict: If a later version of GraphPalace wrote it.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput(f"{path} is no JSON: the export is damaged", field=MANIFEST) from None
    if not isinstance(found, dict) or found.get("format") != _NAME:
        raise InvalidInput(f"{path} is not the manifest of an export of GraphPalace", field=MANIFEST)
    written = found.get("format_version")
    if type(written) is not int or written < 1:
        raise InvalidInput(f"{path}: format_version is {written!r}; it must be {FORMAT}", field="format_version")
    if written > FORMAT:
        raise Conflict(
            f"{path}: format_version is {written}, and this version of GraphPalace reads {FORMAT}: upgrade it "
            f"(GraphPalace {found.get('version')} wrote the export)",
            format_version=written,
        )
    palace = _dataclass(ExportedPalace, _PALACE, {key: found[key] for key in found.keys() - _OTHERS}, path)
    palace_name(palace.palace)
    if palace.schema_version < OLDEST_SCHEMA:
        raise Conflict(
            f"{path}: schema_version is {palace.schema_version}; exports are read from schema {OLDEST_SCHEMA} on",
            schema_version=palace.schema_version,
        )
    return Manifest(palace, _files(found.get("files"), path))


def _files(found: Any, path: str) -> dict[str, ExportedFile]:
    if not isinstance(found, dict):
        raise InvalidInput(f"{path}: files is {found!r}; it must be an object of JSON", field="files")
    known = {f"{name}.jsonl": name for name in KINDS}
    if unknown := sorted(found.keys() - known.keys()):
        raise InvalidInput(f"{path}: files has {unknown[0]!r}, which is no file of an export", field="files")
    return {
        known[name]: _dataclass(ExportedFile, _FILE, values, f"{path}: {name}")
        for name, values in sorted(found.items(), key=lambda one: [*known].index(one[0]))
    }


_PALACE = {
    "palace": str,
    "version": str,
    "schema_version": str,
    "exported_at": str,
    "model": str,
    "dimension": int,
    "analyzer": str,
    "cycle": int,
    "cycle_seconds": float,
    "vectors": bool,
    "runs": bool,
    "changed_meanwhile": bool,
}
_FILE = {"rows": int, "sha256": str}
_OTHERS = {"format", "format_version", "files"}


def _dataclass(kind: Any, fields: Mapping[str, type], values: Any, path: str) -> Any:
    if not isinstance(values, dict):
        raise InvalidInput(f"{path} is {values!r}; it must be an object of JSON", field=MANIFEST)
    if wrong := sorted(values.keys() ^ fields.keys()):
        what = "has no" if wrong[0] in fields else "has the unknown key"
        raise InvalidInput(f"{path} {what} {wrong[0]!r}", field=wrong[0])
    for name, expected in fields.items():
        if type(values[name]) is not expected:
            raise InvalidInput(
                f"{path}: {name} is {values[name]!r}; it must be of the type {expected.__name__}", field=name
            )
    return kind(**values)

"""Reads JSON Lines files of records with unique ids. Errors name the file and the line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from graphpalace.domain.identity import place_name
from graphpalace.domain.knowledge.fact_times import as_utc
from graphpalace.errors import InvalidInput, UnreadableDocument


@dataclass(frozen=True, slots=True)
class JsonlRecord:
    """One line of a JSON Lines file."""

    values: dict[str, Any]
    path: Path
    line: int

    def refused(self, what: str) -> UnreadableDocument:
        """Return an error that names the file and the line."""
        return UnreadableDocument(f"{self.path}, line {self.line}: {what}", path=str(self.path), line=self.line)

    @property
    def id(self) -> str:
        return self.values["_id"]

    def text(self, key: str, source: dict[str, Any] | None = None) -> str | None:
        """Return the text of a key, or None if it is missing.

        Args:
            key: Name of the field.
            source: The object with the field; None for the record itself.

        Raises:
            UnreadableDocument: If the value is not text, or cannot be stored as UTF-8.
        """
        value = (self.values if source is None else source).get(key)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self.refused(f"{key} is {value!r}; it must be text")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise self.refused(f"{key} has a lone surrogate; it must be valid Unicode") from None
        return value

    @property
    def metadata(self) -> dict[str, Any]:
        value = self.values.get("metadata")
        if value is not None and not isinstance(value, dict):
            raise self.refused(f"metadata is {value!r}; it must be an object")
        return value or {}

    def moment(self, key: str) -> datetime | None:
        """Return a time of the metadata, in UTC, or None if it is missing. One without a zone is in UTC already.

        Raises:
            UnreadableDocument: If the value is not a time in ISO 8601.
        """
        text = self.text(key, self.metadata)
        if text is None:
            return None
        try:
            return as_utc(datetime.fromisoformat(text))
        except (ValueError, OverflowError):
            raise self.refused(
                f"metadata.{key} is {text!r}; it must be a time in ISO 8601, such as 2026-05-04T08:54:46Z"
            ) from None

    @property
    def session(self) -> str | None:
        return self.text("session", self.metadata)

    @property
    def wing(self) -> str | None:
        wing = self.text("wing", self.metadata)
        try:
            return None if wing is None else place_name("metadata.wing", wing)
        except InvalidInput as error:
            raise self.refused(error.message) from None


def records(path: Path) -> Iterator[JsonlRecord]:
    """Yield the records of a JSON Lines file.

    Raises:
        InvalidInput: If the file cannot be read or has no records.
        UnreadableDocument: If a line is not a JSON object, or its `_id` is missing, invalid or used before.
    """
    first_lines: dict[str, int] = {}
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                record = JsonlRecord(_object(line), path, number)
                if not record.values:
                    raise record.refused("is not a JSON object in UTF-8")
                identity = record.text("_id")
                if not identity or any(mark in identity for mark in "\t\r\n"):
                    raise record.refused(f"_id is {identity!r}; it must be text without tabs and line ends")
                if identity in first_lines:
                    raise record.refused(f"_id {identity!r} is already used on line {first_lines[identity]}")
                first_lines[identity] = number
                yield record
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}", file=str(path)) from error
    if not first_lines:
        raise InvalidInput(f"{path} is empty; it must have at least one line", file=str(path))


def _object(line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line, or {} if the line is not a JSON object."""
    try:
        value = json.loads(line.decode())
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}

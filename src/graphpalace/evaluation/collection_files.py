"""Reads the files of a collection: records in JSON Lines, judgements (`qrels/test.tsv`), and given embeddings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from graphpalace.domain.identity import place_name
from graphpalace.domain.moments import as_utc
from graphpalace.domain.vectors import Matrix, Vector, unit_rows
from graphpalace.errors import InvalidInput, UnreadableDocument, WrongDimension

_MOST_GAIN = 1000


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


def read_judgements(path: Path, *, documents: Set[str], questions: Set[str]) -> dict[str, dict[str, int]]:
    """Read the gain, 1 to 1000, of each relevant document of each question.

    Each line has the id of a question, the id of a document and a whole number, separated by tabs. The first line may
    be a header. A number below 1 means that the document is not relevant; it is left out of the result.

    Args:
        documents, questions: The ids that exist.

    Raises:
        InvalidInput: If the file cannot be read.
        UnreadableDocument: If a line is invalid; the message names the line.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}", file=str(path)) from error
    judged: dict[tuple[str, str], tuple[int, int]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or (number == 1 and line.split()[-1] == b"score"):
            continue
        try:
            question, document, gain = _fields(line)
            if question not in questions:
                raise ValueError(f"question {question!r} is not in queries.jsonl")
            if document not in documents:
                raise ValueError(f"document {document!r} is not in corpus.jsonl")
            before, first = judged.get((question, document), (gain, 0))
            if before != gain:
                raise ValueError(
                    f"the score is {gain}, but line {first} has {before} for the same question and document"
                )
        except ValueError as error:
            raise UnreadableDocument(f"{path}, line {number}: {error}", path=str(path), line=number) from None
        judged[question, document] = gain, number
    relevant: dict[str, dict[str, int]] = {}
    for (question, document), (gain, _) in judged.items():
        if gain > 0:
            relevant.setdefault(question, {})[document] = gain
    return relevant


def _fields(line: bytes) -> tuple[str, str, int]:
    try:
        question, document, score = line.decode().rstrip("\r").split("\t")
        gain = int(score)
    except ValueError:
        raise ValueError(
            "must be the id of a question, the id of a document and a whole number, separated by tabs"
        ) from None
    if gain > _MOST_GAIN:
        raise ValueError(f"the score is {gain}; it must be at most {_MOST_GAIN}")
    return question, document, gain


def read_vectors(
    path: Path, ids: Sequence[str], *, dimension: int | None = None
) -> tuple[dict[str, Vector], int | None]:
    """Read embeddings and scale them to length one.

    Args:
        path: The file, which may be missing.
        ids: Ids of the records, in the order of the rows.
        dimension: Dimension of the other embeddings of the collection, if there are any.

    Returns:
        The vector of each id, and the dimension. If the file is missing: no vectors, and the given dimension.

    Raises:
        InvalidInput: If the file is not a matrix of finite numbers with one row, not all zero, for each id.
        WrongDimension: If the dimension differs from that of the other embeddings.
    """
    if not path.exists():
        return {}, dimension
    try:
        matrix = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InvalidInput(f"{path} cannot be read as a NumPy array: {error}", file=str(path)) from error
    if not isinstance(matrix, np.ndarray) or matrix.ndim != 2 or matrix.dtype.kind not in "fiu":
        found = f"{matrix.dtype} {matrix.shape}" if isinstance(matrix, np.ndarray) else "an archive"
        raise InvalidInput(f"{path} is {found}; it must be a matrix of numbers", file=str(path))
    rows, columns = matrix.shape
    if rows != len(ids):
        raise InvalidInput(
            f"{path} has {rows} rows; it must have one row for each of the {len(ids)} records", file=str(path)
        )
    if not 1 <= columns <= 4096:
        raise InvalidInput(f"{path} has {columns} columns; it must have 1 to 4096", file=str(path))
    if dimension is not None and columns != dimension:
        raise WrongDimension(f"{path} has {columns} columns; corpus.npy has {dimension}", file=str(path))
    vectors: Matrix = unit_rows(matrix.astype(np.float32))
    good = np.isfinite(vectors).all(axis=1) & vectors.any(axis=1)
    if not good.all():
        row = int(np.flatnonzero(~good)[0])
        raise InvalidInput(
            f"{path}, row {row + 1} ({ids[row]!r}) must be finite and not all zero", file=str(path), row=row + 1
        )
    return dict(zip(ids, vectors, strict=True)), columns

"""Reads the lines of a transcript that a host may still be writing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_HEAD_RECORDS = 50
_HEAD_BYTES = 1 << 20


def json_lines(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a file, one for each line. A last line that is not complete yet is left out.

    A line that is damaged, as after a crash of the host, is left out too.
    """
    for line in data.split(b"\n"):
        if line.strip() and (record := json_object(line)) is not None:
            yield record


def head_records(data: bytes) -> list[dict[str, Any]]:
    """Return the first objects of a file, by which its host is recognised."""
    records = []
    for record in json_lines(data[:_HEAD_BYTES]):
        records.append(record)
        if len(records) == _HEAD_RECORDS:
            break
    return records


def json_object(line: str | bytes) -> dict[str, Any] | None:
    """Return the JSON object of a line; None if it is damaged, or another value."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None

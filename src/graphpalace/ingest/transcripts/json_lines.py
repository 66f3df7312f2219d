"""Reads the lines of a transcript that a host may still be writing."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

_HEAD_RECORDS = 50
_HEAD_BYTES = 1 << 20


def json_records(data: bytes) -> tuple[list[dict[str, Any]], int]:
    """Return the JSON objects of a file, one for each line, and how many lines are damaged, as after a crash.

    A last line that is not complete yet is left out, and is not damaged.
    """
    whole, _, last = data.rpartition(b"\n")
    read = [json_object(line) for line in whole.split(b"\n") if line.strip()]
    records = [record for record in (*read, json_object(last)) if record is not None]
    return records, read.count(None)


def head_records(data: bytes) -> list[dict[str, Any]]:
    """Return the first objects of a file, by which its host is recognised."""
    records = (json_object(line) for line in data[:_HEAD_BYTES].split(b"\n") if line.strip())
    return list(islice((record for record in records if record is not None), _HEAD_RECORDS))


def json_object(line: str | bytes) -> dict[str, Any] | None:
    """Return the JSON object of a line; None if it is damaged, or another value."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None

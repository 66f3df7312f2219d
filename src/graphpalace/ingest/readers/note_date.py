"""Reads the date of a note as people write it in front matter."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:[T-]?(\d\d)(\d\d)(\d\d)?)?")
_SLASHES = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})(.*)", re.DOTALL)
_DOTS = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(.*)", re.DOTALL)
_PARTS = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|UTC|[+-]\d\d?(?::?\d\d)?)?"
)
_LINK = re.compile(r"\[\[(?:[^\]|]*/)?([^\]|/]*)(?:\|[^\]]*)?\]\]")  # a daily note
_EPOCH = re.compile(r"\d{10}(?:\d{3})?")
_IN_WORDS = ("%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y")
_WEEKDAY = re.compile(r"^[^\W\d_]{3,9}day,?\s+|^(?:mon|tue|wed|thu|fri|sat|sun),?\s+", re.IGNORECASE)


def note_date(written: str) -> datetime | None:
    """Return the moment that a date means; None if it is none, or may mean two days, as 3/4/2025 does.

    A date without a time is its first moment, and a time without a zone is in UTC, as everywhere.

    >>> note_date("2025-03-02").isoformat(), note_date("March 2, 2025") == note_date("2.3.2025")
    ('2025-03-02T00:00:00+00:00', True)
    """
    written = _LINK.sub(r"\1", written.strip())
    if found := _EPOCH.fullmatch(written):
        return datetime.fromtimestamp(int(written) / (1000 if len(found[0]) == 13 else 1), UTC)
    if found := _COMPACT.fullmatch(written):
        written = "{}-{}-{}".format(*found.groups()) + (f" {found[4]}:{found[5]}" if found[4] else "")
    elif found := _SLASHES.fullmatch(written):
        written = "{}-{}-{}{}".format(*found.groups())
    elif found := _DOTS.fullmatch(written):
        written = f"{found[3]}-{found[2]}-{found[1]}{found[4]}"
    return _numeric(written) or _in_words(written)


def _numeric(written: str) -> datetime | None:
    found = _PARTS.fullmatch(written)
    if not found:
        return None
    day = f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}"
    time = found[4] and found[4].zfill(len(found[4]) + (found[4].index(":") == 1))
    zone = found[5] or ""
    if zone[:1] in ("+", "-"):
        digits = zone[1:].replace(":", "")
        hours, minutes = (digits[:-2], digits[-2:]) if len(digits) > 2 else (digits, "00")
        zone = f"{zone[0]}{hours.zfill(2)}:{minutes}"
    try:
        read = datetime.fromisoformat(f"{day}T{time or '00:00'}{'+00:00' if zone in ('', 'Z', 'UTC') else zone}")
    except ValueError:
        return None
    return read.astimezone(UTC) if 1 < read.year < 9999 else None


def _in_words(written: str) -> datetime | None:
    plain = " ".join(re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|[,.]", " ", _WEEKDAY.sub("", written)).split())
    for form in _IN_WORDS:
        try:
            return datetime.strptime(plain, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None

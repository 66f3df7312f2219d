"""Times that callers give."""

from __future__ import annotations

from datetime import datetime

from graphpalace.errors import InvalidInput


def milliseconds(field: str, moment: datetime | None) -> int | None:
    """Return milliseconds since 1970; a time without a zone is local time.

    Raises:
        InvalidInput: If it lies outside the years 1 to 9999 of UTC.
    """
    try:
        return None if moment is None else int(moment.timestamp() * 1000)
    except (OverflowError, ValueError):
        raise InvalidInput(f"{field} is {moment}; it must be in the years 1 to 9999 of UTC", field=field) from None

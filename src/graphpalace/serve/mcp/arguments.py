"""Arguments that several tools take."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from graphpalace.domain.moments import whole_day
from graphpalace.domain.quoting import unquoted


def _moment(value: Any) -> datetime:
    """Return a date or a time as it is written in ISO 8601. Pydantic would read "5" as five seconds after 1970."""
    if isinstance(value, datetime):
        return value
    with suppress(ValueError, TypeError):
        return datetime.fromisoformat(value)
    raise ValueError("it must be a date or time as text, for example 2026-05-31 or 2026-05-31T12:00:00Z")


Moment = Annotated[datetime, BeforeValidator(_moment)]
Until = Annotated[
    datetime, BeforeValidator(_moment), BeforeValidator(whole_day)
]  # the validator that is last runs first
Palace = str | None  # None is the configured palace
Named = Annotated[str, AfterValidator(unquoted)]  # what has a name, which may be as an answer has quoted it
Wing = Named | None  # None is everywhere
Room = Named | None
Budget = Annotated[int | None, Field(ge=512, le=65_536)]

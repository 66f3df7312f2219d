"""What the bodies of all requests have in common."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

_NUMBER = re.compile(r"[-+]?\d*\.?\d+")
EXAMPLE_PALACE = "example_palace"  # of nobody: a tool that tries the examples must not meet a user's palace


class RequestBody(BaseModel):
    """A body that names known fields only, each of its own type: neither `true` nor "5" is a number."""

    model_config = ConfigDict(extra="forbid", strict=True)


def with_example(body: dict[str, Any]) -> ConfigDict:
    """Return the configuration of a body with an example, whose palace is nobody's."""
    return ConfigDict(json_schema_extra={"examples": [{"palace": EXAMPLE_PALACE} | body]})


def _text(value: Any) -> Any:
    is_number = isinstance(value, str) and _NUMBER.fullmatch(value.strip())  # else "5" is five seconds after 1970
    if is_number or (value is not None and not isinstance(value, str | datetime)):
        raise ValueError("Input should be a date and time as text, for example 2026-05-31T12:00:00Z")
    return value


# JSON has neither times nor choices of its own, so what is text there may become one.
Moment = Annotated[datetime, Field(strict=False), BeforeValidator(_text)]
PalaceField = Annotated[str | None, Field(description="default: the configured palace", examples=[EXAMPLE_PALACE])]

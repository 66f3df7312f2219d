"""What is said of a field of a value: its description, examples and limits, which doors show and check.

Importing pydantic takes a command longer than asking the service, and a command that only shows an answer needs the
values and not their schemas. So a field is told to pydantic when somebody asks for a schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

# Marks in `Annotated`, beside a field.
NAMED = "named"  # a text that is a name: models may give it as an answer has quoted it
TIME = "time"  # a text that is a time: Python may give a date
DATE = "date"  # a moment for which Python may give a date, whose beginning it is
WHOLE_DAY = "whole day"  # a moment that a range ends before; of a date, it is the end of the day

if TYPE_CHECKING:
    from pydantic import Field
else:

    class Field:
        """The same as pydantic's, in `Annotated`: `name: Annotated[str, Field(description="of the wing")]`."""

        def __init__(self, **options: Any) -> None:
            """Keep what pydantic's takes, but for a default, which stands behind the field, as attributes."""
            vars(self).update(options)

        def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
            """Return the schema of the type with all that is said of it."""
            from pydantic import Field

            return handler.generate_schema(Annotated[source, _Within(handler), Field(**vars(self))])

    class _Within:
        """What stands before a field in the same `Annotated`."""

        def __init__(self, handler: Any) -> None:
            self._handler = handler

        def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
            return self._handler(source)


def said_by(mark: object) -> dict[str, Any]:
    """Return what a mark in `Annotated` says of its value, by pydantic's names; nothing if it is no `Field`."""
    return dict(vars(mark)) if isinstance(mark, Field) else {}  # pyright: ignore[reportArgumentType] - a class here

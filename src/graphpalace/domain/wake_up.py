"""What to know now: a short text about a palace or a wing, each line with the drawer that it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from graphpalace.domain.field import NAMED, Field
from graphpalace.domain.identity import place_name
from graphpalace.errors import InvalidInput

WakeUpPart = Literal["facts", "helped", "important", "questions", "changed", "diary"]

LEAST_BYTES, USUAL_BYTES, MOST_BYTES = 256, 2048, 65_536
# The share of the bytes that each part may have before it leaves room to the others, a first choice;
# docs/reference/quality.md says what such a text holds. The order is that of the text.
SHARES: Mapping[WakeUpPart, float] = {
    "facts": 0.2,
    "helped": 0.1,
    "important": 0.2,
    "questions": 0.1,
    "changed": 0.3,
    "diary": 0.1,
}
TITLES: Mapping[WakeUpPart, str] = {
    "facts": "Facts",
    "helped": "Helped lately",
    "important": "Important",
    "questions": "Open questions",
    "changed": "New and changed",
    "diary": "Diary",
}
USUAL_IMPORTANCE = 0.5
QUESTION_TOPICS = ("question", "questions")  # of entries in a diary that ask something
OPEN_ROOMS = ("questions", "open questions", "open", "todo", "to do", "to-do", "todos", "tasks")  # in small letters
QUESTION_ENDS = ("?", "\uff1f", "\u061f", "\u037e")  # Latin, Chinese, Arabic and Greek


@dataclass(frozen=True, slots=True)
class WakeUpLine:
    """One line of the text.

    Attributes:
        id: What it is about, as the text names it in brackets.
        drawer: The drawer that says so, if there is one.
    """

    part: WakeUpPart
    id: Annotated[str, Field(description="of the drawer, or else of the fact, the search or the entry")]
    drawer: Annotated[
        str | None,
        Field(description="that says so; null: nothing but the fact, the search or the entry itself"),
    ]
    text: str


@dataclass(frozen=True, slots=True)
class WakeUp:
    """What to know now, within some bytes. The same state of the palace in the same cycle gives the same text."""

    palace: str
    wing: Annotated[str | None, Field(description="null: the whole palace")]
    agent: Annotated[
        str | None,
        Field(description="whose diary is shown; null: none in a wing, and of a palace what a search finds of all"),
    ]
    cycle: Annotated[int, Field(description="of the palace's clock")]
    budget_bytes: int
    bytes: Annotated[int, Field(description="of the text in UTF-8, at most budget_bytes")]
    text: Annotated[str, Field(description="what a model reads")]
    lines: Annotated[Sequence[WakeUpLine], Field(description="of the text, without its headings")]
    left_out: Annotated[int, Field(description="how many lines had no room, among those that were considered")]


@dataclass(frozen=True, slots=True)
class WakeUpRequest:
    """What somebody wants to know now."""

    wing: Annotated[str | None, Field(description="only about this wing; default: the whole palace"), NAMED] = None
    budget_bytes: Annotated[
        int, Field(ge=LEAST_BYTES, le=MOST_BYTES, description="greatest length of the text in bytes of UTF-8")
    ] = USUAL_BYTES
    agent: Annotated[
        str | None,
        Field(
            description="agent whose diary is included; default: the entries of all agents that a search finds, and in"
            " a wing none"
        ),
        NAMED,
    ] = None

    def check(self) -> None:
        """Check the values.

        Raises:
            InvalidInput: If the budget is out of range, or a name is not valid.
        """
        if not LEAST_BYTES <= self.budget_bytes <= MOST_BYTES:
            raise InvalidInput(
                f"budget_bytes is {self.budget_bytes}; it must be {LEAST_BYTES} to {MOST_BYTES}",
                field="budget_bytes",
                value=self.budget_bytes,
            )
        if self.wing is not None:
            place_name("wing", self.wing)
        if self.agent is not None:
            place_name("agent", self.agent)

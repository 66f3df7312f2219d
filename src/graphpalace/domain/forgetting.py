"""What is to be forgotten, and what was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from graphpalace.domain.field import Field
from graphpalace.domain.identity import MOST_URI_CHARS
from graphpalace.errors import InvalidInput

MOST_IDS = 10_000  # drawers that one request or one receipt names
MOST_PATTERN_CHARS = 1000
MOST_PLACES = 5  # places that are shown before anything is forgotten
CONVERSATION = "conversation:"  # scheme of the URIs of conversations

_QUOTED_WORDS = 4  # from so many words in a row on, a question quotes a text


@dataclass(frozen=True, slots=True)
class ForgetChoice:
    """Which drawers are to be forgotten: those that meet everything that is given."""

    drawers: Annotated[
        Sequence[str] | None,
        Field(min_length=1, max_length=MOST_IDS, description=f"ids of the drawers, at most {MOST_IDS:,}"),
    ] = None
    source: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MOST_URI_CHARS,
            description="URI of their source; that of a file also means its parts, which have `#` in their URIs",
        ),
    ] = None
    wing: Annotated[str | None, Field(description="name of their wing")] = None
    room: Annotated[str | None, Field(description="name of their room, which needs a wing")] = None
    conversation: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MOST_URI_CHARS,
            description="their conversation, as HOST/ID",
            examples=["claude-code/0f3c"],
        ),
    ] = None
    name: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MOST_PATTERN_CHARS,
            description="a name that they mention; its aliases and other ways of writing it count too",
        ),
    ] = None
    pattern: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=MOST_PATTERN_CHARS,
            description="text that they have, whether in capitals or small letters",
        ),
    ] = None
    regex: Annotated[bool, Field(description="whether the pattern is a regular expression of RE2; none takes long")] = (
        False
    )

    @property
    def place_only(self) -> bool:
        """Whether a wing or a room is to be forgotten with everything in it."""
        return self.drawers is None and self.uri is None and not self.matches

    @property
    def matches(self) -> bool:
        """Whether texts are chosen by what they say."""
        return self.name is not None or self.pattern is not None

    @property
    def uri(self) -> str | None:
        """The URI of the source or the conversation."""
        return self.source if self.conversation is None else f"{CONVERSATION}{self.conversation}"

    @property
    def kinds(self) -> list[str]:
        """What is given, without its values."""
        given = ("drawers", "source", "conversation", "wing", "room", "name", "pattern")
        return [kind for kind in given if getattr(self, kind) is not None]

    def check(self) -> None:
        """Check the choice.

        Raises:
            InvalidInput: If nothing is given, a room without its wing, or two things of which only one can be meant.
        """
        if self.place_only and self.wing is None:
            raise InvalidInput(
                "nothing is chosen: give drawers, source, conversation, name, pattern, or wing", field="drawers"
            )
        if self.room is not None and self.wing is None:
            raise InvalidInput(f"room is {self.room!r}; name its wing too", field="wing")
        if self.source is not None and self.conversation is not None:
            raise InvalidInput(
                f"conversation is {self.conversation!r}, and a source is given too; give one of them",
                field="conversation",
            )
        if self.conversation is not None and not all(self.conversation.partition("/")):
            raise InvalidInput(
                f"conversation is {self.conversation!r}; write HOST/ID, such as claude-code/0f3c", field="conversation"
            )
        for kind in ("name", "pattern"):
            if (value := getattr(self, kind)) is not None and not value.strip():
                raise InvalidInput(f"{kind} is blank; give at least one letter", field=kind)
        if self.name is not None and self.pattern is not None:
            raise InvalidInput("name and pattern are given; give one of them", field="pattern")
        if self.regex and self.pattern is None:
            raise InvalidInput("regex is true, but there is no pattern", field="pattern")


@dataclass(frozen=True, slots=True)
class ForgetRequest(ForgetChoice):
    """Drawers to delete: those that meet everything that is given. At least one of them is needed."""

    dry_run: Annotated[bool, Field(description="only answer what would be deleted")] = False
    by: Annotated[str | None, Field(min_length=1, max_length=200, description="who asks, for the receipt")] = None


@dataclass(frozen=True, slots=True)
class ReceiptQuery:
    """Which receipts of what was forgotten to list."""

    after: Annotated[
        str, Field(description="id of the last receipt that is known already; empty: begin with the newest")
    ] = ""
    limit: Annotated[int, Field(ge=1, le=1000, description="largest number of receipts")] = 50


@dataclass(frozen=True, slots=True)
class ForgottenTraces:
    """What else is forgotten with drawers: what came from them, or has their texts."""

    history: Annotated[int, Field(description="earlier texts of the drawers")] = 0
    lessons: Annotated[int, Field(description="feedback that judged nothing else, or whose question quotes them")] = 0
    judgements: Annotated[int, Field(description="feedback on other drawers, too, which loses these")] = 0
    searches: Annotated[int, Field(description="kept searches that found nothing else, or quote them")] = 0
    runs: Annotated[int, Field(description="runs that ranked nothing else, or whose question quotes them")] = 0
    entries: Annotated[int, Field(description="other kept searches and runs, which lose these drawers")] = 0
    simulations: Annotated[
        int, Field(description="simulations over documents that include them, which lose them and end, and jobs")
    ] = 0
    diary: Annotated[int, Field(description="entries of diaries")] = 0
    names: Annotated[int, Field(description="names that are forgotten with all that is known of them")] = 0

    def __add__(self, other: ForgottenTraces) -> ForgottenTraces:
        return ForgottenTraces(*(getattr(self, one) + getattr(other, one) for one in self.__slots__))


@dataclass(frozen=True, slots=True)
class ForgetReceipt:
    """What was forgotten or, after a dry run, what would be. It holds no text, but for the places in a dry run."""

    dry_run: bool
    deleted: Annotated[int, Field(description="number of drawers; 0 after a dry run")]
    drawers: Annotated[Sequence[str], Field(description="ids of the drawers, sorted")]
    closets: Annotated[Sequence[str], Field(description="ids of the closets that become empty, sorted")]
    facts: Annotated[int, Field(description="number of known facts that were read only from these drawers, and go too")]
    missing: Annotated[Sequence[str], Field(description="given ids that no chosen drawer has, sorted")]
    traces: Annotated[ForgottenTraces, Field(description="what else goes")] = field(default_factory=ForgottenTraces)
    places: Annotated[
        Sequence[str],
        Field(description="after a dry run: the first places of the drawers", examples=[["home > keys > Notes"]]),
    ] = ()
    id: Annotated[
        str | None, Field(description="of the receipt that is kept; null after a dry run, and if nothing was found")
    ] = None


@dataclass(frozen=True, slots=True)
class KeptReceipt:
    """A receipt that the palace keeps: when what kind of choice was forgotten, and how much. It holds no text."""

    id: str
    at: Annotated[str, Field(description="when it was forgotten")]
    by: Annotated[str | None, Field(description="who forgot it, if that is known")]
    kinds: Annotated[Sequence[str], Field(description="what was chosen by", examples=[["wing", "pattern"]])]
    deleted: Annotated[int, Field(description="number of drawers")]
    drawers: Annotated[Sequence[str], Field(description=f"ids of the first {MOST_IDS:,} drawers, sorted")]
    closets: Annotated[Sequence[str], Field(description=f"ids of the first {MOST_IDS:,} closets, sorted")]
    facts: int
    traces: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ListedReceipts:
    """A page of the receipts of a palace, newest first. Send `next` as `after` to get the next page."""

    receipts: Sequence[KeptReceipt]
    next: str | None = None


def plain(text: str) -> str:
    """Return a text in small letters, with one blank between words."""
    return " ".join(text.casefold().split())


def quotes(question: str, texts: Sequence[str]) -> bool:
    """Return whether a question quotes one of some texts: it has the whole text, or at least four words in a row.

    Args:
        texts: As `plain` returns them.
    """
    words = plain(question).split()
    if not words:
        return False
    whole = " ".join(words)
    if any(text and text in whole for text in texts):
        return True
    runs = (" ".join(words[at : at + _QUOTED_WORDS]) for at in range(len(words) - _QUOTED_WORDS + 1))
    return any(run in text for run in runs for text in texts)

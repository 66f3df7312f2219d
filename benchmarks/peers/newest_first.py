"""Notes of which some correct an older one, made by code: does a search put the newer one first?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from statistics import fmean
from typing import Literal

Kind = Literal["says so", "plain"]
_SUBJECTS = ("Heron", "Juniper", "Copper Lane", "Tidewater", "Marigold", "Northgate", "Lantern", "Quarry Hill")
_UNCHANGED = ("Falcon", "Bramble", "Harbour Row", "Windmill")  # nobody corrects what is noted of these
_PEOPLE = ("Ines", "Tomas", "Wanda", "Pavel", "Ruth", "Emil", "Nora", "Janek", "Olga", "Piet", "Sara", "Mads")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_PLACES = ("Dublin", "Bonn", "Cork", "Oslo", "Milan", "Warsaw", "Lisbon", "Ghent", "Turku", "Basel", "Brno", "Riga")
_BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Note:
    """A note, and when it was said."""

    id: str
    text: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True)
class Correction:
    """A question, the older note that answered it, and the newer one that answers it now.

    Attributes:
        kind: Whether the newer note says that something has changed, or only how it is.
    """

    question: str
    older: str
    newer: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class _Matter:
    """Something that notes tell of every subject: s is the subject, a the value at first, b the later one."""

    question: str
    older: str
    says_so: str
    plain: str
    values: Sequence[object]


_MATTERS = (
    _Matter(
        "Which port does the staging database of {s} use?",
        "The staging database of {s} listens on port {a}.",
        "The staging database of {s} was moved and listens on port {b} now.",
        "Port {b} is where the staging database of {s} listens.",
        range(5401, 5413),
    ),
    _Matter(
        "What is the door code of the {s} office?",
        "The door code of the {s} office is {a}.",
        "They have changed the code of the door at the {s} office: it is {b}.",
        "To get into the {s} office, type {b} at the door.",
        range(2817, 2829),
    ),
    _Matter(
        "On which day does the team of {s} meet?",
        "The weekly meeting of the {s} team is on {a}.",
        "From next month on, the {s} team meets on {b} instead.",
        "The {s} team has its meeting every {b} at ten.",
        _DAYS,
    ),
    _Matter(
        "Who is responsible for the backups of {s}?",
        "{a} is responsible for the backups of {s}.",
        "{b} has taken over the backups of {s} from {a}.",
        "Ask {b} about backups of {s}, who is in charge of them.",
        _PEOPLE,
    ),
    _Matter(
        "When is the report for {s} due?",
        "The report for {s} is due on {a} March.",
        "The deadline of the report for {s} was put off to {b} March.",
        "Please hand in the {s} report by {b} March.",
        range(11, 23),
    ),
    _Matter(
        "Where is the archive of {s} hosted?",
        "The archive of {s} is hosted in {a}.",
        "We have moved the archive of {s} from {a} to {b}.",
        "The servers with the archive of {s} are in {b}.",
        _PLACES,
    ),
    _Matter(
        "What does a seat of {s} cost?",
        "A seat of {s} costs {a} euros a month.",
        "{s} no longer charges what it did: a seat costs {b} euros a month now.",
        "{s}: {b} euros for each seat and month.",
        range(19, 31),
    ),
    _Matter(
        "How large may an upload to {s} be?",
        "An upload to {s} may have up to {a} MB.",
        "The limit for uploads to {s} has been raised to {b} MB.",
        "{s} takes uploads of {b} MB at most.",
        range(40, 160, 10),
    ),
)


def notes() -> tuple[list[Note], list[Note], list[Correction]]:
    """Return the notes of the first weeks, the later ones that correct some of them, and the questions.

    Notes on the same matter of another subject look alike, so that a question has something to be wrong about. Every
    second correction says that something has changed; the others only say how it is.
    """
    first: list[Note] = []
    later: list[Note] = []
    corrections: list[Correction] = []
    for at, (matter, (number, subject)) in enumerate(product(_MATTERS, enumerate((*_SUBJECTS, *_UNCHANGED)))):
        values = matter.values
        said = {"s": subject, "a": values[number % len(values)], "b": values[(number + 1) % len(values)]}
        older = Note(f"n{at:03}", matter.older.format(**said), _BEGIN + timedelta(hours=3 * at))
        first.append(older)
        if subject in _SUBJECTS:
            kind: Kind = "says so" if at % 2 else "plain"
            text = (matter.says_so if kind == "says so" else matter.plain).format(**said)
            newer = Note(f"m{at:03}", text, _BEGIN + timedelta(days=30, hours=3 * at))
            later.append(newer)
            corrections.append(Correction(matter.question.format(s=subject), older.id, newer.id, kind))
    return first, later, corrections


def newest_first(corrections: Sequence[Correction], ranked: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return the share of the questions whose newer note was found before the older one, of all and of each kind.

    `first of all` is the share of which the newer note is the first hit, and `astray` that of which it is neither of
    the two.

    Args:
        ranked: The notes found, best first, by the question.
    """

    def share(of: Sequence[Correction]) -> float:
        return fmean(_before(ranked[each.question], each) for each in of)

    kinds: tuple[Kind, ...] = ("says so", "plain")
    first = fmean(ranked[each.question][:1] == [each.newer] for each in corrections)
    astray = fmean(not {*ranked[each.question][:1]} & {each.newer, each.older} for each in corrections)
    found = {"all": share(corrections), "first of all": first, "astray": astray}
    return found | {kind: share([each for each in corrections if each.kind == kind]) for kind in kinds}


def _before(found: Sequence[str], correction: Correction) -> bool:
    order = [one for one in found if one in (correction.older, correction.newer)]
    return order[:1] == [correction.newer]

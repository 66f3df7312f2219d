"""Feedback: what it judges, what it is kept as, and what is remembered by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphpalace.domain.graph.trail import NodeRef
from graphpalace.domain.identity import stable_id
from graphpalace.domain.learning.lesson import Lesson
from graphpalace.domain.vectors import Vector

DEFAULT_NAMESPACE = "default"


def document_id(palace: str, namespace: str, name: str) -> str:
    """Return the id of the node of a document of a caller's own; in another namespace or palace it is another."""
    return stable_id("document", palace, namespace, name)


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """What a feedback says of one document of a caller's own.

    Attributes:
        id: Of its node.
        name: What the caller calls it, within the namespace.
        reward: Above 0 to 1, of a useless one too.
    """

    id: str
    namespace: str
    name: str
    useful: bool
    reward: float

    @property
    def node(self) -> NodeRef:
        """What pheromones are laid on."""
        return NodeRef("CallerDocument", self.id)


@dataclass(frozen=True, slots=True)
class NarrativeMemory:
    """What a drawer, or a document of a caller's own, remembers of the questions that it answered.

    Attributes:
        vector: Length one.
        strength: 0 to 1, as it was at the cycle.
    """

    vector: Vector
    strength: float
    cycle: int


class AnsweredQuestion(NamedTuple):
    """A question that something was useful for, with its reward, above 0 to 1, and the cycle of the feedback."""

    question: Vector
    reward: float
    cycle: int


@dataclass(frozen=True, slots=True)
class JudgedDrawer:
    """A drawer that a feedback judges: the ids of where it stands, and what it remembers so far."""

    id: str
    wing: str
    room: str
    closet: str
    memory: NarrativeMemory | None


@dataclass(frozen=True, slots=True)
class FeedbackStart:
    """What a feedback needs to know of its palace before it is kept.

    Attributes:
        cycle: What the clock shows.
        learned: Feedback so far; it counts up.
        same: The id of the feedback that this one is the same as; None: it is new.
        drawers: By id, those of the judged ones that are in the palace.
    """

    cycle: int
    learned: int
    same: str | None
    drawers: Mapping[str, JudgedDrawer]


class LaneOfWing(NamedTuple):
    """A lane that answered a wing: the ids of both, and the name of the lane."""

    wing: str
    lane_id: str
    lane: str


@dataclass(frozen=True, slots=True)
class GivenFeedback:
    """A feedback as it is kept.

    Attributes:
        source: given, or opened: a drawer was opened out of an answer.
        deposit: What it lays is laid under this id.
        memories: What the useful drawers remember from now on.
        lanes: What is to be joined, so that success can lie on it.
    """

    lesson: Lesson
    source: str
    deposit: str
    memories: Mapping[str, NarrativeMemory]
    lanes: Sequence[LaneOfWing]


@dataclass(frozen=True, slots=True)
class JudgedIds:
    """What feedback judged that is forgotten: ids of drawers, and of documents of callers' own."""

    drawers: Sequence[str]
    documents: Sequence[str]

"""Feedback, the searches that it judges, and what is kept and remembered of it, of one drawer or in columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from jaxtyping import Float32, Float64, Int64

from graphpalace.domain.identity import stable_id
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.domain.walking.graph_snapshot import NodeRef, Trail

LEARNED_LANES = ("semantic", "fulltext")  # between which learning shifts the balance

_Evidence = Float32[np.ndarray, " candidates"]


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


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the lanes found for a question, best first, before anything was learned.

    Attributes:
        ids: Of drawers.
        evidence: Of the full-text lane for each, 0 to 1; that of the semantic lane is taken from the vectors.
        shown: How many of them the answer showed.
        log_odds: For each hit that was shown, the log-odds that it fits, before calibration; empty if they are not
            known, as in lessons of earlier versions.
        answer_log_odds: The same for the answer as a whole; None if it is not known.
        others: Evidence of every other lane that answered, by the lane's name; empty in lessons of earlier versions.
    """

    ids: tuple[str, ...] = ()
    evidence: _Evidence = field(default_factory=lambda: np.empty(0, np.float32))
    shown: int = 0
    log_odds: Float32[np.ndarray, " shown"] = field(default_factory=lambda: np.empty(0, np.float32))
    answer_log_odds: float | None = None
    others: Mapping[str, _Evidence] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One feedback.

    Attributes:
        id: Of the feedback.
        asking: Lessons of one asking have the same; a question that is asked again is another asking.
        query: The words of the question; may be empty.
        question: Its embedding, length one.
        useful: Reward by drawer, above 0 to 1.
        useless: The same of what did not help.
        strength: What is left of it, 0 to 1; feedback fades like success.
    """

    id: str
    asking: str
    query: str
    question: Vector
    useful: Mapping[str, float]
    useless: Mapping[str, float]
    candidates: Candidates
    wings: tuple[str, ...] = ()
    cycle: int = 0
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class LearningState:
    """Where a palace's learning stands.

    Attributes:
        born: When the palace was made; another one of the same name has another.
        learned: Feedback so far, taken back or not; it counts up.
        forgot: How many times some was taken back or forgotten.
        cycle: What the palace's clock shows.
    """

    born: str
    learned: int
    forgot: int
    cycle: int


@dataclass(frozen=True, slots=True)
class LoggedSearch:
    """One search.

    Attributes:
        id: `search-{12 hex}`, or `rerank-{12 hex}`.
        candidates: What the lanes found, before anything learned was applied.
        shares: Of the lanes in each drawer that was shown, 0 to 1.
        trails: The ways walked to drawers, where the path lane walked some.
        names: What else feedback may call what was shown, with the drawer that stands for it; None: a document of the
            caller's own.
        namespace: Of the caller's own documents.
    """

    id: str
    palace: str
    query: str
    question: Vector | None
    candidates: Candidates
    shares: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    trails: Mapping[str, Trail] = field(default_factory=dict)
    names: Mapping[str, str | None] = field(default_factory=dict)
    namespace: str = ""


Column = Float64[np.ndarray, " drawers"]


@dataclass(frozen=True, slots=True, eq=False)
class MemoryColumns:
    """The memories of those drawers that have one.

    Attributes:
        rows: Indices of these drawers.
        vectors: Direction of each memory, of length one.
        strengths: Strength of each memory at the cycle in `cycles`, 0 to 1.
    """

    rows: Int64[np.ndarray, " memories"]
    vectors: Matrix
    strengths: Float64[np.ndarray, " memories"]
    cycles: Int64[np.ndarray, " memories"]


@dataclass(frozen=True, slots=True, eq=False)
class LearnedDrawers:
    """The memories and pheromones of drawers.

    Attributes:
        cycle: Cycle of the palace's clock at the requested time.
        exploitation: Exploitation of each drawer at the cycle in `node_cycles`.
        success, recency: Pheromones of the edge from the closet to the drawer at the cycle in `edge_cycles`.
        uses: For each drawer with exploitation, recency and cycle of its edges.
    """

    cycle: int
    ids: Sequence[str]
    memories: MemoryColumns
    exploitation: Column
    node_cycles: Column
    success: Column
    recency: Column
    edge_cycles: Column
    uses: Sequence[Sequence[tuple[float, int]]]


@dataclass(frozen=True, slots=True, eq=False)
class LearnedDocuments:
    """The memories and pheromones of callers' own documents.

    Attributes:
        cycle: Cycle of the palace's clock at the requested time.
        exploitation: Exploitation of each document at the cycle in `node_cycles`.
        laid_cycles: Cycle of the latest feedback on each document; below 0 if it is not known.
    """

    cycle: int
    ids: Sequence[str]
    memories: MemoryColumns
    exploitation: Column
    node_cycles: Column
    laid_cycles: Column

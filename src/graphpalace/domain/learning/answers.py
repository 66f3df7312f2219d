"""What is answered about feedback, and about what was learned from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from graphpalace.domain.field import Field


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The number of deleted feedbacks."""

    forgotten: int


@dataclass(frozen=True, slots=True)
class FeedbackReceipt:
    """The result of giving feedback."""

    id: Annotated[str, Field(description="to take it back")]
    fresh: Annotated[bool, Field(description="false: the same was given before, as `id` says, and nothing changed")]
    useful: int
    useless: int


@dataclass(frozen=True, slots=True)
class RewardedDrawer:
    """A drawer and its reward."""

    drawer: str
    reward: Annotated[float, Field(description="above 0 to 1")]


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document of the caller's own that was judged."""

    namespace: str
    id: Annotated[str, Field(description="what the caller calls it")]
    useful: bool
    reward: float


@dataclass(frozen=True, slots=True)
class ListedFeedback:
    """Feedback that was given."""

    id: str
    query: str
    search: Annotated[str, Field(description="the search it is about")]
    source: Annotated[str, Field(description="given, or opened: a drawer was opened out of an answer")]
    cycle: Annotated[int, Field(description="of the palace's clock, when it was given")]
    given_at: str
    wings: Annotated[Sequence[str], Field(description="names of those that the drawers stand in")]
    useful: Sequence[RewardedDrawer]
    useless: Sequence[RewardedDrawer]
    documents: Annotated[Sequence[ListedDocument], Field(description="of callers' own")]


@dataclass(frozen=True, slots=True)
class TrialState:
    """A change that was tried on the lessons themselves.

    Attributes:
        gain: Mean change of nDCG@10 over the lessons.
        error: Standard error of that.
        kept: Whether the search uses it.
    """

    change: str
    gain: float
    error: float
    kept: bool


@dataclass(frozen=True, slots=True)
class LaneTrial(TrialState):
    """Another weight of a lane, as it was tried on the lessons.

    Attributes:
        factor: By what searches multiply the lane's weight, >= 0; 1 if the trial was not kept.
    """

    lane: str
    factor: float


@dataclass(frozen=True, slots=True)
class CalibrationState:
    """A calibration of confidence that was tried on the lessons: log-odds x become scale x + shift.

    Attributes:
        gain: Mean decrease of the log loss over the lessons.
        error: Standard error of that.
        kept: Whether the search uses it.
    """

    scale: float
    shift: float
    gain: float
    error: float
    kept: bool


@dataclass(frozen=True, slots=True)
class AnsweredBy:
    """How well a lane answers a wing.

    Attributes:
        success: As it is now, >= 0.
    """

    wing: str
    lane: str
    success: float


@dataclass(frozen=True, slots=True)
class LearnedState:
    """What a wing, or a whole palace, has learned.

    Attributes:
        wing: None: the whole palace.
        enabled: Whether searches use what is learned.
        lessons: Feedback of its own that has not faded.
        questions: Askings among them that something was useful for.
        needed: With fewer questions nothing is tried, and a wing learns from the whole palace.
        learns_from: Whose lessons are used; None if there are none at all.
        lessons_used: How many these are.
        question_cosine: Mean cosine of the lessons' questions before and after the question map; 1: it changes
            nothing. None without lessons.
        map_trial: What was tried of that; None if there are too few lessons, with which the map is used.
        text_weight: How many times as much the full-text lane counts beside the semantic one.
        lane_trial: What was tried of that; None if there are too few lessons.
        lane_weights: What was tried of the weight of every other lane that answered.
        same_weight: What a drawer gains that answered the same question.
        like_weight: What one gains that answered a question that is alike, at a cosine of 1; 0: nothing.
        like_floor: The cosine from which on that begins.
        memory_trial: What was tried of that.
        others_weight: What one loses that answered other questions, at a cosine of 1; 0: nothing.
        others_trial: What was tried of that.
        hit_confidence: What was tried of the confidence of hits; None if there are too few lessons.
        answer_confidence: The same of the confidence of answers.
        lanes: Success of the lanes at the wing, or at all wings.
    """

    palace: str
    wing: str | None
    enabled: bool
    lessons: int
    questions: int
    needed: int
    learns_from: Literal["wing", "palace"] | None
    lessons_used: int
    question_cosine: float | None
    map_trial: TrialState | None
    text_weight: float
    lane_trial: TrialState | None
    lane_weights: Sequence[LaneTrial]
    same_weight: float
    like_weight: float
    like_floor: float
    memory_trial: TrialState | None
    others_weight: float
    others_trial: TrialState | None
    hit_confidence: CalibrationState | None
    answer_confidence: CalibrationState | None
    lanes: Sequence[AnsweredBy]

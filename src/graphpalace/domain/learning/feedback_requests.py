"""What is asked about feedback and about what was learned from it, and what is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from graphpalace.domain.field import NAMED, Field
from graphpalace.errors import InvalidInput

if TYPE_CHECKING:
    from graphpalace.domain.search.request import SearchRequest


MOST_JUDGED = 200  # in one feedback
MOST_LISTED = 200
SUCCESS_GATE = 0.5  # selected results count as useful from this success on (seed 001)

OfWing = Annotated[str | None, Field(description="default: the whole palace"), NAMED]
_Id = Annotated[str, Field(max_length=1000)]


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged drawer with its reward."""

    id: _Id
    reward: Annotated[
        float,
        Field(description="above 0, at most 1", json_schema_extra={"exclusiveMinimum": 0, "maximum": 1}),
    ] = 1.0


@dataclass(frozen=True, slots=True)
class FeedbackRequest:
    """Feedback on an answer, which is given by its run or by its question."""

    run: Annotated[
        str | None, Field(max_length=1000, description="as /v1/search, /v1/rerank, a lane or a fusion gave it")
    ] = None
    query: Annotated[str, Field(max_length=20_000, description="in place of run: it is searched again")] = ""
    query_embedding: Annotated[Sequence[float] | None, Field(description="as in /v1/search")] = None
    wing: Annotated[str | None, Field(description="that the question was asked in")] = None
    room: str | None = None
    filters: Annotated[
        Sequence[Mapping[str, Any]] | Mapping[str, Any] | None, Field(description="as in /v1/search")
    ] = None
    namespace: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=1000,
            description="only with query: the judged documents are your own, with the ids of this namespace in"
            " /v1/rerank",
        ),
    ] = None
    useful: Annotated[
        Sequence[str | Judged],
        Field(
            max_length=MOST_JUDGED,
            description="ids of drawers, or {id, reward}; for a run on lanes also publication numbers, for a rerank ids"
            " of its documents",
        ),
    ] = ()
    useless: Annotated[
        Sequence[str | Judged], Field(max_length=MOST_JUDGED, description="as useful, for what did not help")
    ] = ()
    selected_ids: Annotated[
        Sequence[_Id],
        Field(max_length=MOST_JUDGED, description="results that were used, all with the same success"),
    ] = ()
    success: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description="of selected_ids; default: 1; from .5 on they were useful, by as much; below useless, by"
            " 1 - success",
        ),
    ] = None
    id: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=1000,
            description="a key of your choice: feedback of the same key counts once. Without one, the same"
            " feedback on a run counts once; the same on a query (with its place and filters) counts once within an"
            " hour, as a retry, and is new evidence later",
        ),
    ] = None

    def question(self) -> SearchRequest | None:
        """Return the question, or None if there is none. Feedback is on a run or on a question, never on both.

        Raises:
            InvalidInput: If the filters are not valid.
        """
        from graphpalace.domain.search.conditions import conditions_of
        from graphpalace.domain.search.request import SearchRequest

        question = SearchRequest(
            query=self.query,
            query_embedding=self.query_embedding,
            wing=self.wing,
            room=self.room,
            conditions=conditions_of(self.filters),
        )
        return None if question == SearchRequest() else question

    def rewards(self) -> tuple[dict[str, float], dict[str, float]]:
        """Return the rewards of what was useful, and of what was useless.

        Raises:
            InvalidInput: If something is judged twice, or there is a success of nothing.
        """
        if self.success is not None and not self.selected_ids:
            raise InvalidInput("success needs selected_ids, which is empty", field="selected_ids", value=[])
        success = 1.0 if self.success is None else self.success
        helped = success >= SUCCESS_GATE
        selected = [Judged(one, success if helped else 1 - success) for one in self.selected_ids]
        return (
            _rewards([*self.useful, *(selected if helped else ())], "useful"),
            _rewards([*self.useless, *(() if helped else selected)], "useless"),
        )


@dataclass(frozen=True, slots=True)
class FeedbackQuery:
    """Which feedback to list."""

    wing: OfWing = None
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED, description="largest number of feedbacks")] = 50


@dataclass(frozen=True, slots=True)
class ShownQuery:
    """The run whose results are wanted."""

    run: Annotated[str, Field(description="id of the run")]


@dataclass(frozen=True, slots=True)
class FeedbackToTakeBack:
    """The feedback to be undone."""

    feedback: Annotated[str, Field(description="its id")]


@dataclass(frozen=True, slots=True)
class LearnedQuery:
    """The wing, or the whole palace, that learned."""

    wing: OfWing = None


def _rewards(given: Sequence[str | Judged], field: str) -> dict[str, float]:
    rewards: dict[str, float] = {}
    for one in given:
        drawer, reward = (one, 1.0) if isinstance(one, str) else (one.id, one.reward)
        if drawer in rewards:
            raise InvalidInput(f"{field} has {drawer} twice; give it once", field=field, value=drawer)
        rewards[drawer] = reward
    return rewards


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

"""The section `[learning]`."""

from __future__ import annotations

from pydantic import Field

from graphpalace.settings.sections.section import Section


class LearningSettings(Section):
    """Learning from feedback (see docs/explanation/learning.md for the formulas)."""

    enabled: bool = Field(
        default=True, description="Whether searches use what was learned. Feedback is stored in any case."
    )
    bound: float = Field(default=0.5, gt=0, le=10, description="The largest change of a score by learning.")
    map_prior: float = Field(
        default=2.5,
        ge=0.01,
        le=1e6,
        description="How strongly learning prefers to leave a question as it is: as much as this number of lessons.",
    )
    map_caution: float = Field(
        default=0.5,
        ge=0,
        le=10,
        description="Moved questions are used only if their mean gain in replay is at least this number of standard "
        "errors. With 0, they are used unless replay sees a loss.",
    )
    same_weight: float = Field(
        default=0.2, ge=0, le=1, description="The gain of a drawer that has answered the same question before."
    )
    least_lessons: int = Field(
        default=10, ge=2, le=10000, description="A wing with fewer lessons than this learns from the whole palace."
    )
    most_lessons: int = Field(
        default=10000,
        ge=1,
        le=1000000,
        description="The largest number of lessons that a palace learns from. The newest are used.",
    )
    lane_caution: float = Field(
        default=3.0,
        ge=0,
        le=10,
        description="Another weight of a lane is used only if its mean gain in replay is at least this number of "
        "standard errors.",
    )
    memory_caution: float = Field(
        default=0.5,
        ge=0,
        le=10,
        description="A gain for answers to similar questions is used only if its mean gain in replay is at least this "
        "number of standard errors.",
    )
    others_caution: float = Field(
        default=3.0,
        ge=0,
        le=10,
        description="A loss for drawers that have answered other questions is used only if its mean gain in replay is "
        "at least this number of standard errors.",
    )
    confidence_caution: float = Field(
        default=2.0,
        ge=0,
        le=10,
        description="A calibration of the confidence is used only if it lowers the log loss of earlier answers by at "
        "least this number of standard errors.",
    )
    same_meaning: float = Field(
        default=0.5,
        ge=-1,
        le=1,
        description="A drawer whose text is changed keeps what was learned of the old text if the cosine of the two is "
        "at least this.",
    )
    opened_reward: float = Field(
        default=0.2,
        ge=0,
        le=1,
        description="The reward of a drawer that is opened from an answer. With 0, opening a drawer has no effect.",
    )

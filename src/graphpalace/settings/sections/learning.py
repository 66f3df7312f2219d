"""The section `[learning]`."""

from __future__ import annotations

from pydantic import Field

from graphpalace.settings.sections.section import Section


class LearningSettings(Section):
    """What feedback teaches (docs/explanation/learning.md has the formulas)."""

    enabled: bool = Field(default=True, description="Answers use what was learned. Feedback is kept in any case.")
    bound: float = Field(default=0.5, gt=0, le=10, description="Learning moves no score by more than this.")
    map_prior: float = Field(
        default=2.5,
        ge=0.01,
        le=1e6,
        description="The assumption that a question is best left as it is counts as much as this number of lessons.",
    )
    same_weight: float = Field(
        default=0.2, ge=0, le=1, description="What a drawer gains that has answered the same question before."
    )
    least_lessons: int = Field(
        default=10, ge=2, le=10000, description="A wing with fewer lessons learns from the whole palace."
    )
    most_lessons: int = Field(
        default=10000,
        ge=1,
        le=1000000,
        description="A palace learns from at most this number of lessons. Older ones teach nothing any more.",
    )
    lane_caution: float = Field(
        default=3.0,
        ge=0,
        le=10,
        description="A shift between the lanes must gain this number of standard errors by replay.",
    )
    memory_caution: float = Field(
        default=0.5,
        ge=0,
        le=10,
        description="A weight for answers to like questions must gain this number of standard errors by replay.",
    )
    others_caution: float = Field(
        default=3.0,
        ge=0,
        le=10,
        description="A loss for drawers that have answered other questions must gain this number of standard errors by "
        "replay.",
    )
    opened_reward: float = Field(
        default=0.2,
        ge=0,
        le=1,
        description="The reward of a drawer that is opened out of an answer. With 0 an opened drawer teaches nothing.",
    )

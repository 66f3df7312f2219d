"""The section `[search]`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from graphpalace.domain.search.request import FusionName, LaneName
from graphpalace.settings.sections.section import Section


class PlanSettings(Section):
    """Lanes and how they become one answer."""

    lanes: tuple[LaneName, ...] = Field(
        default=("fulltext", "semantic"),
        min_length=1,
        description="The lanes that a search asks. The lane code joins them where codes are wanted.",
    )
    weights: dict[LaneName, Annotated[float, Field(ge=0, le=1000)]] = Field(
        default={"code": 0.5, "mcmp": 0.1, "path": 0.1},
        description="The weight of each lane in the fusion. A lane that is not named has the weight 1.",
    )
    fusion: FusionName = Field(
        default="evidence",
        description="evidence fuses by how sure each lane is; rrf is reciprocal rank fusion.",
    )


class SearchSettings(PlanSettings):
    """How answers are found."""

    lane_depth: int = Field(
        default=100, ge=1, le=10000, description="Each lane gives at most this number of results to the fusion."
    )
    lane_timeout_s: float = Field(
        default=10.0, gt=0, le=600, description="A lane that takes more seconds than this is left out of the answer."
    )
    phrase_weight: float = Field(
        default=0.4,
        ge=0,
        le=10,
        description="What two words count that stand side by side as in the question, beside 1 for a word. 0 ignores "
        "them.",
    )
    rrf_k: int = Field(default=60, ge=1, le=1000, description="The constant of reciprocal rank fusion.")
    temperature: float = Field(
        default=0.5,
        ge=0.01,
        le=100,
        description="The temperature of the fusion by evidence. A low one lets the surest lane decide, a high one "
        "takes the mean.",
    )
    feedback_drawers: int = Field(
        default=2,
        ge=0,
        le=50,
        description="The question is moved towards this number of best drawers. 0 leaves it where it is.",
    )
    feedback_weight: float = Field(default=0.3, ge=0, le=10, description="How far the question is moved.")
    importance_weight: float = Field(
        default=0.1,
        ge=0,
        le=0.5,
        description="The importance of a drawer adds at most this to its score, or takes at most this away. 0 ignores "
        "it.",
    )
    presets: dict[str, PlanSettings] = Field(
        default={
            "rrf": PlanSettings(fusion="rrf"),
            "walk": PlanSettings(lanes=("fulltext", "semantic", "path")),
            "swarm": PlanSettings(lanes=("fulltext", "semantic", "mcmp")),
        },
        description="Other plans by name (`--preset NAME`), each with its lanes, weights and fusion.",
    )
    mcmp_agents: int = Field(default=50, ge=1, le=1000, description="The number of agents in the lane mcmp.")
    mcmp_steps: int = Field(default=15, ge=1, le=200, description="The number of steps that these agents take.")
    analyzer: str = Field(default="english", description="The Lucene analyzer of palaces that are made from now on.")

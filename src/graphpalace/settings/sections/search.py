"""The sections on searches: `[search]` and `[runs]`. Source of the second: seed 004."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from graphpalace.domain.search.answer import SearchPlan
from graphpalace.domain.search.fusion_plan import Constants
from graphpalace.domain.search.request import FusionName, LaneName
from graphpalace.settings.sections.section import SettingsSection


class PlanSettings(SettingsSection):
    """Which lanes a search asks, and how their results are fused."""

    lanes: tuple[LaneName, ...] = Field(
        default=("fulltext", "semantic", "entity"),
        min_length=1,
        description="The lanes that a search asks. The lane code is added if the request has wanted codes.",
    )
    weights: dict[LaneName, Annotated[float, Field(ge=0, le=1000)]] = Field(
        default={"code": 0.5, "entity": 0.25, "expanded": 0.02, "mcmp": 0.02, "path": 0.01},
        description="The weight of each lane in the fusion. A lane that is not listed has the weight 1.",
    )
    fusion: FusionName = Field(
        default="evidence",
        description="How the lanes are combined: evidence, by how well a drawer fits in each lane; or rrf, by its rank "
        "in each lane (reciprocal rank fusion).",
    )

    @property
    def plan(self) -> SearchPlan:
        """The same values as a plan."""
        return SearchPlan(self.lanes, {**self.weights}, self.fusion)


class SearchSettings(PlanSettings):
    """How searches find their answers."""

    lane_depth: int = Field(default=100, ge=1, le=10000, description="The largest number of results of each lane.")
    lane_timeout_s: float = Field(
        default=10.0, gt=0, le=600, description="A lane that takes longer than this, in seconds, is left out."
    )
    exact_weight: float = Field(
        default=0.8,
        ge=0,
        le=10,
        description="The weight of a word that a drawer has exactly as it is written in the question. Its stem has the "
        "weight 1. With 0, only stems count.",
    )
    phrase_weight: float = Field(
        default=0.4,
        ge=0,
        le=10,
        description="The weight of two neighbouring words of the question that are also neighbours in a drawer. A "
        "single word has the weight 1. With 0, only single words count.",
    )
    rrf_k: int = Field(default=60, ge=1, le=1000, description="The constant of reciprocal rank fusion.")
    temperature: float = Field(
        default=0.5,
        ge=0.01,
        le=100,
        description="The temperature of the fusion by evidence. With a low temperature, the most certain lane decides; "
        "with a high one, the mean of all lanes.",
    )
    feedback_drawers: int = Field(
        default=2,
        ge=0,
        le=50,
        description="The number of best drawers towards which the question is moved. With 0, it is not moved.",
    )
    feedback_weight: float = Field(default=0.3, ge=0, le=10, description="How far the question is moved.")
    expansion_drawers: int = Field(
        default=10, ge=1, le=100, description="The number of best drawers whose words the lane expanded adds."
    )
    expansion_words: int = Field(default=10, ge=1, le=100, description="The number of words that it adds.")
    expansion_weight: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="The share of the added words in its question. With 0, it asks only for the question's own words.",
    )
    trail_weight: float = Field(
        default=0.5,
        ge=0,
        le=10,
        description="How much more a mention of a name counts in the lane entity if it led to useful drawers before, "
        "as a share. With 0, pheromones do not change this lane.",
    )
    importance_weight: float = Field(
        default=0.1,
        ge=0,
        le=0.5,
        description="The largest change of a score by the importance of a drawer. With 0, importance is ignored.",
    )
    pointer_penalty: float = Field(
        default=0.1,
        ge=0,
        le=0.5,
        description="How much lower a drawer is ranked that consists of links only, such as a table of contents. With "
        "0, links are ignored.",
    )
    times: bool = Field(
        default=True,
        description="Whether what was said in a time that the question names, such as last week, is ranked higher.",
    )
    time_weight: float = Field(
        default=0.2, ge=0, le=0.5, description="The amount that is added to the score then. With 0, times are ignored."
    )
    fold_duplicates: bool = Field(
        default=True,
        description="Whether an answer shows equal and nearly equal texts as one hit, which names the others.",
    )
    outdated_penalty: float = Field(
        default=0.1,
        ge=0,
        le=0.5,
        description="The largest amount by which the score of a drawer is lowered if all of its facts have ended. A "
        "drawer that was replaced by another one also ranks below that one. With 0, both are only marked.",
    )
    news_weight: float = Field(
        default=1.0,
        ge=0,
        le=1,
        description="How much a newer drawer takes over of the score of an older one that it probably outdates, and "
        "how far the older one falls. With 0, such drawers are ignored.",
    )
    least_confidence: float = Field(
        default=0.3,
        ge=0,
        le=1,
        description="An answer with less confidence than this says that nothing fits well. Its hits are shown all the "
        "same. With 0, no answer says so.",
    )
    presets: dict[str, PlanSettings] = Field(
        default={
            "rrf": PlanSettings(lanes=("fulltext", "semantic"), fusion="rrf"),
            "walk": PlanSettings(lanes=("fulltext", "semantic", "entity", "path")),
            "swarm": PlanSettings(lanes=("fulltext", "semantic", "entity", "mcmp")),
            "pipeline": PlanSettings(lanes=("fulltext", "semantic", "path", "mcmp"), weights={}, fusion="rrf"),
        },
        description="Other combinations of lanes, weights and fusion, by name (`--preset NAME`).",
    )
    mcmp_agents: int = Field(default=50, ge=1, le=1000, description="The number of agents of the lane mcmp.")
    mcmp_steps: int = Field(default=15, ge=1, le=200, description="The number of steps of these agents.")
    analyzer: str = Field(
        default="english", description="The Lucene analyzer of new palaces. Existing palaces keep theirs."
    )

    @property
    def plans(self) -> dict[str, SearchPlan]:
        """The presets as plans, by name."""
        return {name: preset.plan for name, preset in self.presets.items()}


_CONSTANTS = Constants()

_Chars = Annotated[int, Field(ge=4, le=100000)]


class RunSettings(SettingsSection):
    """Rankings of lanes and fusions that are stored as runs (see docs/explanation/runs.md for the formulas)."""

    ttl_h: float = Field(default=24.0, gt=0, le=8760, description="The time in hours for which a run is stored.")
    memory_runs: int = Field(
        default=32, ge=1, le=10000, description="The number of recently used runs that stay in memory."
    )
    code_weight: float = Field(
        default=0.5, ge=0, le=1000, description="The weight of the lane code in a fusion of runs."
    )
    beta_fuse: float = Field(
        default=1.0,
        ge=0,
        le=10,
        description="The gain (B) of a lane whose documents have codes like those of the wanted profile.",
    )
    alpha: dict[Literal["fulltext", "semantic"], Annotated[float, Field(ge=0, le=1)]] = Field(
        default={"fulltext": _CONSTANTS.alpha["fulltext"], "semantic": _CONSTANTS.alpha["semantic"]},
        description="The share of its score that a document with wanted codes gains (A), by lane.",
    )
    broader_share: float = Field(
        default=_CONSTANTS.broader_share,
        ge=0,
        le=1,
        description="How much a code counts that is broader than the wanted one. The wanted one counts 1.",
    )
    relevance_slope: float = Field(
        default=_CONSTANTS.relevance_slope,
        ge=0,
        le=100,
        description="The slope a of the estimated relevance, pi' = sigmoid(a s + b + gamma z(g)).",
    )
    relevance_offset: float = Field(
        default=_CONSTANTS.relevance_offset, ge=-100, le=100, description="The offset b of pi'."
    )
    relevance_code: float = Field(
        default=_CONSTANTS.relevance_code, ge=0, le=100, description="The weight gamma of codes in pi'."
    )
    coverage_share: float = Field(
        default=_CONSTANTS.coverage_share,
        ge=0,
        le=1,
        description="The share rho of coverage in the estimated recall, R* = rho coverage + (1 - rho) CDF.",
    )
    f_beta: float = Field(
        default=_CONSTANTS.f_beta, gt=0, le=100, description="The weight of recall against precision in F*."
    )
    k_grid: tuple[Annotated[int, Field(ge=1, le=10000)], ...] = Field(
        default=(10, 20, 30, 40, 50, 80, 100, 150, 200),
        min_length=1,
        max_length=50,
        description="The depths at which the frontier is computed.",
    )
    codes_top_n: int = Field(
        default=50,
        ge=1,
        le=10000,
        description="The number of codes that a run stores for each scheme; the most frequent are stored.",
    )
    contributions_top: int = Field(
        default=200,
        ge=0,
        le=10000,
        description="The number of best documents for which a fusion stores the contributions of lanes.",
    )
    peek_max_docs: int = Field(
        default=100, ge=1, le=1000, description="The largest number of documents that one answer shows."
    )
    peek_docs: int = Field(
        default=12,
        ge=1,
        le=1000,
        description="The number of documents that a peek shows if its request gives no limit.",
    )
    peek_budget_bytes: int = Field(
        default=12288, ge=256, description="The size of a peek in bytes if its request gives no budget."
    )
    peek_most_bytes: int = Field(
        default=262144, ge=256, description="The largest budget in bytes that a request may give."
    )
    snippet_chars: dict[Literal["title", "abst", "claim", "desc", "text"], _Chars] = Field(
        default={"title": 160, "abst": 480, "claim": 320, "desc": 480, "text": 480},
        description="The largest number of characters of each field of a snippet.",
    )
    publication_chars: dict[Literal["title", "abst", "claim", "desc"], _Chars] = Field(
        default={"title": 256, "abst": 1500, "claim": 1600, "desc": 6000},
        description="The largest number of characters of each field that get_publication shows.",
    )

    @property
    def constants(self) -> Constants:
        """The constants of the formulas."""
        return Constants(
            alpha={**self.alpha},
            broader_share=self.broader_share,
            relevance_slope=self.relevance_slope,
            relevance_offset=self.relevance_offset,
            relevance_code=self.relevance_code,
            coverage_share=self.coverage_share,
            f_beta=self.f_beta,
        )

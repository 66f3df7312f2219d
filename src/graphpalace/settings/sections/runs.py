"""The section `[runs]`. Source: seed 004."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from graphpalace.domain.search.fusion_plan import Constants
from graphpalace.settings.sections.section import Section

_CONSTANTS = Constants()

_Chars = Annotated[int, Field(ge=4, le=100000)]


class RunSettings(Section):
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

"""What the settings say, as the options of each operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphpalace.domain.colony_rules import ColonyRules
from graphpalace.domain.pheromones import DecayRates, Rewards
from graphpalace.ingest.embed import Embedder, EndpointEmbedder, LocalEmbedder
from graphpalace.settings import Settings
from graphpalace.settings_sections import IngestSettings, PlanSettings

if TYPE_CHECKING:  # these import torch, which `graphpalace up` has no need to wait for
    from graphpalace.learn.learned import LearnOptions
    from graphpalace.operations.fusion_runs import FusionDefaults
    from graphpalace.operations.ingest import IngestOptions
    from graphpalace.operations.question import SearchOptions
    from graphpalace.operations.rerank_question import RerankOptions
    from graphpalace.operations.run_snippets import SnippetLimits
    from graphpalace.operations.simulation.reports import Reports
    from graphpalace.score.decay_strategy import DecayStrategy


def fusion_defaults(settings: Settings) -> FusionDefaults:
    """Return how runs are fused."""
    from graphpalace.domain.fusion_plan import Constants
    from graphpalace.operations.fusion_runs import FusionDefaults

    chosen = settings.runs
    return FusionDefaults(
        rrf_k=settings.search.rrf_k,
        beta_fuse=chosen.beta_fuse,
        code_weight=chosen.code_weight,
        k_grid=chosen.k_grid,
        codes_top_n=chosen.codes_top_n,
        contributions_top=chosen.contributions_top,
        constants=Constants(
            alpha={**chosen.alpha},
            broader_share=chosen.broader_share,
            relevance_slope=chosen.relevance_slope,
            relevance_offset=chosen.relevance_offset,
            relevance_code=chosen.relevance_code,
            coverage_share=chosen.coverage_share,
            f_beta=chosen.f_beta,
        ),
    )


def snippet_limits(settings: Settings) -> SnippetLimits:
    """Return how much of documents runs show."""
    from graphpalace.operations.run_snippets import SnippetLimits

    chosen = settings.runs
    return SnippetLimits(
        max_docs=chosen.peek_max_docs,
        default_docs=chosen.peek_docs,
        budget_bytes=chosen.peek_budget_bytes,
        most_bytes=chosen.peek_most_bytes,
        snippet_chars={**chosen.snippet_chars},
        publication_chars={**chosen.publication_chars},
    )


def ingest_options(chosen: IngestSettings) -> IngestOptions:
    """Return how documents become drawers."""
    from graphpalace.ingest.read_limits import ReadLimits
    from graphpalace.ingest.split import SplitOptions
    from graphpalace.operations.ingest import IngestOptions

    return IngestOptions(
        split=SplitOptions(
            max_chars=chosen.max_chars, overlap_chars=chosen.overlap_chars, windows=tuple(chosen.windows)
        ),
        rooms=chosen.rooms,
        exclude_dirs=chosen.exclude_dirs,
        max_files=chosen.max_files,
        follow_links=chosen.follow_links,
        chunk_workers=chosen.chunk_workers,
        read_limits=ReadLimits(processor_s=chosen.read_limit_s, memory_mb=chosen.read_limit_mb),
        similar_k=chosen.similar_k,
        similar_threshold=chosen.similar_threshold,
        tunnel_threshold=chosen.tunnel_threshold,
    )


def rerank_options(settings: Settings) -> RerankOptions:
    """Return how documents are put into another order."""
    from graphpalace.operations.rerank_question import RerankOptions
    from graphpalace.score.gate import GateRule
    from graphpalace.score.linear_fusion import Weights

    chosen = settings.rerank
    return RerankOptions(
        gate=GateRule(
            mode=chosen.gating_mode,
            threshold=chosen.gating_threshold,
            min_candidates=chosen.gating_min_candidates,
            max_candidates=chosen.gating_max_candidates,
            entropy_temp=chosen.gating_entropy_temp,
        ),
        weights=Weights(**chosen.weights.model_dump()),
        mmr_lambda=chosen.mmr_lambda,
        epsilon=chosen.epsilon,
        seed=chosen.seed,
        deterministic=chosen.deterministic,
        max_top_k=chosen.max_top_k,
        max_documents=chosen.max_documents,
        max_text_chars=chosen.max_text_chars,
        max_batch=chosen.max_batch,
    )


def decay_strategy(settings: Settings) -> DecayStrategy | None:
    """Return how pheromones fade in a rerank; None: as everywhere in the palace."""
    from graphpalace.score.decay_strategy import strategy_of

    chosen = settings.rerank
    if chosen.pheromone_decay == "palace":
        return None
    return strategy_of(chosen.pheromone_decay, seconds=chosen.pheromone_decay_s)


def search_options(settings: Settings) -> SearchOptions:
    """Return how questions are answered."""
    from graphpalace.operations.question import SearchOptions, SearchPlan

    def plan(chosen: PlanSettings) -> SearchPlan:
        return SearchPlan(chosen.lanes, {str(lane): weight for lane, weight in chosen.weights.items()}, chosen.fusion)

    chosen = settings.search
    return SearchOptions(
        plan=plan(chosen),
        presets={name: plan(preset) for name, preset in chosen.presets.items()},
        lane_depth=chosen.lane_depth,
        lane_timeout_s=chosen.lane_timeout_s,
        rrf_k=chosen.rrf_k,
        temperature=chosen.temperature,
        feedback_drawers=chosen.feedback_drawers,
        feedback_weight=chosen.feedback_weight,
        importance_weight=chosen.importance_weight,
    )


def learn_options(settings: Settings) -> LearnOptions:
    """Return how feedback is learned from."""
    from graphpalace.learn.learned import LearnOptions

    chosen = settings.learning
    return LearnOptions(
        map_prior=chosen.map_prior,
        same_weight=chosen.same_weight,
        least_lessons=chosen.least_lessons,
        lane_caution=chosen.lane_caution,
        memory_caution=chosen.memory_caution,
        others_caution=chosen.others_caution,
    )


def rates_of(settings: Settings) -> DecayRates:
    """Return how fast each pheromone fades."""
    chosen = settings.pheromones
    return DecayRates(
        exploitation=chosen.exploitation_decay,
        exploration=chosen.exploration_decay,
        success=chosen.success_decay,
        traversal=chosen.traversal_decay,
        recency=chosen.recency_decay,
    )


def rewards_of(settings: Settings) -> Rewards:
    """Return what deposits add."""
    return Rewards(**settings.pheromones.deposit.model_dump(), max_pheromone=settings.pheromones.max_pheromone)


def colony_rules(settings: Settings) -> ColonyRules:
    """Return who walks in an exploration, and how, where nothing else is said."""
    chosen = settings.exploration
    return ColonyRules(
        agents=chosen.agents or None,
        steps=chosen.steps or None,
        mix={**chosen.mix} or None,
        temperatures={**chosen.temperatures},
        schedule=chosen.schedule,
        floor=chosen.floor,
    )


def make_embedder(settings: Settings) -> Embedder:
    """Return the configured embedding model; it is loaded when first used."""
    chosen = settings.embeddings
    if chosen.base_url:
        return EndpointEmbedder(
            chosen.model,
            base_url=chosen.base_url,
            api_key=chosen.api_key.get_secret_value(),
            dimension=chosen.dimension,
            batch_size=batch_size_of(chosen.embed_batch_size),
        )
    device = device_of(chosen.device)
    return LocalEmbedder(
        chosen.model,
        dimension=chosen.dimension,
        device=device,
        batch_size=batch_size_of(chosen.embed_batch_size, device=device),
        precision=precision_of(chosen.precision, device=device),
    )


def make_reports(settings: Settings) -> Reports:
    """Return what writes the reports of simulations; close it at the end."""
    from graphpalace.operations.simulation.reports import Reports

    chosen = settings.reports
    return Reports(
        base_url=chosen.base_url,
        api_key=chosen.api_key.get_secret_value(),
        model=chosen.model,
        timeout_s=chosen.timeout_s,
        most_findings=chosen.most_findings,
        max_output_tokens=chosen.max_output_tokens,
    )


def device_of(name: str) -> str:
    """Return the torch device that `auto` means here, or the name as it is."""
    if name != "auto":
        return name
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def batch_size_of(size: int, *, device: str | None = None) -> int:
    """Return how many texts to embed in one batch; 0 means what is fastest on the device.

    A batch of 16 pads little, and what a thread computes stays in its cache.
    """
    return size or (16 if device == "cpu" else 128)


def precision_of(name: str, *, device: str) -> str:
    """Return what `auto` means here: bfloat16 where the hardware multiplies it faster, else float32.

    On a CPU with AVX-512 BF16 the bundled model embeds about twice as fast so, at a cosine of at least .9999 to the
    vectors of float32.
    """
    if name != "auto":
        return name
    from graphpalace.score.drawer_matrix import fast_in_bfloat16

    return "bfloat16" if fast_in_bfloat16(device) else "float32"

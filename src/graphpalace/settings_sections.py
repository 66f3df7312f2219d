"""The sections of the settings: each key is described once, here."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationInfo, field_validator

from graphpalace.domain.colony_rules import (
    COLDEST,
    HOTTEST,
    LARGEST_SHARE,
    LEAST_FLOOR,
    MOST_AGENTS,
    MOST_STEPS,
    TEMPERATURES,
    Archetype,
    Schedule,
)
from graphpalace.domain.simulation_settings import checked_settings
from graphpalace.errors import InvalidInput

HostName = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+$", max_length=253)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Neo4jSettings(_Section):
    """Where the graph is. Without a `uri`, GraphPalace runs a Neo4j of its own on loopback."""

    uri: str = Field("", description="neo4j:// or bolt:// URI of a server of yours; empty: the managed one")
    user: str = Field("neo4j", description="user at that server")
    password: SecretStr = Field(SecretStr(""), description="its password; the managed server makes its own")
    database: str = Field("neo4j", description="database there")
    version: Literal["2026.08.1", "5.26.30"] = Field("2026.08.1", description="version of the managed server")
    bolt_port: int = Field(7687, ge=0, le=65535, description="Bolt port of the managed server; 0: a free one")
    http_port: int = Field(7474, ge=0, le=65535, description="its Neo4j Browser port; 0: a free one")
    heap_mb: int = Field(0, ge=0, description="its heap in MiB; 0: a quarter of the memory, at most 4096")
    data_dir: str = Field("", description="its data; empty: the user's data directory")
    cache_dir: str = Field("", description="downloaded jars; empty: the user's cache directory")
    repository_url: str = Field("", description="a Maven repository to download from; empty: Maven Central")


class PalaceSettings(_Section):
    """Which palace is meant where none is named."""

    name: str = Field("main", description="palace used where none is named")


class DepositSettings(_Section):
    """Seed 003: what a deposit adds."""

    success_base_reward: float = Field(
        1.0, ge=0, description="success of the first edge of a path; later ones get less"
    )
    exploitation_bonus: float = Field(0.2, ge=0, description="exploitation of each node of a path")
    exploration_mark: float = Field(0.3, ge=0, description="exploration of a node that was searched")
    traversal_increment: float = Field(0.1, ge=0, description="traversal of each edge of a path")
    recency_reset: float = Field(1.0, ge=0, description="what the recency of each edge of a path is set to")


class PheromoneSettings(_Section):
    """Seed 003: the share of each pheromone that is lost in one cycle."""

    exploitation_decay: float = Field(0.02, ge=0, le=1, description="nodes; half-life about 35 cycles")
    exploration_decay: float = Field(0.05, ge=0, le=1, description="nodes; about 14 cycles")
    success_decay: float = Field(0.01, ge=0, le=1, description="edges; about 69 cycles")
    traversal_decay: float = Field(0.03, ge=0, le=1, description="edges; about 23 cycles")
    recency_decay: float = Field(0.10, ge=0, le=1, description="edges; about 7 cycles")
    decay_interval_cycles: int = Field(10, ge=1, description="cycles between two runs of the bulk decay")
    max_pheromone: float = Field(5.0, gt=0, description="no pheromone grows beyond this (MAX-MIN ant system)")
    deposit: DepositSettings = DepositSettings()  # pyright: ignore[reportCallIssue]


class ExplorationSettings(_Section):
    """Who walks in an exploration, and how, where nothing else is said; docs/explanation/walking.md says more."""

    agents: int = Field(0, ge=0, le=MOST_AGENTS, description="how many walk; 0: as many as fit the palace")
    steps: int = Field(0, ge=0, le=MOST_STEPS, description="of each agent; 0: as many as fit the palace")
    mix: dict[Archetype, Annotated[float, Field(ge=0, le=LARGEST_SHARE)]] = Field(
        {}, description="share of each archetype that walks, for example { explorer = 2.0 }; empty: equal shares"
    )
    temperatures: dict[Archetype, Annotated[float, Field(ge=COLDEST, le=HOTTEST)]] = Field(
        {name: TEMPERATURES[name] for name in get_args(Archetype)}, description="low takes the best edge, high any"
    )
    schedule: Schedule = Field(
        "exponential", description="how they cool while walking: constant, linear, exponential, cosine"
    )
    floor: float = Field(0.1, ge=LEAST_FLOOR, le=1, description="share of its temperature at an agent's last step")

    @field_validator("mix")
    @classmethod
    def _somebody_walks(cls, mix: dict[Archetype, float]) -> dict[Archetype, float]:
        if mix and not sum(mix.values()) > 0:
            raise ValueError("at least one archetype must have a share above 0")
        return mix


class DecaySettings(_Section):
    """The palace's clock and the service that applies the decay."""

    cycle_seconds: float = Field(3600, gt=0, description="seconds of one cycle of the palace's clock")
    batch_rows: int = Field(2000, ge=1, description="nodes or edges that one transaction of a run brings up to date")
    lease_s: float = Field(60, ge=1, description="seconds after which another service may take over from a dead one")
    enabled: bool = Field(True, description="whether `graphpalace serve` runs the decay service too")


class EmbeddingSettings(_Section):
    """What turns text into vectors."""

    model: str = Field(
        "all-MiniLM-L6-v2",
        description="the bundled model, any sentence-transformers model or folder, or a model of base_url",
    )
    base_url: str = Field("", description="OpenAI-compatible endpoint, for example http://localhost:8000/v1")
    api_key: SecretStr = Field(SecretStr(""), description="key of that endpoint")
    dimension: int = Field(384, ge=1, le=4096, description="length of the model's vectors")
    device: str = Field("auto", description="auto, cpu, cuda, cuda:1, mps ...")
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="of the local model's arithmetic; auto: bfloat16 where the hardware has it"
    )
    embed_batch_size: int = Field(
        0, ge=0, le=4096, description="texts in one batch (seed 000: 128); 0: 16 on a CPU, else 128"
    )


class IngestSettings(_Section):
    """How files become drawers."""

    max_chars: int = Field(1200, ge=200, le=20000, description="longest drawer in characters")
    overlap_chars: int = Field(0, ge=0, le=2000, description="characters shared by neighbouring drawers")
    windows: tuple[int, ...] = Field((), description="window sizes in lines for code (seed 000); empty: by definitions")
    max_files: int = Field(0, ge=0, description="most files of one run; 0: no limit")
    exclude_dirs: tuple[str, ...] = Field(
        (".venv", "node_modules", ".git", "external"), description="directory names to skip (seed 000)"
    )
    follow_links: bool = Field(False, description="whether files are read to which links lead out of the given folders")
    chunk_workers: int = Field(
        max(4, os.cpu_count() or 4), ge=1, le=128, description="threads that read and split (seed 000)"
    )
    read_limit_s: float = Field(
        30,
        gt=0,
        le=86400,
        description="processor seconds to read a PDF, DOCX, HTML or RST of 1 MiB; larger: up to ten times",
    )
    read_limit_mb: int = Field(2048, ge=16, le=1048576, description="MiB of memory that reading one of them may take")
    rooms: Literal["auto", "folders", "headings", "clusters"] = Field(
        "auto", description="how rooms are found: folders, headings, clusters of embeddings, or what fits"
    )
    similar_k: int = Field(5, ge=0, le=50, description="SIMILAR_TO edges a new drawer makes at most")
    similar_threshold: float = Field(0.5, ge=-1, le=1, description="least cosine of a SIMILAR_TO edge")
    tunnel_threshold: float = Field(0.7, ge=-1, le=1, description="least cosine of two rooms for a TUNNEL")


LaneName = Literal["fulltext", "semantic", "path", "code", "mcmp"]


class PlanSettings(_Section):
    """Lanes and how they become one answer."""

    lanes: tuple[LaneName, ...] = Field(
        ("fulltext", "semantic"),
        min_length=1,
        description="what a search asks: fulltext, semantic, path, mcmp; code joins where codes are wanted",
    )
    weights: dict[LaneName, Annotated[float, Field(ge=0, le=1000)]] = Field(
        {"code": 0.5, "mcmp": 0.1, "path": 0.1},
        description="weight of a lane in the fusion; one that is not named has 1",
    )
    fusion: Literal["evidence", "rrf"] = Field(
        "evidence", description="evidence: how sure each lane is; rrf: reciprocal rank fusion"
    )


class SearchSettings(PlanSettings):
    """How answers are found."""

    lane_depth: int = Field(100, ge=1, le=10000, description="results each lane gives to the fusion")
    lane_timeout_s: float = Field(10, gt=0, le=600, description="a lane that takes longer is left out of the answer")
    phrase_weight: float = Field(
        0.4, ge=0, le=10, description="worth of words side by side as in the question, beside 1 of a word; 0: nothing"
    )
    rrf_k: int = Field(60, ge=1, le=1000, description="constant of reciprocal rank fusion")
    temperature: float = Field(
        0.5,
        ge=0.01,
        le=100,
        description="of the fusion by evidence: low lets the surest lane decide, high takes the mean",
    )
    feedback_drawers: int = Field(
        2, ge=0, le=50, description="best drawers that the question is moved towards; 0: none"
    )
    feedback_weight: float = Field(0.3, ge=0, le=10, description="how far it is moved")
    importance_weight: float = Field(
        0.1,
        ge=0,
        le=0.5,
        description="most that the importance of a drawer adds to its score or takes away; 0: nothing",
    )
    presets: dict[str, PlanSettings] = Field(
        {
            "rrf": PlanSettings(fusion="rrf"),  # pyright: ignore[reportCallIssue]
            "walk": PlanSettings(lanes=("fulltext", "semantic", "path")),  # pyright: ignore[reportCallIssue]
            "swarm": PlanSettings(lanes=("fulltext", "semantic", "mcmp")),  # pyright: ignore[reportCallIssue]
        },
        description="other plans by name, each with lanes, weights and fusion",
    )
    mcmp_agents: int = Field(50, ge=1, le=1000, description="agents of the lane mcmp")
    mcmp_steps: int = Field(15, ge=1, le=200, description="their steps")
    analyzer: str = Field("english", description="Lucene analyzer of palaces made from now on")


class RunSettings(_Section):
    """Seed 004: lanes and fusions kept as runs; the formulas are in docs/explanation/runs.md."""

    ttl_h: float = Field(24, gt=0, le=8760, description="hours that a run is kept")
    memory_runs: int = Field(32, ge=1, le=10000, description="runs that stay in memory after use")
    code_weight: float = Field(0.5, ge=0, le=1000, description="weight of the lane of codes")
    beta_fuse: float = Field(1.0, ge=0, le=10, description="B: what a lane gains whose codes are like the profile")
    alpha: dict[Literal["fulltext", "semantic"], Annotated[float, Field(ge=0, le=1)]] = Field(
        {"fulltext": 0.3, "semantic": 0.3}, description="A: share of its score that a matching document gains, by lane"
    )
    broader_share: float = Field(
        0.5, ge=0, le=1, description="what a code counts for that is wider than the wanted one"
    )
    relevance_slope: float = Field(5.0, ge=0, le=100, description="a of pi' = sigmoid(a s + b + gamma z(g))")
    relevance_offset: float = Field(-2.5, ge=-100, le=100, description="b of pi'")
    relevance_code: float = Field(0.5, ge=0, le=100, description="gamma of pi'")
    coverage_share: float = Field(0.5, ge=0, le=1, description="rho of R* = rho coverage + (1 - rho) CDF")
    f_beta: float = Field(1.0, gt=0, le=100, description="weight of recall against precision in F*")
    k_grid: tuple[Annotated[int, Field(ge=1, le=10000)], ...] = Field(
        (10, 20, 30, 40, 50, 80, 100, 150, 200), min_length=1, max_length=50, description="depths of the frontier"
    )
    codes_top_n: int = Field(50, ge=1, le=10000, description="most frequent codes that a run keeps, for each scheme")
    contributions_top: int = Field(200, ge=0, le=10000, description="documents whose contributions a fusion keeps")
    peek_max_docs: int = Field(100, ge=1, le=1000, description="most documents of one answer (PEEK_MAX_DOCS)")
    peek_docs: int = Field(12, ge=1, le=1000, description="documents of one peek where nothing is said")
    peek_budget_bytes: int = Field(12288, ge=256, description="bytes of one peek where nothing is said")
    peek_most_bytes: int = Field(262144, ge=256, description="most bytes that may be asked for")
    snippet_chars: dict[Literal["title", "abst", "claim", "desc", "text"], Annotated[int, Field(ge=4, le=100000)]] = (
        Field(
            {"title": 160, "abst": 480, "claim": 320, "desc": 480, "text": 480},
            description="most characters of a field",
        )
    )
    publication_chars: dict[Literal["title", "abst", "claim", "desc"], Annotated[int, Field(ge=4, le=100000)]] = Field(
        {"title": 256, "abst": 1500, "claim": 1600, "desc": 6000}, description="the same in get_publication"
    )


class LearningSettings(_Section):
    """What feedback teaches; the formulas are in docs/explanation/learning.md."""

    enabled: bool = Field(True, description="whether answers use what was learned; feedback is kept in any case")
    bound: float = Field(0.5, gt=0, le=10, description="learning moves no score by more")
    map_prior: float = Field(
        2.5, ge=0.01, le=1e6, description="worth how many lessons it is that a question is best left as it is"
    )
    same_weight: float = Field(0.2, ge=0, le=1, description="what a drawer gains that answered the same question")
    least_lessons: int = Field(10, ge=2, le=10000, description="with fewer a wing learns from the whole palace")
    most_lessons: int = Field(10000, ge=1, le=1000000, description="of a palace; older ones teach nothing any more")
    lane_caution: float = Field(
        3.0, ge=0, le=10, description="standard errors that a shift between the lanes must gain by replay"
    )
    memory_caution: float = Field(0.5, ge=0, le=10, description="the same of a weight of questions that are only alike")
    others_caution: float = Field(
        3.0, ge=0, le=10, description="the same of a loss of drawers that have answered other questions"
    )
    opened_reward: float = Field(
        0.2, ge=0, le=1, description="of a drawer that is opened out of an answer; 0: that teaches nothing"
    )


class RerankWeights(_Section):
    """Seed 001: what each signal counts."""

    dense: float = Field(1.0, ge=0, le=1000, description="closeness to the question")
    narrative: float = Field(0.6, ge=0, le=1000, description="closeness to questions that the drawer answered")
    pheromone: float = Field(0.3, ge=0, le=1000, description="use of the drawer, as far as it has not faded")


class RerankSettings(_Section):
    """Seed 001: how documents are put into another order; the formulas are in docs/explanation/rerank.md."""

    epsilon: float = Field(0.05, ge=0, le=1, description="chance that some middle ranks are moved up by one")
    seed: int = Field(1337, ge=0, le=2**63 - 1, description="of that chance")
    mmr_lambda: float = Field(0.5, ge=0, le=1, description="0: variety, 1: relevance")
    gating_mode: Literal["off", "auto", "on"] = Field(
        "auto",
        description="off: all candidates; auto: as many as the question is unclear; on: none below the threshold",
    )
    gating_threshold: float = Field(0.7, ge=0, le=1, description="uncertainty half-way between fewest and most")
    gating_min_candidates: int = Field(100, ge=1, le=10000, description="fewest candidates that the gate keeps")
    gating_max_candidates: int = Field(
        400, ge=1, le=10000, validate_default=True, description="most; at least the fewest"
    )
    gating_entropy_temp: float = Field(1.0, gt=0, le=1e6, description="low makes the gate surer")
    narrative_floor: float = Field(0.3, ge=0, le=1, description="least cosine to an answered question that counts")
    pheromone_decay: Literal["palace", "exponential", "linear", "step", "none"] = Field(
        "palace", description="how use fades here; palace: by the rates of [pheromones]"
    )
    pheromone_decay_s: float = Field(1800, gt=0, le=1e12, description="half-life, or life, of the others in seconds")
    deterministic: bool = Field(False, description="no exploration, and no decay while the clock runs on")
    max_top_k: int = Field(200, ge=10, le=10000, description="most results of one request")
    max_documents: int = Field(2000, ge=1, le=10000, description="most documents of one request")
    max_text_chars: int = Field(20000, ge=1, description="longest document in characters")
    max_batch: int = Field(16, ge=1, le=1000, description="most requests of one batch")
    rate_limit_per_minute: int = Field(0, ge=0, description="most requests of one client in a minute; 0: no limit")
    weights: RerankWeights = RerankWeights()  # pyright: ignore[reportCallIssue]

    @field_validator("gating_max_candidates")
    @classmethod
    def _not_below_the_fewest(cls, most: int, given: ValidationInfo) -> int:
        fewest = given.data.get("gating_min_candidates", most)
        if most < fewest:
            raise ValueError(f"it must be at least gating_min_candidates, {fewest}")
        return most


class SimulationSection(_Section):
    """Seed 000: how simulations are run; what each can be told is in docs/explanation/swarm.md."""

    max_live: int = Field(4, ge=1, le=64, description="most simulations that run side by side")
    frames_per_s: float = Field(10, gt=0, le=60, description="most pictures that a client gets in a second")
    client_timeout_s: float = Field(5, gt=0, le=600, description="a client that takes nothing for so long is dropped")
    folders: tuple[str, ...] = Field(
        (), description="folders whose files simulations may read, but no links out of them; none: no folder"
    )
    folder_cache_mb: int = Field(256, ge=0, le=100000, description="kept embeddings of folders in MiB; 0: none")
    job_workers: int = Field(0, ge=0, le=256, description="processes of background jobs; 0: one a core")
    ray_address: str = Field("", description="Ray cluster that runs jobs instead, for example auto; empty: processes")
    defaults: dict[str, Any] = Field({}, description="settings of simulations where nothing else is said")

    @field_validator("defaults")
    @classmethod
    def _known_settings(cls, defaults: dict[str, Any]) -> dict[str, Any]:
        try:
            checked_settings(defaults)
        except InvalidInput as error:
            raise ValueError(error.message) from None
        return defaults


class ReportSettings(_Section):
    """Seed 000: who writes the reports of simulations; docs/explanation/reports.md says what is in them."""

    base_url: str = Field("", pattern=r"^(https?://\S+)?$", description="OpenAI-compatible endpoint; empty: no model")
    api_key: SecretStr = Field(SecretStr(""), description="key of that endpoint")
    model: str = Field("", validate_default=True, description="a model of it that chats")
    timeout_s: float = Field(60, gt=0, le=3600, description="an answer that takes longer is given up")
    most_findings: int = Field(10, ge=1, le=200, description="best findings that a report looks at")
    max_output_tokens: int = Field(2000, ge=1, le=1000000, description="longest answer of the model in tokens")

    @field_validator("model")
    @classmethod
    def _named_with_an_endpoint(cls, model: str, given: ValidationInfo) -> str:
        if given.data.get("base_url") and not model:
            raise ValueError("base_url is given, so name a model of it")
        return model


class ServiceSettings(_Section):
    """The HTTP service."""

    host: str = Field("127.0.0.1", description="address to listen on; any but loopback needs api_key")
    port: int = Field(8600, ge=0, le=65535, description="port to listen on")
    api_key: SecretStr = Field(SecretStr(""), description="key that clients send as Authorization: Bearer KEY")
    allowed_hosts: list[HostName] = Field(
        [], description="names that are answered beside loopback's, a proxy's for example; beyond loopback, none: any"
    )
    refresh_s: float = Field(1.0, gt=0, le=60, description="seconds between looks for other services' changes")
    max_body_mb: int = Field(32, ge=1, le=1024, description="largest request body in MiB")
    head_timeout_s: float = Field(10.0, gt=0, le=600, description="seconds for the head of a request to come")
    body_timeout_s: float = Field(30.0, gt=0, le=3600, description="seconds for its body")
    searches_at_once: int = Field(16, ge=1, le=1000, description="searches under way; more wait")
    reads_at_once: int = Field(32, ge=1, le=1000, description="requests that only read")
    writes_at_once: int = Field(16, ge=1, le=1000, description="requests that change something")
    heavy_at_once: int = Field(4, ge=1, le=1000, description="reranks, explorations, starts of simulations, decays")
    tools_at_once: int = Field(8, ge=1, le=1000, description="calls of MCP tools")
    most_waiting: int = Field(64, ge=0, le=10000, description="requests of each kind that wait; more are told 503")
    wait_s: float = Field(5.0, gt=0, le=600, description="seconds that one waits before it is told 503")
    log_format: Literal["auto", "json", "console"] = Field("auto", description="auto: console on a terminal")

    def at_once(self) -> dict[str, int]:
        """Return the most requests under way, by kind."""
        kinds = ("searches", "reads", "writes", "heavy", "tools")
        return {kind: getattr(self, f"{kind}_at_once") for kind in kinds}

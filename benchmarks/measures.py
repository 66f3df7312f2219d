"""What each benchmark compares, how, and where its figures are in the JSON object that it prints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Found = dict[str, Any]
Bound = Literal["at most", "at least", "above"]


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of docs/BENCHMARKS.md.

    Attributes:
        benchmark: Name of the benchmark that measures it.
        part: What it measures of that; empty for the ratio of the whole.
        compared: Candidate and baseline; the ratio is the first divided by the second.
        method: How, in a line.
        bound: On which side of the target the ratio has to be.
        read: Takes ratio and target from a result, or None where this was not measured.
    """

    benchmark: str
    part: str
    compared: str
    method: str
    bound: Bound
    read: Callable[[Found], tuple[float, float] | None]

    @property
    def name(self) -> str:
        """Return how the table calls it."""
        return f"{self.benchmark}, {self.part}" if self.part else self.benchmark


def rows_of(found: Found) -> list[dict[str, Any]]:
    """Return the lines of one result, each with name, ratio, target, bound and whether the target is met."""
    rows: list[dict[str, Any]] = []
    for measure in MEASURES:
        read = measure.read(found) if measure.benchmark == found["name"] else None
        if read is not None:
            ratio, target = read
            met = {"at most": ratio <= target, "at least": ratio >= target, "above": ratio > target}[measure.bound]
            rows.append({"name": measure.name, "ratio": ratio, "target": target, "bound": measure.bound, "met": met})
    return rows


def _whole(found: Found) -> tuple[float, float]:
    return found["ratio"], found["target"]


def _part(*path: str, ratio: str = "ratio") -> Callable[[Found], tuple[float, float]]:
    def read(found: Found) -> tuple[float, float]:
        figures = found["figures"]
        for name in path:
            figures = figures[name]
        return figures[ratio], figures["target"]

    return read


def _against_torch(*path: str) -> Callable[[Found], tuple[float, float] | None]:
    def read(found: Found) -> tuple[float, float] | None:
        figures = found["figures"]
        for name in path:
            figures = figures.get(name, "not measured")  # as by a version before
        return None if isinstance(figures, str) else (figures["ratio"], figures["target"])

    return read


def _goal(name: str) -> Callable[[Found], tuple[float, float] | None]:
    def read(found: Found) -> tuple[float, float] | None:
        goal = found["figures"]["goals"].get(name)
        return None if goal is None else (goal["value"], goal["target"])

    return read


def _warm_start(found: Found) -> tuple[float, float]:
    figures = found["figures"]["warm_start"]
    return figures["seconds"] / figures["target"], 1.0


def _bare(found: Found) -> tuple[float, float]:
    figures = found["figures"]
    return max(figures[mode]["bare_ratio"] for mode in ("off", "auto")), figures["bare_target"]


def _quality(found: Found) -> tuple[float, float] | None:
    collections = found["figures"]["ndcg"]
    if not isinstance(collections, dict):
        return None  # a sentence: no collections were given
    return min(each["search"] / each["mempalace"] for each in collections.values()), 1.0


MEASURES = (
    Measure(
        "ingest",
        "",
        "drawers/s of a real ingest; plain `UNWIND … CREATE` of the same drawers, without relationships",
        "20,000 drawers from 2,000 Markdown files into an empty palace, vectors given, same indexes; three palaces, "
        "alternately, waiting until Neo4j is idle; two earlier blocks are not counted",
        "at least",
        _whole,
    ),
    Measure(
        "ingest",
        "embedder share",
        "texts/s of an ingest with the bundled model; the model alone on the same texts",
        "1,200 texts, median of three runs",
        "at least",
        _part("embedder_share", ratio="share"),
    ),
    Measure(
        "embed",
        "",
        "start of a process until it has embedded a question, by ONNX Runtime; by torch",
        "the bundled model, files in the cache, torch in the faster of float32 and bfloat16, median of three runs",
        "at most",
        _whole,
    ),
    Measure(
        "embed",
        "question",
        "p50 of embedding one question by ONNX Runtime; by torch",
        "60 questions of nine words, models loaded, alternately",
        "at most",
        _part("question"),
    ),
    Measure(
        "embed",
        "texts",
        "time to embed many texts by ONNX Runtime; by torch",
        "240 passages of this documentation, 900 characters each, median of three alternate runs",
        "at most",
        _part("texts"),
    ),
    Measure(
        "search",
        "",
        "p50 of `POST /v1/search`; p50 of the bare cosine, by torch or numpy, whichever is faster",
        "100,000 drawers of some three names, vector, 3 to 12 words and a name, top 10, one client, after 1,240 "
        "questions to warm up Java",
        "at most",
        _whole,
    ),
    Measure("search", "p95", "p95 of that search; p50 of the bare cosine", "as above", "at most", _part("p95")),
    Measure(
        "search",
        "clients",
        "searches/s of eight clients at once; those of one",
        "the same palace, alternately",
        "at least",
        _part("clients"),
    ),
    Measure(
        "search",
        "learning",
        "p50 with 10,000 lessons; p50 without learning",
        "each lesson on another drawer, alternately",
        "at most",
        _part("learning"),
    ),
    Measure(
        "feedback",
        "",
        "p50 of one feedback on one drawer; p50 of an empty write transaction",
        "lesson, path, memory of the drawer and lanes, as a user's feedback",
        "at most",
        _whole,
    ),
    Measure(
        "blend",
        "",
        "p50 of fusing two lanes of 10,000; Redis `ZUNIONSTORE` of the same sets and reading the best 200",
        "pooling, scoring and ordering in memory, alternately with a Redis server",
        "at most",
        _whole,
    ),
    Measure(
        "peers",
        "",
        "p50 of a search; p50 of MemPalace with its default backend",
        "10,000 drawers, the same given embeddings, each in a separate Python process",
        "at most",
        _whole,
    ),
    Measure(
        "peers",
        "nDCG@10",
        "nDCG@10 of the search; that of MemPalace; the worst of all collections",
        "five collections in BEIR form with given embeddings (`--collections`)",
        "above",
        _quality,
    ),
    Measure(
        "side_by_side",
        "",
        "nDCG@10 of the search, nothing learned; that of the best of the other memories; the worst of all collections",
        "collections in BEIR form (`--collections`), the same embeddings, each memory in a process of its own",
        "at least",
        _whole,
    ),
    Measure(
        "side_by_side",
        "search",
        "p50 of a search; that of the fastest other memory that searches by words and by meaning",
        "all memories are asked each question in turns, the embedding of the question given",
        "at most",
        _part("search"),
    ),
    Measure(
        "side_by_side",
        "newest first",
        "share of the questions whose newer note comes before the older one that it corrects; that of the best other",
        "64 corrections among 160 notes, made by code; half of them do not say that something has changed",
        "at least",
        _part("newest"),
    ),
    Measure(
        "memory",
        "",
        "any@5 of the search after feedback on other questions; that of BM25, plain cosine or MemPalace, whichever is "
        "best; the worst of all collections",
        "LongMemEval as whole sessions and as single rounds (`--collections`), the same given embeddings; each half of "
        "the questions is asked after feedback on the other half",
        "at least",
        _whole,
    ),
    Measure(
        "confidence",
        "",
        "area under the ROC curve of an answer's confidence, questions with their documents against the same without",
        "up to 200 questions of each of nine collections in BEIR form with given embeddings (`--collections`); each is "
        "judged by a model that was fitted to the others; the mean",
        "at least",
        _part("auc"),
    ),
    Measure(
        "decay",
        "1 % warm",
        "time of one run of the decay; the plain statement over all edges",
        "1,000,000 edges of which 1 % carry pheromones",
        "at most",
        _part("one_in_100_warm"),
    ),
    Measure(
        "decay",
        "all warm",
        "time of one run of the decay; the plain statements for decay and cost over all edges",
        "the same edges, all of which carry pheromones",
        "at most",
        _part("all_warm"),
    ),
    Measure(
        "snapshot",
        "",
        "time to load the graph from Neo4j into arrays; reading the same record by record",
        "200,000 nodes and 1,000,000 edges, median of the turns after the first",
        "at most",
        _whole,
    ),
    Measure(
        "paths",
        "",
        "p50 of the cheapest path; p50 of rustworkx with Dijkstra or A*, whichever is faster",
        "200 pairs of drawers in that graph, the same costs, results compared",
        "at most",
        _whole,
    ),
    Measure(
        "walk",
        "",
        "agent steps/s of a colony; those of one agent after another in plain Python",
        "1,000 agents, 50 steps, the same rules",
        "at least",
        _whole,
    ),
    Measure(
        "explore",
        "",
        "drawers of an exploration that the one before it had found; all its drawers",
        "palaces of 300, 3,000 and 100,000 drawers, colonies of default size; the worst of them",
        "at most",
        _whole,
    ),
    Measure(
        "deposit",
        "",
        "p50 of rewarding a path; p50 of an empty write transaction",
        "5 edges and 6 nodes",
        "at most",
        _whole,
    ),
    Measure(
        "ready",
        "",
        "start of `graphpalace serve` until `/health/ready` is 200; 10 s",
        "100,000 drawers, Neo4j running, median of three",
        "at most",
        _whole,
    ),
    Measure(
        "ready",
        "warm start",
        "start of a Neo4j that ran before until it answers queries; 10 s",
        "the same drawers, median of three",
        "at most",
        _warm_start,
    ),
    Measure(
        "resident_memory",
        "",
        "resident memory (RSS) of the idle service; that of a Python process that has loaded only the embedding model",
        "an empty palace, 5 s after it is ready",
        "at most",
        _whole,
    ),
    Measure(
        "resident_memory",
        "without a model",
        "resident memory of the idle service whose embeddings come from an endpoint; that with the bundled model",
        "an empty palace, nothing embedded yet",
        "at most",
        _part("without_model"),
    ),
    Measure(
        "names",
        "",
        "processor time of reading the names of texts; that of the ingest without names, with the default model",
        "the pages of this documentation, median of three runs, Neo4j counted on both sides",
        "at most",
        _whole,
    ),
    Measure(
        "names",
        "prose",
        "as above, for prose with two names in most sentences",
        "generated pages, median of three runs",
        "at most",
        _part("prose"),
    ),
    Measure(
        "cli_warm",
        "",
        "p50 of a command with the service, in starts of Python; 8 for --version, --help, 15 for others; the slowest",
        "--version, --help, status, search, feedback --list, palace list, show and add; also `python -c pass`",
        "at most",
        _whole,
    ),
    Measure(
        "cli_cold",
        "",
        "p50 of `graphpalace search` without a service; 3 s",
        "Neo4j running; imports, model and the search itself",
        "at most",
        _whole,
    ),
    Measure(
        "hooks",
        "",
        "p95 of the slowest hook of a host, as a process, with the service running; p50 of `python -c pass`",
        "the five hooks of Claude Code with 2,000 drawers and a transcript of 400 messages that is filed, one without "
        "a service, alternately with `python -c pass`",
        "at most",
        _whole,
    ),
    Measure(
        "hooks",
        "seconds",
        "p95 of the slowest hook; .3 s",
        "the same; what else runs on the machine counts too",
        "at most",
        _part("seconds"),
    ),
    Measure(
        "rerank",
        "",
        "p50 of a rerank; p50 of NeuralCache; the worse of gate off and auto",
        "1,000 documents of 384 dimensions with their vectors as lists, top 10, with variety",
        "at most",
        _whole,
    ),
    Measure(
        "rerank",
        "bare",
        "p50 of all stages on arrays; one product of matrix and vector, and ten more",
        "the same documents; the worse of gate off and auto",
        "at most",
        _bare,
    ),
    Measure(
        "swarm",
        "",
        "p50 of a step of the swarm; the product of agents and documents with the best three of each row",
        "200 agents over 1,000 and 5,000 documents, with metrics and convergence; the worse of them",
        "at most",
        _whole,
    ),
    Measure(
        "swarm",
        "NumPy",
        "p50 of a step on the processor by NumPy; by torch",
        "the same simulations, alternately; the worse of them",
        "at most",
        _against_torch("numpy_to_torch"),
    ),
    Measure(
        "swarm_large",
        "",
        "p50 of a step of the swarm; the product alone, plain or in blocks, whichever is faster",
        "1,000 agents over 100,000 documents",
        "at most",
        _whole,
    ),
    Measure(
        "swarm_large",
        "NumPy",
        "p50 of a step on the processor by NumPy; by torch",
        "the same simulation, alternately",
        "at most",
        _against_torch("times", "numpy_to_torch"),
    ),
    Measure(
        "swarm_large",
        "memory",
        "growth of the process; size of the documents' vectors",
        "during the first steps of that run",
        "at most",
        _part("memory", ratio="growth_of_documents"),
    ),
    Measure(
        "million",
        "",
        "p50 of `POST /v1/search` in 1,000,000 drawers; p50 of the product of all their vectors with one",
        "384 dimensions, 3 to 12 words, a vector and a name, top 10, alternately",
        "at most",
        _whole,
    ),
    Measure(
        "million",
        "recall",
        "of the ten nearest by all exact products, those that the lane semantic finds; 1",
        "the same questions",
        "at least",
        _goal("recall_at_10"),
    ),
    Measure(
        "million",
        "ingest",
        "drawers/s of the last tenth of the ingest; of the first tenth",
        "given vectors, in parts of 10,000, links included",
        "at least",
        _goal("ingest_rate_kept"),
    ),
    Measure(
        "million",
        "load",
        "seconds from the start of `graphpalace serve` until `/health/ready` is 200; 1 s",
        "all drawers, Neo4j running",
        "at most",
        _goal("load_s"),
    ),
    Measure(
        "million",
        "memory",
        "GiB of resident memory of the service after the searches; 1 GiB",
        "beside Neo4j",
        "at most",
        _goal("memory_gib"),
    ),
    Measure(
        "million",
        "change",
        "seconds from the answer to a write until a search has found it; 1 s",
        "one drawer, one search",
        "at most",
        _goal("follow_s"),
    ),
    Measure(
        "clients",
        "",
        "steps/s while 50 clients watch over WebSocket, five of them stalled; steps/s without clients",
        "200 agents over 1,000 documents at the default pace",
        "at least",
        _whole,
    ),
)

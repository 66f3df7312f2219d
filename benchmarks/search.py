"""A whole search over HTTP against the bare cosine of the same vectors, on 100,000 drawers."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import httpx
import numpy as np
import torch

from benchmarks.large_palace import LargePalace
from benchmarks.result import Result
from benchmarks.synthetic import DIMENSION, question_of
from benchmarks.workbench import Workbench, say
from graphpalace.domain.vectors import unit_rows

TARGET = 3.0
_TOP_K = 10
_TURNS, _WARM_UP = 300, 60


@dataclass
class _Times:
    """Milliseconds of each turn."""

    bare: list[float] = field(default_factory=list)
    search: list[float] = field(default_factory=list)
    stages: dict[str, list[float]] = field(default_factory=dict)

    def p50(self) -> dict[str, Any]:
        whole, bare = median(self.search), median(self.bare)
        stages = {stage: median(times) for stage, times in self.stages.items()}
        return {
            "search_ms": whole,
            "bare_cosine_ms": bare,
            "ratio": whole / bare,
            "search_p95_ms": float(np.percentile(self.search, 95)),
            "stages_ms": stages | {"http": whole - stages["total"]},
        }


async def measure(bench: Workbench) -> Result:
    """Ask one question after the other, each followed by the bare cosine of its vector."""
    palace = await bench.large()
    matrix = torch.from_numpy(palace.vectors)
    with bench.service(palace.name) as service:
        service.ready_s()
        with httpx.Client(base_url=service.url, timeout=60) as client:
            _model_loaded(client)
            say("asking in all wings")
            everywhere = _turns(client, palace, matrix, wing=None)
            say("asking in one wing")
            in_wing = _turns(client, palace, matrix, wing=palace.wing)
    say("measuring memory")
    limit_ms = matrix.nbytes / _bytes_per_s(matrix) * 1000
    figures = everywhere.p50()
    ratio = figures.pop("ratio")
    figures = {
        "ratio_is": "p50 of POST /v1/search divided by p50 of torch.mv and topk on the same vectors; at most",
        "drawers": len(palace.vectors),
        "top_k": _TOP_K,
        "threads": torch.get_num_threads(),
        **figures,
        "with_wing_filter": in_wing.p50(),
        "memory_limit_ms": limit_ms,
        "memory_limit_is": "time to read the matrix once at the rate of summing it, the fastest of several",
        "bare_cosine_over_limit": figures["bare_cosine_ms"] / limit_ms,
        "store_seconds": palace.seconds,
    }
    return bench.result("search", ratio=ratio, target=TARGET, met=ratio <= TARGET, figures=figures)


def _turns(client: httpx.Client, palace: LargePalace, matrix: torch.Tensor, *, wing: str | None) -> _Times:
    rng = np.random.default_rng(7)
    times = _Times()
    for turn, at in enumerate(rng.integers(0, len(palace.vectors), _TURNS + _WARM_UP)):
        noise = rng.standard_normal(DIMENSION, np.float32) / np.sqrt(DIMENSION)
        vector = unit_rows((palace.vectors[at] + np.float32(0.5) * noise)[None])[0]
        question = {
            "query": question_of(rng, palace.ranks[at], palace.words),
            "query_embedding": vector.tolist(),
            "top_k": _TOP_K,
        } | ({"wing": wing} if wing else {})
        started = time.perf_counter()
        answer = client.post("/v1/search", json=question)
        between = time.perf_counter()
        torch.topk(torch.mv(matrix, torch.from_numpy(vector)), _TOP_K)
        ended = time.perf_counter()
        found = answer.raise_for_status().json()
        if found["count"] != _TOP_K:
            raise RuntimeError(f"the search found {found['count']} of {_TOP_K}")
        if turn >= _WARM_UP:
            times.search.append((between - started) * 1000)
            times.bare.append((ended - between) * 1000)
            for stage, spent in found["timings_ms"].items():
                times.stages.setdefault(stage, []).append(spent)
    return times


def _model_loaded(client: httpx.Client, *, timeout_s: float = 120) -> None:
    """Wait until the service has loaded its embedding model, which it does beside its first requests."""
    until = time.perf_counter() + timeout_s
    while client.get("/health/ready").json().get("embedding_model") == "loading":
        if time.perf_counter() > until:
            raise RuntimeError(f"the service has not loaded its model in {timeout_s} s")
        time.sleep(0.2)


def _bytes_per_s(matrix: torch.Tensor) -> float:
    """Return the best rate at which memory of that size is read here."""
    fastest = float("inf")
    for _ in range(15):
        started = time.perf_counter()
        matrix.sum()
        fastest = min(fastest, time.perf_counter() - started)
    return matrix.nbytes / fastest

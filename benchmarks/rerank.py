"""Reranking 1,000 documents here and in NeuralCache, and the bare arithmetic of it."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.peers.peer_list import NEURALCACHE
from benchmarks.result import Result
from benchmarks.synthetic import DIMENSION, TableEmbedder
from benchmarks.workbench import Workbench, say
from graphpalace.app import opened
from graphpalace.domain.rerank import Candidate, GateMode, GateRule, RerankQuery
from graphpalace.domain.vectors import Matrix, Vector, unit_rows
from graphpalace.rerank.ordering import OrderRule, ordered
from graphpalace.rerank.signals import Components

TARGET = 1 / 500
BARE_TARGET = 5.0
VERSION = NEURALCACHE.version
DOCUMENTS = 1000
_PALACE = "rerank"
_TOP_K = 10
_TURNS, _WARM_UP = 60, 10
_THEIR_TURNS: dict[GateMode, int] = {"auto": 3, "off": 1}  # one without its gate takes minutes


async def measure(bench: Workbench) -> Result:
    """Rerank the same documents on both sides with given vectors, MMR on; ours also against its own products."""
    assert bench.running
    rng = np.random.default_rng(11)
    vectors = unit_rows(rng.standard_normal((DOCUMENTS, DIMENSION), np.float32))
    question = unit_rows(vectors[:5].sum(axis=0, keepdims=True))[0]
    modes = {mode: await _mode(bench, vectors, question, mode) for mode in _THEIR_TURNS}
    ratio = max(figure["ratio"] for figure in modes.values())
    figures = {
        "ratio_is": "p50 of a rerank here divided by p50 of NeuralCache's, the worse of both modes; at most",
        "measured_as": "a call in a Python process of each side's own, documents with their vectors as lists",
        "neuralcache": VERSION,
        "documents": DOCUMENTS,
        "bare_is": f"stages on arrays divided by one matrix-vector product and {_TOP_K} more; at most {BARE_TARGET:g}",
        "bare_target": BARE_TARGET,
        **modes,
    }
    met = ratio <= TARGET and all(figure["bare_ratio"] <= BARE_TARGET for figure in modes.values())
    return bench.result("rerank", ratio=ratio, target=TARGET, met=met, figures=figures)


async def _mode(bench: Workbench, vectors: Matrix, question: Vector, mode: GateMode) -> dict[str, Any]:
    documents = [Candidate(f"d{at:04}", embedding=row) for at, row in enumerate(vectors.tolist())]
    asked = RerankQuery(
        query_embedding=question.tolist(),
        documents=documents,
        top_k=_TOP_K,
        mmr_lambda=0.5,
        gating_mode=mode,
        deterministic=True,
    )
    say(f"reranking here, gate {mode}")
    here, ids = [], []
    async with opened(bench.settings, embedder=TableEmbedder()) as app:
        await app.create_palace(_PALACE)
        await app.replica.indexes.warm(_PALACE)  # as a service does when it starts
        for turn in range(_WARM_UP + _TURNS):
            started = time.perf_counter()
            found = await app.rerank.rerank(_PALACE, asked)
            if turn >= _WARM_UP:
                here.append((time.perf_counter() - started) * 1000)
            ids = [place.id for place in found.results]
    stages, bare = _stages(vectors, question, mode)
    say(f"reranking with NeuralCache, gate {mode}")
    there = _neuralcache(bench.home / f"neuralcache-{mode}", vectors, question, mode)
    return {
        "ratio": median(here) / median(there["ms"]),
        "here_ms": {"p50": median(here), "p95": float(np.percentile(here, 95))},
        "neuralcache_ms": there["ms"],
        "same_of_10": len(set(ids) & set(there["ids"])),
        "bare_ratio": stages / bare,
        "stages_ms": stages,
        "bare_ms": bare,
    }


def _stages(vectors: Matrix, question: Vector, mode: GateMode) -> tuple[float, float]:
    """Return p50 in milliseconds of all stages on arrays, and of the products that they cannot do without."""
    rule = OrderRule(top_k=_TOP_K, mmr_lambda=0.5, epsilon=0.0, gate=GateRule(mode=mode))
    nothing = np.zeros(len(vectors))

    def stages() -> object:
        dense = (vectors @ question).astype(np.float64)
        return ordered(vectors, Components(dense, nothing, nothing), rule, random=None)

    def bare() -> object:
        return [vectors @ question, *(vectors @ vectors[row] for row in range(_TOP_K))]

    spent: dict[Callable[[], object], list[float]] = {stages: [], bare: []}
    for _ in range(10 * _TURNS):
        for run, times in spent.items():
            started = time.perf_counter()
            run()
            times.append((time.perf_counter() - started) * 1000)
    return median(spent[stages]), median(spent[bare])


def _neuralcache(folder: Path, vectors: Matrix, question: Vector, mode: GateMode) -> dict[str, Any]:
    folder.mkdir()
    np.save(folder / "documents.npy", vectors)
    np.save(folder / "question.npy", question)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("NEURALCACHE", "PYTHON"))}
    program = Path(__file__).with_name("neuralcache_process.py")
    command = [str(NEURALCACHE.python()), str(program), str(folder), mode, str(_THEIR_TURNS[mode])]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(f"NeuralCache ended:\n{ran.stderr[-2000:]}")
    return json.loads(ran.stdout.splitlines()[-1])

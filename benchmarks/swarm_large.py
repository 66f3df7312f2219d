"""A step of a large simulation against its product of agents and documents alone, its memory, and a GPU's share."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

import numpy as np
import psutil

from benchmarks.result import Result
from benchmarks.swarm import DIMENSION, Simulation, keeps_up, libraries, numpy_to_torch
from benchmarks.turns import spent_in_turns
from benchmarks.workbench import Workbench, say
from graphpalace.vectors.device import device_of

TARGET = 2.0
_DOCUMENTS, _AGENTS = 100_000, 1_000
_GPU_DOCUMENTS, _GPU_AGENTS = 1_000_000, 10_000
_TURNS, _GPU_TURNS, _WARM_UP = 15, 50, 5
_BLOCK = 4096
_PEAK_SIZE = 8192  # rows and columns of the product that says what the card can do
_MIB = 2**20
_SAMPLE_S = 0.002


async def measure(bench: Workbench) -> Result:
    """Measure on the processor; and on a GPU, where there is one, a simulation a hundred times as large."""
    say(f"{_AGENTS} agents over {_DOCUMENTS} documents")
    simulation = Simulation(_DOCUMENTS, _AGENTS)
    memory = _memory(simulation)
    times = _times(simulation)
    ratio = times["ratio"]
    figures = {
        "ratio_is": "p50 of a step divided by p50 of the product alone, the faster of plain and in blocks; at most",
        "agents": _AGENTS,
        "documents": _DOCUMENTS,
        "dimension": DIMENSION,
        "times": times,
        "memory": memory,
        "gpu": _on_gpu() if device_of("auto") == "cuda" else "none here",
    }
    met = ratio <= TARGET and memory["growth_of_documents"] <= memory["target"] and keeps_up(times["numpy_to_torch"])
    return bench.result("swarm_large", ratio=ratio, target=TARGET, met=met, figures=figures)


def _memory(simulation: Simulation) -> dict[str, float]:
    """Return how far the process grows during its first steps, before anything else could have made room."""
    process = psutil.Process()
    before = process.memory_info().rss
    with _peak(process) as peak:
        for _ in range(_WARM_UP):
            simulation.step()
    documents = simulation.documents.vectors.nbytes
    return {
        "growth_mib": (peak[0] - before) / _MIB,
        "documents_mib": documents / _MIB,
        "growth_of_documents": (peak[0] - before) / documents,
        "target": 1.0,
        "agents_times_documents_mib": 4 * _AGENTS * _DOCUMENTS / _MIB,
    }


@contextmanager
def _peak(process: psutil.Process) -> Iterator[list[int]]:
    """Give the greatest resident size, in bytes, that was seen until now."""
    found, ended = [process.memory_info().rss], threading.Event()

    def sample() -> None:
        while not ended.wait(_SAMPLE_S):
            found[0] = max(found[0], process.memory_info().rss)

    sampling = threading.Thread(target=sample)
    sampling.start()
    try:
        yield found
    finally:
        ended.set()
        sampling.join()


def _times(simulation: Simulation) -> dict[str, Any]:
    vectors = simulation.documents.vectors
    room = np.empty(_AGENTS * _BLOCK, np.float32)

    def plain() -> None:
        np.matmul(simulation.swarm.agents.positions, vectors.T)

    def in_blocks() -> None:
        for start in range(0, len(vectors), _BLOCK):
            part = vectors[start : start + _BLOCK]
            out = room[: _AGENTS * len(part)].reshape(_AGENTS, len(part))
            np.matmul(simulation.swarm.agents.positions, part.T, out=out)

    steps = {"numpy": simulation.step}
    if "torch" in libraries():
        by_torch = Simulation(_DOCUMENTS, _AGENTS, library="torch")
        for _ in range(_WARM_UP):
            by_torch.step()
        steps["torch"] = by_torch.step
    works = {**steps, "plain": plain, "in_blocks": in_blocks}
    spent = {name: median(seconds) for name, seconds in spent_in_turns(works, _TURNS).items()}
    product = min(spent["plain"], spent["in_blocks"])
    return {
        "ratio": spent["numpy"] / product,
        "step_ms": 1000 * spent["numpy"],
        "numpy_to_torch": numpy_to_torch({library: spent[library] for library in steps}),
        "plain_product_ms": 1000 * spent["plain"],
        "product_in_blocks_ms": 1000 * spent["in_blocks"],
        "steps_per_s": 1 / spent["numpy"],
        "product_gflop_per_s": _flop(_AGENTS, _DOCUMENTS) / product / 1e9,
        "trails": len(simulation.swarm.trails),
    }


def _on_gpu() -> dict[str, Any]:
    """Return steps a second, and the arithmetic of their product against what the card does at its best."""
    import torch

    say(f"{_GPU_AGENTS} agents over {_GPU_DOCUMENTS} documents on {torch.cuda.get_device_name()}")
    simulation = Simulation(_GPU_DOCUMENTS, _GPU_AGENTS, library="torch", device="cuda")
    square = torch.randn(_PEAK_SIZE, _PEAK_SIZE, device="cuda").half()

    def product() -> None:
        torch.mm(square, square)
        torch.cuda.synchronize()

    def step() -> None:
        simulation.step()
        torch.cuda.synchronize()

    spent_in_turns({"step": step, "product": product}, _WARM_UP)
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    seconds = median(spent_in_turns({"step": step}, _GPU_TURNS)["step"])
    growth = torch.cuda.max_memory_allocated() - before
    best = 2 * _PEAK_SIZE**3 / median(spent_in_turns({"product": product}, _GPU_TURNS)["product"])
    achieved = _flop(_GPU_AGENTS, _GPU_DOCUMENTS) / seconds
    return {
        "card": torch.cuda.get_device_name(),
        "agents": _GPU_AGENTS,
        "documents": _GPU_DOCUMENTS,
        "step_ms": 1000 * seconds,
        "steps_per_s": 1 / seconds,
        "tflop_per_s": achieved / 1e12,
        "half_precision_product_tflop_per_s": best / 1e12,
        "share_of_peak": achieved / best,
        "growth_mib": growth / _MIB,
        "documents_mib": simulation.documents.vectors.nbytes / _MIB,
        "trails": len(simulation.swarm.trails),
    }


def _flop(agents: int, documents: int) -> float:
    """Return the arithmetic of one product of agents and documents."""
    return 2.0 * agents * documents * DIMENSION

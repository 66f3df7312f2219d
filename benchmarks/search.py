"""A whole search over HTTP against the bare cosine of the same vectors, and eight clients against one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import httpx
import numpy as np

from benchmarks.large_palace import DRAWERS, LargePalace
from benchmarks.result import Result
from benchmarks.synthetic import TableEmbedder, nearby
from benchmarks.workbench import Service, Workbench, say
from graphpalace.app import opened
from graphpalace.arrays import has_torch
from graphpalace.domain.learning.feedback import Candidates
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.errors import Overloaded
from graphpalace.operations.history import MOST_CANDIDATES, LoggedSearch

P50_TARGET, P95_TARGET, CLIENTS_TARGET, LEARNING_TARGET = 4.0, 8.0, 1.5, 1.2
_TOP_K = 10
_TURNS, _WARM_UP = 200, 40
_COMPILING = 1000  # questions more, while Java compiles most of what a search needs
_CLIENTS = 8
_PAUSE_S = 0.05  # before a client asks again
_BLOCKS, _BLOCK = 7, 240  # of questions by one client, then by eight; the first of each are not counted
_LESSONS = 10_000  # each of another drawer

Body = dict[str, Any]
# The bare cosine: of these the fastest counts.
_BARE: dict[str, Callable[[Matrix, Vector], np.ndarray]] = {
    "numpy.vecdot": np.vecdot,
    "numpy.einsum": lambda matrix, vector: np.einsum("ij,j->i", matrix, vector),
    "numpy.matmul": np.matmul,
}
if has_torch():
    import torch

    _BARE["torch.mv"] = lambda matrix, vector: torch.mv(torch.from_numpy(matrix), torch.from_numpy(vector)).numpy()


@dataclass
class _Times:
    """Milliseconds of each turn, and whether names led to a drawer of its answer."""

    bare: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in _BARE})
    search: list[float] = field(default_factory=list)
    stages: dict[str, list[float]] = field(default_factory=dict)
    by_name: list[bool] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        whole = median(self.search)
        each = {name: median(times) for name, times in self.bare.items()}
        bare = min(each.values())
        p95 = float(np.percentile(self.search, 95))
        stages = {stage: median(times) for stage, times in self.stages.items()}
        return {
            "search_ms": whole,
            "search_p95_ms": p95,
            "bare_cosine_ms": bare,
            "bare_cosine_each_ms": each,
            "ratio": whole / bare,
            "p95_ratio": p95 / bare,
            "found_by_name": float(np.mean(self.by_name)),
            "stages_ms": stages | {"http": whole - stages["total"]},
        }


async def measure(bench: Workbench) -> Result:
    """Ask one question after the other, each followed by the bare cosine of its vector; then eight clients at once.

    Each part has a service of its own, which has met none of the words before.
    """
    palace = await bench.large(bench.drawers or DRAWERS)
    matrix = palace.vectors
    asked = _bodies(palace, _COMPILING + 2 * (_WARM_UP + _TURNS))
    last = asked[-_WARM_UP - _TURNS :]
    with bench.service(palace.name) as service:
        service.ready_s()
        say("asking while Java compiles")
        cold = _turns(service, asked[: _WARM_UP + _TURNS], matrix).figures()
        _turns(service, asked[_WARM_UP + _TURNS : -len(last)], matrix)
        say("asking in all wings")
        everywhere = _turns(service, last, matrix).figures()
    with bench.service(palace.name) as service:
        service.ready_s()
        say("asking in one wing")
        in_wing = _turns(service, [body | {"wing": palace.wing} for body in last], matrix).figures()
    with bench.service(palace.name) as service:
        service.ready_s()
        say(f"asking by {_CLIENTS} clients at once")
        clients = _throughput(service, _bodies(palace, 2 * _BLOCKS * _BLOCK + _WARM_UP))
    learned = await _learned(bench, palace)
    say("measuring memory")
    limit_ms = matrix.nbytes / _bytes_per_s(matrix) * 1000
    ratio, p95_ratio = everywhere.pop("ratio"), everywhere.pop("p95_ratio")
    p95_met, clients_met = p95_ratio <= P95_TARGET, clients["ratio"] >= CLIENTS_TARGET
    figures = {
        "ratio_is": "p50 of POST /v1/search divided by p50 of the fastest bare cosine of the same vectors; at most",
        "drawers": len(palace.vectors),
        "names": sum(map(len, palace.names)),
        "names_is": "of all drawers; found_by_name is the share of the answers in which the lane entity found a drawer",
        "top_k": _TOP_K,
        "cores": os.cpu_count(),
        **everywhere,
        "while_java_compiles": {name: cold[name] for name in ("search_ms", "ratio", "p95_ratio")},
        "while_java_compiles_is": f"of the first questions after {_WARM_UP}; the others come {_COMPILING:,} later",
        "p95": {"ratio": p95_ratio, "target": P95_TARGET, "met": p95_met},
        "p95_is": "p95 of the search divided by p50 of the bare cosine; at most",
        "clients": {**clients, "target": CLIENTS_TARGET, "met": clients_met},
        "clients_is": f"searches/s of {_CLIENTS} clients divided by those of one, without the bare cosine; at least",
        "learning": learned,
        "learning_is": f"p50 with {_LESSONS} remembered questions, divided by that without learning; at most",
        "with_wing_filter": in_wing,
        "memory_limit_ms": limit_ms,
        "memory_limit_is": "time to read the matrix once at the rate of summing it, the fastest of several",
        "bare_cosine_over_limit": everywhere["bare_cosine_ms"] / limit_ms,
        "store_seconds": palace.seconds,
    }
    met = ratio <= P50_TARGET and p95_met and clients_met and learned["met"]
    return bench.result("search", ratio=ratio, target=P50_TARGET, met=met, figures=figures)


async def _learned(bench: Workbench, palace: LargePalace) -> dict[str, Any]:
    """Return what learning costs a search in a palace where a tenth of the drawers answered a question."""
    say(f"giving feedback on {_LESSONS:,} drawers")
    rng = np.random.default_rng(11)
    lessons = min(_LESSONS, len(palace.ids) // 10)
    async with opened(bench.settings, embedder=TableEmbedder()) as app:
        await app.replica.indexes.warm(palace.name)
        for number, at in enumerate(rng.permutation(len(palace.ids))[:lessons].tolist()):
            words = " ".join(palace.words[rank] for rank in rng.choice(palace.ranks[at], 4).tolist())
            others = rng.integers(len(palace.ids), size=MOST_CANDIDATES - 1)
            ids = list(dict.fromkeys([palace.ids[at], *(palace.ids[other] for other in others)]))
            vector = nearby(rng, palace.vectors[at])
            found = Candidates(tuple(ids), rng.random(len(ids), np.float32), _TOP_K)
            app.history.searches.keep(LoggedSearch(f"search-{number:012x}", palace.name, words, vector, found))
            await app.learning.feedback.give(palace.name, run=f"search-{number:012x}", useful={palace.ids[at]: 1.0})
        say("learning")
        started = time.perf_counter()
        await app.replica.learning.of(palace.name)
        learn_s = time.perf_counter() - started
    with bench.service(palace.name) as service:
        service.ready_s()
        say("asking with and without what was learned")
        spent = _with_and_without(service, _bodies(palace, _TURNS + _WARM_UP))
    plain, learned = median(spent[True]), median(spent[False])
    ratio = learned / plain
    return {
        "lessons": lessons,
        "learn_s": learn_s,
        "search_ms": learned,
        "unlearned_ms": plain,
        "ratio": ratio,
        "target": LEARNING_TARGET,
        "met": ratio <= LEARNING_TARGET,
    }


def _with_and_without(service: Service, asked: Sequence[Body]) -> dict[bool, list[float]]:
    """Return milliseconds of searches without learning (True) and with it (False), asked in turns."""
    spent: dict[bool, list[float]] = {True: [], False: []}
    with httpx.Client(base_url=service.url, timeout=120) as client:
        for turn, body in enumerate(asked):
            for unlearned, times in spent.items():
                started = time.perf_counter()
                answer = client.post("/v1/search", json=body | {"unlearned": unlearned})
                ended = time.perf_counter()
                _checked(answer)
                if turn >= _WARM_UP:
                    times.append((ended - started) * 1000)
    return spent


def _bodies(palace: LargePalace, count: int) -> list[Body]:
    """Return requests about as many drawers: words and a name of each, and a vector near its own (a cosine of .9)."""
    rng = np.random.default_rng(7)
    bodies = []
    for at, words in palace.questions(rng, count):
        bodies.append({"query": words, "query_embedding": nearby(rng, palace.vectors[at]).tolist(), "top_k": _TOP_K})
    return bodies


def _turns(service: Service, asked: Sequence[Body], matrix: Matrix) -> _Times:
    times = _Times()
    with httpx.Client(base_url=service.url, timeout=60) as client:
        for turn, body in enumerate(asked):
            vector = np.array(body["query_embedding"], np.float32)
            started = time.perf_counter()
            answer = client.post("/v1/search", json=body)
            ended = time.perf_counter()
            bare = {name: _spent_s(product, matrix, vector) for name, product in _BARE.items()}
            found = _checked(answer)
            if turn >= _WARM_UP:
                times.search.append((ended - started) * 1000)
                for name, seconds in bare.items():
                    times.bare[name].append(seconds * 1000)
                times.by_name.append(any("entity" in hit["lanes"] for hit in found["hits"]))
                for stage, spent in found["timings_ms"].items():
                    times.stages.setdefault(stage, []).append(spent)
    return times


def _spent_s(product: Callable[[Matrix, Vector], np.ndarray], matrix: Matrix, vector: Vector) -> float:
    started = time.perf_counter()
    np.argpartition(product(matrix, vector), -_TOP_K)
    return time.perf_counter() - started


def _throughput(service: Service, asked: list[Body]) -> dict[str, Any]:
    """Return the searches a second of one client and of several, in turns, and how often one was refused.

    A busy service refuses a search that would wait too long; a client asks again then, as clients of the product do.
    """
    refused = list[Body]()
    with httpx.Client(base_url=service.url, timeout=60) as client:

        def ask(body: Body) -> None:
            while _refused(answer := client.post("/v1/search", json=body)):
                refused.append(body)
                time.sleep(_PAUSE_S)
            _checked(answer)

        def rate(workers: int, bodies: Sequence[Body]) -> float:
            with ThreadPoolExecutor(workers) as pool:
                started = time.perf_counter()
                list(pool.map(ask, bodies))
                return len(bodies) / (time.perf_counter() - started)

        rate(_CLIENTS, asked[:_WARM_UP])
        blocks = [asked[at : at + _BLOCK] for at in range(_WARM_UP, len(asked), _BLOCK)]
        pairs = zip(blocks[::2], blocks[1::2], strict=True)
        rates = [(rate(1, alone), rate(_CLIENTS, shared)) for alone, shared in pairs]
    one, several = map(list, zip(*rates[1:], strict=True))  # Java still compiles during the first
    return {"one_per_s": one, "several_per_s": several, "ratio": median(several) / median(one), "refused": len(refused)}


def _refused(answer: httpx.Response) -> bool:
    return answer.is_error and answer.json()["error"]["code"] == Overloaded.code


def _checked(answer: httpx.Response) -> dict[str, Any]:
    found = answer.raise_for_status().json()
    if found["count"] != _TOP_K or found["left_out"]:
        raise RuntimeError(f"the search found {found['count']} of {_TOP_K}, without {found['left_out']}")
    return found


def _bytes_per_s(matrix: Matrix) -> float:
    """Return the best rate at which memory of that size is read here."""
    fastest = float("inf")
    for _ in range(15):
        started = time.perf_counter()
        matrix.sum()
        fastest = min(fastest, time.perf_counter() - started)
    return matrix.nbytes / fastest

"""A palace that grows to a million drawers: how what it does grows with it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from math import log
from statistics import median
from typing import Any

import httpx
import neo4j
import numpy as np
import psutil

from benchmarks.large_palace import LargePalace, by_rules
from benchmarks.result import Result
from benchmarks.synthetic import (
    DIMENSION,
    TableEmbedder,
    clustered,
    nearby,
    text_names,
    vocabulary,
    word_ranks,
)
from benchmarks.workbench import Service, Workbench, say
from graphpalace.app import opened
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.domain.drawers.document import Document, Passage
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.operations.drawers.ingest import Ingest

DRAWERS = 1_000_000
SEARCH_TARGET, RATE_TARGET, RECALL_TARGET = 2.0, 0.8, 0.99
LOAD_TARGET_S, MEMORY_TARGET_GIB, FOLLOW_TARGET_S = 60.0, 3.0, 1.0
_PALACE = "million"
_SHARES = (0.01, 0.1, 1.0)  # of all drawers, at which everything is measured
_TOPIC, _WINGS, _ROOMS = 50, 10, 20  # drawers of a topic, which are the passages of one document; rooms of a wing
_SEARCHES, _WARM_UP, _TURNS, _TOP_K = 100, 100, 12, 10
_EXTRA = 500  # drawers of the wing that is forgotten
_MOST_IMPORTED = 100_000  # an import writes everything once more
_WARM = {"decay_1_percent": 0.01, "decay_01_percent": 0.001}
_BY_INDEX = """
CALL db.index.vector.queryNodes('drawer_vector_million', $k, $vector) YIELD node RETURN node.text AS text
"""
_SET_WARM = """
MATCH (:Closet)-[e:HAS_DRAWER]->(d:Drawer {palace: $palace})
CALL (e, d) {
  WITH e, d, rand() < $share AS warm
  SET
    e.success_pheromone = CASE WHEN warm THEN 5.0 ELSE 0.0 END, e.traversal_pheromone = e.success_pheromone,
    e.recency_pheromone = e.success_pheromone, e.pheromone_cycle = CASE WHEN warm THEN $cycle END,
    e.warm_in = CASE WHEN warm THEN $palace END,
    d.exploitation_pheromone = CASE WHEN warm THEN 5.0 ELSE 0.0 END, d.exploration_pheromone = 0.0,
    d.pheromone_cycle = CASE WHEN warm THEN $cycle END, d.warm_in = CASE WHEN warm THEN $palace END
} IN TRANSACTIONS OF 50000 ROWS
"""


@dataclass
class _Growth:
    """What was measured at each size.

    Attributes:
        sizes: Drawers.
        figures: Numbers by their names, one for each size; a name ends with its unit.
    """

    sizes: list[int] = field(default_factory=list)
    figures: dict[str, list[float]] = field(default_factory=dict)

    def add(self, name: str, value: float) -> None:
        print(f"    {name}: {value:.4g}", file=sys.stderr, flush=True)
        self.figures.setdefault(name, []).append(value)

    @contextmanager
    def timing(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.add(name, time.perf_counter() - started)

    def slopes(self) -> dict[str, list[float]]:
        """Return the slopes of each figure from size to size on logarithmic axes; 0: it does not grow."""
        return {
            name: [
                log(max(later, 1e-9) / max(former, 1e-9)) / log(large / small)
                for (former, later), (small, large) in zip(pairwise(values), pairwise(self.sizes), strict=False)
            ]
            for name, values in self.figures.items()
        }


async def measure(bench: Workbench) -> Result:
    """Store drawers with given vectors, and at a hundredth, a tenth and all of them measure what is done with them."""
    assert bench.running
    count = bench.drawers or DRAWERS
    say(f"making {count:,} texts and vectors")
    palace = _made(count)
    growth, rates = _Growth(), list[float]()
    stored = 0
    async with opened(by_rules(bench.settings), embedder=TableEmbedder()) as app:
        await app.create_palace(_PALACE)
    for share in _SHARES:
        size = int(count * share)
        growth.sizes.append(size)
        async with opened(by_rules(bench.settings), embedder=TableEmbedder()) as app:
            say(f"storing up to {size:,} drawers")
            matrix = await app.replica.indexes.load(_PALACE, many_neighbours=True)
            chunk = max(1000, count // 100)
            for start in range(stored, size, chunk):
                wing = f"wing {start // chunk % _WINGS}"
                ingest = Ingest(app.database, app.replica.indexes, app.embedder, palace=_PALACE, wing=wing)
                documents = list(_documents(palace, start, min(start + chunk, size)))
                started = time.perf_counter()
                await ingest.store(documents, matrix)
                rates.append((min(start + chunk, size) - start) / (time.perf_counter() - started))
                print(f"    {start + chunk:,}: {rates[-1]:.0f}/s", file=sys.stderr, flush=True)
            stored = size
            del matrix
            say("reading names")
            with growth.timing("names_s"):
                await app.knowledge.names.build(_PALACE)
        await asyncio.to_thread(bench.rest)
        # The first walk reads the whole graph, which takes longer than a request may take.
        with bench.service(_PALACE, GRAPHPALACE_SERVICE__READ_DEADLINE_S="600") as service:
            growth.add("load_s", service.ready_s(timeout_s=900))
            await _measure_service(growth, service, palace, size)
        with bench.service(_PALACE, GRAPHPALACE_EMBEDDINGS__MEMORY_MB="1") as service:
            service.ready_s(timeout_s=900)
            await _measure_in_file(growth, service, palace, size)
        await asyncio.to_thread(_measure_index, bench, growth, palace, size)
        await asyncio.to_thread(_decays, bench, growth)
        await _transfer(bench, growth, size)
    return _result(bench, palace, growth, rates)


def _result(bench: Workbench, palace: LargePalace, growth: _Growth, rates: list[float]) -> Result:
    last = {name: values[-1] for name, values in growth.figures.items()}
    ratio = last["search_ms"] / last["bare_cosine_ms"]
    kept = float(np.mean(rates[-10:]) / np.mean(rates[:10]))
    goals = {
        "ingest_rate_kept": (kept, RATE_TARGET, kept >= RATE_TARGET),
        "recall_at_10": (last["recall_at_10"], RECALL_TARGET, last["recall_at_10"] >= RECALL_TARGET),
        "load_s": (last["load_s"], LOAD_TARGET_S, last["load_s"] <= LOAD_TARGET_S),
        "memory_gib": (last["memory_gib"], MEMORY_TARGET_GIB, last["memory_gib"] <= MEMORY_TARGET_GIB),
        "follow_s": (last["follow_s"], FOLLOW_TARGET_S, last["follow_s"] <= FOLLOW_TARGET_S),
    }
    figures = {
        "ratio_is": "p50 of POST /v1/search divided by p50 of the product of all vectors with one; at most",
        "drawers": growth.sizes,
        "dimension": DIMENSION,
        "names": sum(map(len, palace.names)),
        **growth.figures,
        "slopes": growth.slopes(),
        "slopes_is": "of each figure from a size to the next, both on logarithmic axes; 0: it does not grow",
        "ingest_drawers_per_s": rates,
        "goals": {name: dict(zip(("value", "target", "met"), goal, strict=True)) for name, goal in goals.items()},
        "imported_drawers": [size for size in growth.sizes if size <= _MOST_IMPORTED],
    }
    met = ratio <= SEARCH_TARGET and all(met for _, _, met in goals.values())
    return bench.result("million", ratio=ratio, target=SEARCH_TARGET, met=met, figures=figures)


def _made(count: int) -> LargePalace:
    rng = np.random.default_rng(20_260_104)
    topics = np.arange(count) // _TOPIC
    return LargePalace(
        _PALACE,
        [],
        clustered(rng, topics),
        word_ranks(rng, count),
        vocabulary(),
        text_names(rng, topics),
        "wing 0",
        0.0,
    )


def _documents(palace: LargePalace, start: int, stop: int) -> Iterator[Document]:
    for first in range(start, stop, _TOPIC):
        number = first // _TOPIC
        passages = tuple(
            Passage(palace.text(at), 1 + 9 * place, 9 + 9 * place, vector=palace.vectors[at])
            for place, at in enumerate(range(first, min(first + _TOPIC, stop)))
        )
        folders = (f"room {number % _ROOMS}",)
        yield Document(f"bench:{number}", f"source {number}", "text/plain", f"{number:032x}", folders, passages)


def _asked(palace: LargePalace, size: int) -> list[tuple[str, Vector]]:
    """Return words and vectors of questions about the first drawers."""
    rng = np.random.default_rng(size)
    matrix = palace.vectors[:size]
    some = LargePalace(_PALACE, [], matrix, palace.ranks[:size], palace.words, palace.names[:size], "wing 0", 0.0)
    return [(words, nearby(rng, matrix[at])) for at, words in some.questions(rng, _SEARCHES + _WARM_UP)]


def _nearest(matrix: Matrix, vector: Vector) -> np.ndarray:
    return np.argpartition(matrix @ vector, -_TOP_K)[-_TOP_K:]


def _recall(palace: LargePalace, nearest: np.ndarray, texts: set[str]) -> float:
    """Return the share of the nearest drawers whose text was found."""
    return len(texts & {palace.text(int(at)) for at in nearest}) / _TOP_K


async def _measure_in_file(growth: _Growth, service: Service, palace: LargePalace, size: int) -> None:
    say("searching with the vectors in a file")
    spent = list[float]()
    async with httpx.AsyncClient(base_url=service.url, timeout=900) as client:
        for words, vector in _asked(palace, size):
            body = {"query": words, "query_embedding": vector.tolist(), "top_k": _TOP_K}
            started = time.perf_counter()
            (await client.post("/v1/search", json=body)).raise_for_status()
            spent.append(time.perf_counter() - started)
    growth.add("in_file_search_ms", median(spent[_WARM_UP:]) * 1000)
    used = psutil.Process(service.pid).memory_info()
    growth.add("in_file_memory_gib", (used.rss - used.shared) / 2**30)


def _measure_index(bench: Workbench, growth: _Growth, palace: LargePalace, size: int) -> None:
    say("asking Neo4j's vector index")
    matrix, spent, recall = palace.vectors[:size], list[float](), list[float]()
    auth = (bench.server.user, bench.server.password)
    with neo4j.GraphDatabase.driver(bench.server.uri, auth=auth) as driver:
        for _, vector in _asked(palace, size):
            best = _nearest(matrix, vector)
            started = time.perf_counter()
            found = driver.execute_query(_BY_INDEX, k=_TOP_K, vector=vector.tolist()).records
            spent.append(time.perf_counter() - started)
            recall.append(_recall(palace, best, {record["text"] for record in found}))
    growth.add("vector_index_ms", median(spent[_WARM_UP:]) * 1000)
    growth.add("vector_index_recall_at_10", float(np.mean(recall)))


async def _measure_service(growth: _Growth, service: Service, palace: LargePalace, size: int) -> None:
    asked, matrix = _asked(palace, size), palace.vectors[:size]
    async with httpx.AsyncClient(base_url=service.url, timeout=900) as client:

        async def post(path: str, **body: Any) -> dict[str, Any]:
            return (await client.post(f"/v1/{path}", json=body)).raise_for_status().json()

        say("searching")
        times, bare, recall, answers = list[float](), list[float](), list[float](), list[dict[str, Any]]()
        for words, vector in asked:
            started = time.perf_counter()
            answer = await post("search", query=words, query_embedding=vector.tolist(), top_k=_TOP_K)
            between = time.perf_counter()
            best = _nearest(matrix, vector)
            bare.append(time.perf_counter() - between)
            times.append(between - started)
            if answer["left_out"]:
                raise RuntimeError(f"a search left out {answer['left_out']}")
            answers.append(answer)
            if len(times) > _WARM_UP:
                near = await post(
                    "search",
                    query=words,
                    query_embedding=vector.tolist(),
                    top_k=_TOP_K,
                    lanes=["semantic"],
                    unlearned=True,
                )
                recall.append(_recall(palace, best, {hit["text"] for hit in near["hits"]}))
        growth.add("search_ms", median(times[_WARM_UP:]) * 1000)
        growth.add("search_p95_ms", float(np.percentile(times[_WARM_UP:], 95)) * 1000)
        growth.add("bare_cosine_ms", median(bare[_WARM_UP:]) * 1000)
        growth.add("recall_at_10", float(np.mean(recall)))
        growth.add("memory_gib", psutil.Process(service.pid).memory_info().rss / 2**30)

        say("giving feedback, walking")
        used = answers[-_TURNS:]
        spent = [await _spent(post("feedback", run=one["run"], useful=[one["hits"][0]["id"]])) for one in used]
        growth.add("feedback_ms", median(spent) * 1000)
        ends = [(one["hits"][0]["id"], other["hits"][0]["id"]) for one, other in pairwise(used)]
        growth.add("first_navigate_s", await _spent(post("navigate", **{"from": ends[0][0], "to": ends[0][1]})))
        spent = [await _spent(post("navigate", **{"from": start, "to": goal})) for start, goal in ends[1:]]
        growth.add("navigate_ms", median(spent) * 1000)
        growth.add("explore_s", median([await _spent(post("explore")) for _ in range(3)]))
        say("following changes, forgetting")
        text = f"A quite new thought of {size} about zyzzyva."
        kept = await post("drawers", text=text, wing="extra")
        started = time.perf_counter()
        found = await post("search", query="zyzzyva thought", top_k=1)
        growth.add("follow_s", time.perf_counter() - started)
        if found["hits"][0]["id"] != kept["id"]:
            raise RuntimeError("the new drawer was not found")
        await post(
            "drawers/batch", drawers=[{"text": f"Extra {at} of {size}.", "wing": "extra"} for at in range(_EXTRA)]
        )
        growth.add("forget_wing_s", await _spent(post("forget", wing="extra")))


def _decays(bench: Workbench, growth: _Growth) -> None:
    """Run the decay while some edges and drawers are warm."""
    say("decaying")
    auth = (bench.server.user, bench.server.password)
    with neo4j.GraphDatabase.driver(bench.server.uri, auth=auth) as driver, bench.service(_PALACE) as service:
        service.ready_s(lenient=True, timeout_s=900)
        with httpx.Client(base_url=service.url, timeout=900) as client:
            for name, share in _WARM.items():
                cycle = driver.execute_query("MATCH (p:Palace {name: $palace}) RETURN p.cycle AS cycle", palace=_PALACE)
                with driver.session() as session:
                    given = {"palace": _PALACE, "share": share, "cycle": cycle.records[0]["cycle"]}
                    session.run(_SET_WARM, given).consume()
                spent = []
                for _ in range(4):
                    started = time.perf_counter()
                    client.post("/v1/decay").raise_for_status()
                    spent.append(time.perf_counter() - started)
                growth.add(f"{name}_s", median(spent[1:]))


async def _transfer(bench: Workbench, growth: _Growth, size: int) -> None:
    say("exporting")
    folder = bench.home / f"exported-{size}"
    async with AsyncPalace.open(_PALACE, bench.settings, embedder=TableEmbedder()) as door:
        with growth.timing("export_s"):
            await door.export(folder)
        growth.add("export_gib", sum(file.stat().st_size for file in folder.iterdir()) / 2**30)
    if size > _MOST_IMPORTED:
        return
    say("importing")
    async with AsyncPalace.open("copy", bench.settings, embedder=TableEmbedder()) as door:
        with growth.timing("import_s"):
            await door.import_(folder)
        await door.palaces.drop("copy")


async def _spent(answer: Any) -> float:
    started = time.perf_counter()
    await answer
    return time.perf_counter() - started

"""Searching here and in MemPalace: the same drawers, words and vectors."""

from __future__ import annotations

import time
from statistics import median
from typing import Any

import numpy as np

from benchmarks.mempalace_peer import VERSION, mempalace, rankings
from benchmarks.result import Result
from benchmarks.synthetic import DIMENSION, TableEmbedder
from benchmarks.workbench import Workbench, say
from graphpalace.app import opened
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.vectors import unit_rows
from graphpalace.errors import InvalidInput
from graphpalace.evaluation.collection import Collection, read_collection
from graphpalace.evaluation.evaluate import evaluating
from graphpalace.evaluation.measure import per_question

TARGET = 1.0
DRAWERS = 10_000
_TOP_K = 10
_TURNS, _WARM_UP = 300, 2000  # Java compiles while the first ones warm up
_MAIN = "ndcg@10"


async def measure(bench: Workbench) -> Result:
    """Compare the time of a search, and nDCG@10 on each collection that was given."""
    collections = [_complete(read_collection(folder)) for folder in bench.collections]
    latency = await _latency(bench)
    ratio = latency["ratio"]
    quality = [await _quality(bench, collection) for collection in collections]
    figures = {
        "ratio_is": "p50 of a search here divided by p50 of MemPalace's, default backend; at most",
        "measured_as": "a call in a Python process of each side's own; Neo4j is a third process",
        "mempalace": VERSION,
        **latency,
        "ndcg_is": "mean nDCG@10 of each side; here above MemPalace's on each collection is the target",
        "ndcg": {figure.pop("collection"): figure for figure in quality}
        or "not measured: give --collections DIR... in BEIR form with corpus.npy and queries.npy",
    }
    met = ratio <= TARGET and all(figure["met"] for figure in quality)
    return bench.result("peers", ratio=ratio, target=TARGET, met=met, figures=figures)


async def _latency(bench: Workbench) -> dict[str, Any]:
    """Ask both sides the same question, one after the other, with given vectors."""
    palace = await bench.large(bench.drawers or DRAWERS)
    rng = np.random.default_rng(7)
    asked = palace.questions(rng, _TURNS + _WARM_UP)
    noise = rng.standard_normal((len(asked), DIMENSION), np.float32) / np.sqrt(DIMENSION)
    vectors = unit_rows(palace.vectors[[at for at, _ in asked]] + np.float32(0.5) * noise)
    documents = [{"id": own, "text": palace.text(at), "wing": "all"} for at, own in enumerate(palace.ids)]
    rows = [{"text": text, "wing": None, "top_k": _TOP_K} for _, text in asked]
    here, there, same = [], [], []
    say(f"storing {len(documents):,} drawers in MemPalace")
    with mempalace(bench.home / "peers-latency", documents, palace.vectors, rows, vectors) as peer:
        say("asking both")
        async with opened(bench.settings, embedder=TableEmbedder()) as app:
            for turn, row in enumerate(rows):
                question = SearchRequest(row["text"], query_embedding=vectors[turn].tolist(), top_k=_TOP_K)
                started = time.perf_counter()
                answer = await app.recall.search(palace.name, question)
                took_ms = (time.perf_counter() - started) * 1000
                peer_ms, ids = peer.ask(turn)
                if answer.left_out or len(answer.hits) != _TOP_K or len(ids) != _TOP_K:
                    raise RuntimeError(f"found {len(answer.hits)} and {len(ids)} of {_TOP_K}; {answer.left_out}")
                if turn >= _WARM_UP:
                    here.append(took_ms)
                    there.append(peer_ms)
                    same.append(len({hit.id for hit in answer.hits} & set(ids)))
        return {
            "drawers": len(documents),
            "ratio": median(here) / median(there),
            "search_ms": median(here),
            "search_p95_ms": float(np.percentile(here, 95)),
            "mempalace_ms": median(there),
            "mempalace_p95_ms": float(np.percentile(there, 95)),
            "same_of_top_10": float(np.mean(same)),
            "mempalace_stored_s": peer.stored_s,
        }


async def _quality(bench: Workbench, collection: Collection) -> dict[str, Any]:
    """Return the mean nDCG@10 of both sides on the same documents, questions and embeddings."""
    say(f"evaluating on {collection.name}")
    assert bench.running
    async with evaluating(bench.settings, collection) as evaluation:
        ours = (await evaluation.run(collection)).systems["search"].metrics[_MAIN]
    say(f"asking MemPalace on {collection.name}")
    ranked = rankings(bench.home / f"peers-{collection.name}", collection, depth=_TOP_K)
    relevant = {each.id: each.relevant for each in collection.questions}
    theirs = float(per_question(relevant, ranked)[_MAIN].mean())
    found = {"search": ours, "mempalace": theirs, "questions": len(ranked), "met": ours > theirs}
    return {"collection": collection.name, **found}


def _complete(collection: Collection) -> Collection:
    """Return the collection if it has all embeddings, for MemPalace has no model here."""
    vectors = [each.vector for each in (*collection.documents, *collection.questions)]
    if any(vector is None for vector in vectors):
        name = collection.name
        raise InvalidInput(f"collection {name} has no corpus.npy or no queries.npy", collection=name)
    return collection

"""Answers as JSON values, the same at every door."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # importing it would load torch
    from graphpalace.operations.answer import Answer, Hit
    from graphpalace.operations.rerank import Scored


def answer_as_json(answer: Answer) -> dict[str, Any]:
    """Return an answer with what every door shows of it."""
    return {
        "run": answer.run,
        "count": len(answer.hits),
        "hits": [hit_as_json(hit) for hit in answer.hits],
        "plan": asdict(answer.plan),
        "left_out": answer.left_out,
        "timings_ms": answer.timings_ms,
    }


def hit_as_json(hit: Hit) -> dict[str, Any]:
    """Return a hit with what every door shows of it."""
    drawer = hit.drawer
    return {
        "id": drawer["id"],
        "text": drawer["text"],
        "score": hit.score,
        "lanes": {lane: score._asdict() for lane, score in hit.lanes.items()},
        "wing": drawer["wing"],
        "room": drawer["room"],
        "closet": drawer["closet"],
        "source": {
            "uri": drawer["source_uri"],
            "start_line": drawer["start_line"],
            "end_line": drawer["end_line"],
        },
        "occurred_at": drawer["occurred_at"],
        "path": hit.path,
        "taught": asdict(hit.taught) if hit.taught else None,
        "importance": hit.importance._asdict() if hit.importance else None,
        "reranked": _parts(hit.reranked) if hit.reranked else None,
        "trail": [edge._asdict() for edge in hit.trail.edges] if hit.trail else [],
    }


def _parts(reranked: Scored) -> dict[str, float]:
    return {"dense": reranked.dense, "narrative": reranked.narrative, "pheromone": reranked.pheromone}

"""What the rankings and the times of peers come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any

import numpy as np

from graphpalace.evaluation.collection import CollectionQuestion
from graphpalace.evaluation.measure import per_question

Rankings = Mapping[str, Sequence[str]]
_METRICS = {"ndcg@10": "ndcg", "mrr@10": "mrr"}


def quality(questions: Sequence[CollectionQuestion], ranked: Rankings) -> dict[str, float]:
    """Return the mean nDCG@10 and MRR@10 of some questions."""
    values = per_question({each.id: each.relevant for each in questions}, ranked)
    return {name: float(values[metric].mean()) for metric, name in _METRICS.items()}


def learning(questions: Sequence[CollectionQuestion], before: Rankings, after: Rankings) -> dict[str, float]:
    """Return the mean nDCG@10 of some questions before feedback on others and after it."""
    return {"unlearned": quality(questions, before)["ndcg"], "learned": quality(questions, after)["ndcg"]}


@dataclass(slots=True)
class Measured:
    """What was measured of a peer.

    Attributes:
        ingest_s: Seconds by collection, until its documents could be found.
        settle_s: Seconds by collection of what it did after that in the background.
        search_ms: Of each question.
        started_s: Of each start of the process until its store was open.
        shown_bytes: Of what a model reads of each answer of five.
        failed: Why it was left out, at the place named.
    """

    documents: dict[str, int] = field(default_factory=dict)
    ingest_s: dict[str, float] = field(default_factory=dict)
    settle_s: dict[str, float] = field(default_factory=dict)
    search_ms: list[float] = field(default_factory=list)
    started_s: list[float] = field(default_factory=list)
    shown_bytes: list[int] = field(default_factory=list)
    peak_mib: list[float] = field(default_factory=list)
    installed_mib: float | None = None
    quality: dict[str, dict[str, float]] = field(default_factory=dict)
    learning: dict[str, dict[str, float]] = field(default_factory=dict)
    newest: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def figures(self) -> dict[str, Any]:
        """Return what the result of the benchmark keeps; what was not measured is None."""
        stored = sum(self.documents[name] for name in self.ingest_s)
        ingest_s = sum(self.ingest_s.values())
        settled_s = ingest_s + sum(self.settle_s.values())
        return {
            "documents_per_s": stored / ingest_s if ingest_s else None,
            "documents_per_s_settled": stored / settled_s if settled_s else None,
            "search_p10_ms": float(np.percentile(self.search_ms, 10)) if self.search_ms else None,
            "search_p50_ms": median(self.search_ms) if self.search_ms else None,
            "search_p95_ms": float(np.percentile(self.search_ms, 95)) if self.search_ms else None,
            "started_s": median(self.started_s) if self.started_s else None,
            "peak_mib": max(self.peak_mib, default=None),
            "installed_mib": self.installed_mib,
            "answer_bytes": fmean(self.shown_bytes) if self.shown_bytes else None,
            "quality": self.quality,
            "learning": self.learning,
            "newest_first": self.newest,
            "failed": self.failed,
        }

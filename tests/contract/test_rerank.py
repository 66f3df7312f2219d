"""Reranks behind every door."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graphpalace.domain.rerank import Candidate
from graphpalace.errors import GraphPalaceError, InvalidInput, NotFound


async def test_documents_and_drawers_are_put_into_order(door: Any) -> None:
    kept = await door.add("Prune the roses in late winter.", wing="garden")
    other = await door.add("Feed the sourdough starter.", wing="kitchen")
    answer = await door.rerank("prune roses", drawer_ids=[other.id, kept.id], deterministic=True)
    assert [found.id for found in answer.results] == [kept.id, other.id]
    assert answer.debug.deterministic

    own = [{"id": "a", "text": "bread", "metadata": {"shelf": 3}}, Candidate("b", "roses in winter", drawer_id=kept.id)]
    answer = await door.rerank(
        "winter roses",
        own,
        namespace="mine",
        top_k=1,
        mmr_lambda=1.0,
        gating_mode="off",
        gating_threshold=0.1,
        gating_min_candidates=1,
        gating_max_candidates=5,
        gating_entropy_temp=0.5,
        deterministic=True,
        reference_time=datetime(2026, 5, 31, tzinfo=UTC),
    )
    assert [found.id for found in answer.results] == ["b"]
    assert (answer.debug.gating.mode, answer.debug.mmr_lambda_used) == ("off", 1.0)
    assert (await door.feedback(answer.run, useful=["b"])).useful == 1

    good, bad = await door.rerank_many([{"query": "bread", "documents": own[:1]}, {"query": "x", "drawer_ids": ["no"]}])
    assert good.results[0].metadata == {"shelf": 3}
    assert isinstance(bad, GraphPalaceError)
    assert "no" in str(bad)

    with pytest.raises(InvalidInput, match="documents"):
        await door.rerank("roses")
    with pytest.raises(NotFound, match="nosuch"):
        await door.rerank("roses", drawer_ids=["drawer-nosuch"])
    with pytest.raises(InvalidInput, match="top_k"):
        await door.rerank("roses", own, top_k=0)
    with pytest.raises(GraphPalaceError, match="500"):
        await door.rerank_many([{"query": "x", "documents": own[:1]}] * 500)

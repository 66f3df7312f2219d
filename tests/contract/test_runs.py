"""Runs behind every door."""

from __future__ import annotations

from typing import Any

import pytest

from graphpalace.errors import EmptyQuery, InvalidInput, NotFound


async def test_runs_are_searched_fused_changed_and_looked_through(door: Any) -> None:
    first = await door.add("Prune the roses in late winter.", wing="garden", room="roses")
    await door.add("Feed the roses in May.", wing="garden", room="roses")
    await door.add("Feed the sourdough starter.", wing="kitchen")

    words = await door.runs.fulltext("roses", wing="garden", rollup={"ipc_level": "subclass"}, budget_bytes=64)
    assert (words.lane, words.count_returned, words.truncated) == ("fulltext", 2, False)
    meaning = await door.runs.semantic("prune roses", room="roses", top_k=1)
    assert (meaning.count_returned, meaning.truncated, meaning.cursor) == (1, True, "1")
    both = await door.runs.multilane(
        [{"lane": "fulltext", "q": "feed"}, {"lane": "semantic", "q": "feed", "wing": None}], trace_id="t"
    )
    assert (both.trace_id, [one.lane for one in both.results]) == ("t", ["fulltext", "semantic"])

    runs = [words.run_id_lane, {"run_id_lane": meaning.run_id_lane, "lane": "semantic"}]
    fused = await door.runs.blend(
        runs,
        weights={"fulltext": 2.0},
        rrf_k=30,
        beta_fuse=0.0,
        top_m_per_lane={"fulltext": 5},
        k_grid=[1, 2],
        fold="none",
        peek={"count": 1, "fields": ["text"]},
    )
    assert (fused.meta.top_k, fused.meta.count_returned) == (2, 2)
    assert fused.peek.snippets[0].fields == {"text": first.text}
    assert (await door.runs.blend(runs)).peek is None

    page = await door.runs.peek(fused.run_id, limit=1, per_field_chars={"text": 8}, strategy="match", budget_bytes=300)
    assert (page.meta.returned, page.meta.peek_cursor, page.meta.shortened) == (1, "1", 1)
    rest = await door.runs.peek(fused.run_id, offset=page.meta.peek_cursor)
    assert (rest.meta.returned, rest.meta.peek_cursor) == (1, None)
    shown = await door.runs.snippets([first.id], fields=["text"], strategy="mix", query="winter")
    assert shown == {first.id: {"text": first.text}}

    child = await door.runs.mutate(fused.run_id, {"rrf_k": 10})
    assert child.recipe["rrf_k"] == 10
    assert [point.k for point in child.frontier] == [1, 2]
    made = await door.runs.provenance(child.new_run_id, verify=True)
    assert (made.parent, made.verified.same, made.kind) == (fused.run_id, True, "fusion")
    assert (await door.runs.provenance(fused.run_id)).verified is None


async def test_wrong_requests_on_runs_are_refused(door: Any) -> None:
    await door.add("Prune the roses in late winter.", wing="garden")
    run = await door.runs.fulltext("roses")
    with pytest.raises(EmptyQuery):
        await door.runs.fulltext(" ")
    with pytest.raises(InvalidInput, match="top_k"):
        await door.runs.semantic("roses", top_k=0)
    with pytest.raises(InvalidInput, match="target_profile"):
        await door.runs.multilane([{"lane": "code"}])
    with pytest.raises(NotFound, match="fulltext-nosuch"):
        await door.runs.blend(["fulltext-nosuch"])
    with pytest.raises(InvalidInput, match="offset"):
        await door.runs.peek(run.run_id_lane, offset=-1)
    with pytest.raises(NotFound, match="drawer-nosuch"):
        await door.runs.snippets(["drawer-nosuch"])
    with pytest.raises(NotFound, match="JP1"):
        await door.runs.publication(["JP1"], id_type="app_id", fields=["desc"], per_field_chars={"desc": 50})
    with pytest.raises(InvalidInput, match="delta"):
        await door.runs.mutate(run.run_id_lane, {})
    with pytest.raises(NotFound, match="fusion-nosuch"):
        await door.runs.provenance("fusion-nosuch")

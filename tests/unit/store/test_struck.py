"""Searches, lessons and runs without some of the drawers that they name."""

from __future__ import annotations

import json

import numpy as np

from graphpalace.domain.vectors import to_bytes
from graphpalace.store.struck import run_without, search_without

EVIDENCE = np.array([0.9, 0.5, 0.1], np.float32)
SEARCH = {
    "candidates": ["a", "b", "c"],
    "evidence": to_bytes(EVIDENCE),
    "shown": 2,
    "log_odds": to_bytes(np.array([1.5, -0.5], np.float32)),
    "other_lanes": ["entity", "path"],
    "other_evidence": to_bytes(np.array([0.7, 0.6, 0.5, 0.4, 0.3, 0.2], np.float32)),
    "shares": json.dumps({"a": {"semantic": 1.0}, "b": {"semantic": 0.4}}),
    "trails": json.dumps({"b": [[["SIMILAR_TO", "a", "b"]], []]}),
    "names": "{}",
}


def test_a_search_loses_the_row_of_the_drawer_in_every_column() -> None:
    left = search_without(SEARCH, {"a"})
    assert left is not None
    assert (left["candidates"], left["shown"]) == (["b", "c"], 1)
    assert np.frombuffer(left["evidence"], "<f4").tolist() == EVIDENCE[1:].tolist()
    assert np.frombuffer(left["log_odds"], "<f4").tolist() == [-0.5]
    others = np.frombuffer(left["other_evidence"], "<f4").reshape(2, 2)
    assert (left["other_lanes"], others.tolist()) == (["entity", "path"], np.float32([[0.6, 0.5], [0.3, 0.2]]).tolist())
    assert (json.loads(left["shares"]), json.loads(left["trails"])) == ({"b": {"semantic": 0.4}}, {})


def test_a_search_that_found_nothing_else_goes_and_so_does_a_rerank_of_nothing_else() -> None:
    assert search_without(SEARCH, {"a", "b", "c"}) is None
    nothing = {"candidates": [], "evidence": b"", "log_odds": b"", "shown": 0, "other_lanes": [], "other_evidence": b""}
    rerank = SEARCH | nothing | {"shares": "{}", "trails": "{}"}
    assert search_without(rerank | {"names": '{"doc": "a"}'}, {"a"}) is None
    left = search_without(rerank | {"names": '{"doc": "a", "mine": null}'}, {"a"})
    assert left is not None
    assert json.loads(left["names"]) == {"mine": None}


def test_a_run_loses_the_drawer_with_its_score_and_where_it_was_folded() -> None:
    run = {"ids": ["a", "b"], "scores": [0.5, 0.25], "folded": '{"b": ["a", "c"]}', "contributions": '{"a": {"x": 1}}'}
    left = run_without(run, {"a"})
    assert left is not None
    assert (left["ids"], left["scores"]) == (["b"], [0.25])
    assert (json.loads(left["folded"]), json.loads(left["contributions"])) == ({"b": ["c"]}, {})
    assert run_without(run, {"a", "b"}) is None

"""What the command line says of a hit, beside its score and its text."""

from __future__ import annotations

import io
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from graphpalace.domain.search.answer import Hit, HitSource, LaneScore, Reply
from graphpalace.domain.search.news import Newer, NewsOnHit
from graphpalace.serve.cli import show_answer
from graphpalace.serve.mcp.brief_answer import _hit

HIT = Hit(
    "drawer-1", "Where is the key?", 0.5, {}, "talks", "general", "Keys", HitSource("conversation:a/b", 1, 1), None,
    [], None, None, None, None, None, None, [],
)  # fmt: skip
NEWER = Newer("drawer-2", 0.6, -0.12)


def _shown(hit: Hit) -> str:
    out = Console(file=io.StringIO(), width=200)
    found: Any = SimpleNamespace(query="the key", fits=True, hits=[hit, replace(HIT, id="drawer-2")])
    show_answer._hit(out, 1, hit, found)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def test_a_question_is_followed_by_what_was_said_next() -> None:
    said = _shown(replace(HIT, reply=Reply("drawer-3", "Ann", f"Behind the\noven. {'word ' * 100}")))
    assert "Ann, drawer-3: Behind the oven." in said
    assert said.count("word") < 100  # it is cut
    assert "reply, drawer-3: Yes." in _shown(replace(HIT, reply=Reply("drawer-3", None, "Yes.")))


def test_news_are_named_where_they_move_something() -> None:
    assert "probably outdated (60%) by hit 2, -0.120" in _shown(replace(HIT, newer=NEWER))
    assert "outdated" not in _shown(replace(HIT, newer=replace(NEWER, change=0.0)))  # the question quotes the older one
    assert "probably newer (60%) than hit 2, +0.200" in _shown(replace(HIT, news_on=NewsOnHit("drawer-2", 0.6, 0.2)))
    assert "probably newer" not in _shown(replace(HIT, news_on=NewsOnHit("drawer-2", 0.6, 0.0)))


@pytest.mark.parametrize(
    ("newer", "told"),
    [(NEWER, True), (replace(NEWER, change=0.0), False), (replace(NEWER, probability=0.3), False), (None, False)],
)
def test_a_model_is_told_that_a_hit_is_outdated_if_that_is_probable(newer: Newer | None, told: bool) -> None:
    shown = _hit(SimpleNamespace(query="the key"), replace(HIT, newer=newer), 100)  # type: ignore[arg-type]
    assert ("outdated" in shown) == told


def test_a_model_gets_what_was_said_next() -> None:
    hit = replace(HIT, reply=Reply("drawer-3", "Ann", "Behind the oven."))
    shown = _hit(SimpleNamespace(query="the key"), hit, 100)  # type: ignore[arg-type]
    assert shown["reply"] == "Ann, drawer-3: Behind the oven."


def test_the_score_of_a_hit_stands_before_what_each_lane_says_of_it() -> None:
    lanes = {"fulltext": LaneScore(1, 2.48, 0.5, 0.6), "semantic": LaneScore(None, 0.37, 0.4, 0.4)}
    assert "score 0.5000 (fulltext: rank 1, BM25 2.48; semantic: not ranked, cosine 0.37)" in _shown(
        replace(HIT, lanes=lanes)
    )

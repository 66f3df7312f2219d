"""The benchmark of other memories: its notes, its measures, its protocol with a fake peer, and its part of the page."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.peers.newest_first import Correction, newest_first, notes
from benchmarks.peers.page import losses, section
from benchmarks.peers.peer_list import GRAPHPALACE, NOT_RUN, PEERS, PROCESSES
from benchmarks.peers.peer_process import PeerFailed, PeerProcess
from benchmarks.peers.scores import Measured, learning, quality

from graphpalace.evaluation.collection import CollectionQuestion

QUESTIONS = (CollectionQuestion("one", "which?", {"a": 1}), CollectionQuestion("two", "who?", {"b": 1}))
FAKE = """
import sys
sys.path.insert(0, {processes!r})
from protocol import Peer, serve

class Fake(Peer):
    def __init__(self, folder):
        self.ids = []
        print("noise of a library")

    def ingest(self, documents):
        self.ids += [each["id"] for each in documents]

    def search(self, asked):
        if asked.text == "die":
            sys.exit(3)
        return [self.ids[at] for at in range(asked.top_k)]

    def shown(self, asked):
        return "é" * asked.top_k

serve(Fake)
"""


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[PeerProcess]:
    """A process of a fake peer."""
    script = tmp_path / "fake.py"
    script.write_text(FAKE.format(processes=str(PROCESSES)), "utf-8")
    with PeerProcess(Path(sys.executable), script, tmp_path / "home", {}, timeout_s=30) as process:
        yield process


def test_a_peer_stores_finds_and_shows(fake: PeerProcess) -> None:
    assert fake.started_s > 0
    stored = fake.ask("ingest", documents=[{"id": name, "text": name, "vector": [1.0]} for name in "abc"])
    assert stored["seconds"] >= 0
    assert fake.ask("settle")["seconds"] >= 0
    assert fake.ask("search", text="b", vector=[1.0], top_k=2)["ids"] == ["a", "b"]
    assert fake.ask("shown", text="b", vector=[1.0], top_k=5) == {"bytes": 10}
    assert fake.ask("memory")["peak_mib"] > 1


def test_an_error_of_a_peer_is_reported_and_does_not_end_it(fake: PeerProcess) -> None:
    with pytest.raises(PeerFailed, match="does not learn"):
        fake.ask("feedback", text="b", vector=[1.0], top_k=2, useful=["a"])
    with pytest.raises(PeerFailed, match="IndexError"):
        fake.ask("search", text="b", vector=[1.0], top_k=2)
    with pytest.raises(PeerFailed, match="unknown request"):
        fake.ask("dance")
    assert fake.ask("settle")["seconds"] >= 0


def test_a_peer_that_ends_is_reported(fake: PeerProcess, tmp_path: Path) -> None:
    with pytest.raises(PeerFailed, match="it ended"):
        fake.ask("search", text="die", vector=[1.0], top_k=2)
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit('no such library')", "utf-8")
    with pytest.raises(PeerFailed, match="no such library"):
        PeerProcess(Path(sys.executable), broken, tmp_path / "other", {}, timeout_s=30)


def test_a_peer_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import sys; sys.stdin.read()", "utf-8")
    with pytest.raises(PeerFailed, match="no answer"):
        PeerProcess(Path(sys.executable), slow, tmp_path / "home", {}, timeout_s=0.2)


def test_each_correction_has_an_older_note_and_a_newer_one_with_another_value() -> None:
    first, later, corrections = notes()
    assert (first, later, corrections) == notes()
    by_id = {each.id: each for each in (*first, *later)}
    assert len(by_id) == len(first) + len(later) == 160
    assert len({each.text for each in by_id.values()}) == 160
    assert max(each.occurred_at for each in first) < min(each.occurred_at for each in later)
    assert len({each.question for each in corrections}) == len(corrections) == 64
    assert sum(each.kind == "plain" for each in corrections) == 32
    for each in corrections:
        older, newer = by_id[each.older], by_id[each.newer]
        assert older in first
        assert newer in later
        assert set(older.text.rstrip(".").split()) != set(newer.text.rstrip(".").split())


def test_a_newer_note_counts_if_it_comes_before_the_older_one() -> None:
    corrections = [
        Correction("found alone", "o1", "n1", "says so"),
        Correction("before it", "o2", "n2", "plain"),
        Correction("after it", "o3", "n3", "says so"),
        Correction("neither", "o4", "n4", "plain"),
    ]
    ranked = {"found alone": ["n1"], "before it": ["x", "n2", "o2"], "after it": ["o3", "n3"], "neither": ["x"]}
    found = {"all": 0.5, "first of all": 0.25, "astray": 0.5, "says so": 0.5, "plain": 0.5}
    assert newest_first(corrections, ranked) == found


def test_the_quality_is_the_mean_over_the_questions() -> None:
    assert quality(QUESTIONS, {"one": ["a"], "two": ["x", "b"]})["mrr"] == pytest.approx(0.75)
    assert quality(QUESTIONS, {"one": ["a"]}) == {"ndcg": 0.5, "mrr": 0.5}
    assert learning(QUESTIONS, {"one": ["a"]}, {"one": ["a"], "two": ["b"]}) == {"unlearned": 0.5, "learned": 1.0}


def test_what_was_not_measured_has_no_figure() -> None:
    figures = Measured().figures()
    assert {figures[name] for name in ("documents_per_s", "search_p50_ms", "started_s", "answer_bytes")} == {None}
    measured = Measured(
        documents={"a": 10, "b": 30, "failed": 99}, ingest_s={"a": 1.0, "b": 3.0}, settle_s={"a": 4.0, "b": 0.0}
    )
    measured.search_ms = [1.0, 2.0, 9.0]
    assert measured.figures()["documents_per_s"] == 10
    assert measured.figures()["documents_per_s_settled"] == 5
    assert measured.figures()["search_p50_ms"] == 2


def test_every_peer_is_pinned_and_has_a_script() -> None:
    assert PEERS[0].name == GRAPHPALACE
    assert len({peer.name for peer in PEERS}) == len(PEERS)
    assert {peer.script for peer in PEERS} == {file.name for file in PROCESSES.glob("*_*.py")} | {"chroma.py"}
    for peer in PEERS[1:]:
        assert re.fullmatch(r"\d[\w.]*", peer.version), peer
        assert all("==" in each for each in peer.also), peer
    assert all(re.fullmatch(r"[\w-]+ \d[\w.]*", name) for name in NOT_RUN)


def test_the_section_shows_each_peer_and_where_others_are_better() -> None:
    ours = Measured(search_ms=[20.0], started_s=[9.0], quality={"c": {"ndcg": 0.8, "mrr": 0.9}}).figures()
    fast = Measured(search_ms=[0.5], started_s=[12.0], quality={"c": {"ndcg": 0.7, "mrr": 0.95}}).figures()
    newest = {"all": 0.75, "says so": 1.0, "plain": 0.5, "first of all": 0.25, "astray": 0.125}
    peers: dict[str, Any] = {GRAPHPALACE: ours | {"newest_first": newest}, "Fast": fast | {"failed": {"d": "it ended"}}}
    assert losses(peers) == [
        "- p50 of a search, ms, 20 here: Fast 0.5",
        "- p95 of a search, ms, 20 here: Fast 0.5",
        "- MRR@10 on c, 0.9 here: Fast 0.95",
    ]
    lines = section(
        {
            "peers": peers,
            "collections": {"c": [10, 2]},
            "neo4j_mib": 700.0,
            "load_before": 0.04,
            "used": {GRAPHPALACE: "in Python", "Fast": "as a library"},
            "versions": {"Fast": "1.0"},
            "not_run": {"slow 2.0": "it asks a language model"},
            "not_installed": {"Old": "it needs Python 3.12"},
        }
    )
    page = "\n".join(lines)
    assert "| Fast | .700 | .950 |" in page
    assert f"| {GRAPHPALACE} | .750 | 1.00 | .500 | .250 | .125 |" in page
    assert "| Fast | 1.0 | as a library |" in page
    for left_out in ("slow 2.0: it asks", "Old could not be installed here", "Fast failed on d: it ended"):
        assert f"- {left_out}" in page


def test_a_result_has_a_row_for_each_of_its_targets() -> None:
    from benchmarks.measures import rows_of

    figures = {"search": {"ratio": 2.0, "target": 1.0}, "newest": {"ratio": 1.5, "target": 1.0}}
    rows = rows_of({"name": "side_by_side", "ratio": 1.02, "target": 1.0, "figures": figures})
    assert [(row["name"], row["met"]) for row in rows] == [
        ("side_by_side", True),
        ("side_by_side, search", False),
        ("side_by_side, newest first", True),
    ]

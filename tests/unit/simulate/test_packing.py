"""States of simulations as bytes, also those of versions before."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.simulate.swarms import (
    KINDS,
    Corpus,
    array,
    corpus_of,
    pairs_of,
    random_vectors,
    standing_at,
    trails_of,
)

from graphpalace.simulate.convergence import Convergence, Rules, metrics_of
from graphpalace.simulate.documents import Documents
from graphpalace.simulate.packing import packed, unpacked
from graphpalace.simulate.swarm import RandomStream

_IDS = [f"d{row:02}" for row in range(40)]


def _packed(corpus: Corpus, steps: int) -> bytes:
    swarm, convergence = corpus.swarm(20), Convergence()
    for _ in range(steps):
        swarm = corpus.after(swarm, 1)
        convergence = convergence.following(swarm, metrics_of(swarm), Rules(window=3, top_k_kept=0.5))
    return packed(swarm, convergence, _IDS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("steps", [0, 6])
def test_a_state_is_the_same_after_it_was_packed(kind: str, steps: int) -> None:
    corpus = corpus_of(random_vectors(40, 12), kind=kind)
    once = _packed(corpus, steps)
    swarm, convergence = unpacked(once, corpus.documents, _IDS)
    assert packed(swarm, convergence, _IDS) == once
    assert swarm.random == RandomStream(5, 3 + steps)


def test_the_largest_seed_of_the_last_shard_is_kept() -> None:
    corpus = corpus_of(random_vectors(40, 12))
    state = packed(corpus.swarm(2, seed=2**63 + 998), Convergence(), _IDS)
    assert unpacked(state, corpus.documents, _IDS)[0].random.seed == 2**63 + 998


@pytest.mark.parametrize("kind", KINDS)
def test_documents_that_went_leave_no_trace_and_new_ones_were_never_visited(kind: str) -> None:
    corpus = corpus_of(random_vectors(40, 12), kind=kind)
    state = _packed(corpus, 12)
    before, _ = unpacked(state, corpus.documents, _IDS)
    gone = int(np.argmax(before.visits.tolist()))
    kept = [row for row in range(40) if row != gone]
    vectors = np.concatenate([random_vectors(1, 12, seed=9), random_vectors(40, 12)[kept]])
    ids = ["new", *(_IDS[row] for row in kept)]
    now = corpus_of(vectors, kind=kind)
    after, convergence = unpacked(state, now.documents, ids)
    assert after.visits.tolist() == [0, *(before.visits.tolist()[row] for row in kept)]
    assert after.last_visited.tolist()[0] == -np.inf
    row_of = {row: place for place, row in enumerate(kept, 1)}
    assert pairs_of(after.trails) == {
        (row_of[one], row_of[other]): strength
        for (one, other), strength in pairs_of(before.trails).items()
        if gone not in (one, other)
    }
    assert not convergence.checkpoints
    assert now.after(after, 1).step == 13


def test_a_state_with_the_generator_of_torch_goes_on_with_other_numbers_each_time_the_same() -> None:
    corpus = corpus_of(random_vectors(40, 12))
    known = dict(np.load(io.BytesIO(_packed(corpus, 6))))
    known["random"] = np.arange(5056, dtype=np.uint64).astype(np.uint8)  # as long as that generator's state
    file = io.BytesIO()
    np.savez(file, **known)  # type: ignore[arg-type]
    one, again = (unpacked(file.getvalue(), corpus.documents, _IDS)[0] for _ in range(2))
    assert one.visits.tolist() == known["visits"].tolist()
    assert corpus.after(one, 3).agents.positions.tolist() == corpus.after(again, 3).agents.positions.tolist()


def test_what_is_known_of_documents_moves_to_their_new_places() -> None:
    corpus = corpus_of(np.eye(6, dtype=np.float32))
    swarm = standing_at(corpus, 4, recent=[4, 1, 0, 2])
    swarm = replace(
        swarm,
        agents=replace(
            swarm.agents.joined(swarm.agents),
            recent=array([[4, 1, 0, 2], [1, 5, 2, -1]]),
            cosines=array(np.zeros((2, 3))),  # of the corpus before
        ),
        trails=trails_of(6, {(0, 4): 0.5, (1, 4): 0.25, (0, 2): 0.75, (4, 5): 0.125}),
        visits=array([1, 2, 3, 4, 5, 6]),
        last_visited=array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        relevance=array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
    )
    state = packed(swarm, Convergence(), "abcdef")
    # b and d went, g is new; e was the fifth and is the first now.
    now = Documents.of(np.eye(6, dtype=np.float32)[[4, 0, 2, 3, 5]])
    found, _ = unpacked(state, now, "eacgf")
    assert found.agents.recent.tolist() == [[0, 1, 2, -1], [4, 2, -1, -1]]
    assert found.agents.near[:, 0].tolist() == [0, 0]
    assert found.agents.cosines.tolist() == [[1, 0, 0], [1, 0, 0]]
    assert pairs_of(found.trails) == {(0, 1): 0.5, (1, 2): 0.75, (0, 4): 0.125}
    assert found.visits.tolist() == [5, 1, 3, 0, 6]
    assert found.last_visited.tolist() == [5, 1, 3, -np.inf, 6]
    assert found.relevance.tolist() == pytest.approx([0.5, 0.1, 0.3, 0.0, 0.6])
    for name in ("visits", "last_visited", "relevance"):
        assert getattr(found, name).dtype == getattr(swarm, name).dtype


def _changed(state: bytes, **columns: np.ndarray | None) -> bytes:
    """Return a packed state with other columns, or without those that are None."""
    known = {**np.load(io.BytesIO(state)), **columns}
    file = io.BytesIO()
    np.savez(file, **{name: column for name, column in known.items() if column is not None})  # type: ignore[arg-type]
    return file.getvalue()


def test_a_state_without_limits_relative_to_the_run_gets_those_of_the_steps_that_are_left() -> None:
    corpus = corpus_of(random_vectors(40, 12))
    state = _packed(corpus, 6)
    _, whole = unpacked(state, corpus.documents, _IDS)
    moments = np.load(io.BytesIO(state))["moments"]
    older = _changed(state, moments=moments[:, :2], top=None, top_sizes=None, range=None)
    _, found = unpacked(older, corpus.documents, _IDS)
    assert (found.trails_held, found.relevance_held) == (whole.trails_held, whole.relevance_held)
    for checkpoint, now in zip(whole.checkpoints, found.checkpoints, strict=True):
        assert now.present.tolist() == checkpoint.present.tolist()
        assert (now.trail_mass, now.avg_rel) == (checkpoint.trail_mass, checkpoint.avg_rel)
        assert (now.avg_speed, now.top.tolist()) == (0, [])
    means = [checkpoint.avg_rel for checkpoint in whole.checkpoints]
    assert (found.least, found.most) == (min(means), max(means))
    _, empty = unpacked(
        _changed(_packed(corpus, 0), moments=np.empty((0, 2)), top=None, top_sizes=None, range=None),
        corpus.documents,
        _IDS,
    )
    assert empty == Convergence()


def test_a_state_that_could_run_code_is_refused() -> None:
    corpus = corpus_of(random_vectors(40, 12))
    unsafe = _changed(_packed(corpus, 0), ids=np.array([_IDS], dtype=object))
    with pytest.raises(ValueError, match="allow_pickle=False"):
        unpacked(unsafe, corpus.documents, _IDS)

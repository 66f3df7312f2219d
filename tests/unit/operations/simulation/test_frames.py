"""The picture of a step: where agents are drawn, with numbers worked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.simulate.swarms import Corpus, array, random_vectors

from graphpalace.operations.simulation.frames import Frame, FrameRenderer
from graphpalace.simulate.documents import Documents
from graphpalace.simulate.step import QueryRelevance
from graphpalace.simulate.swarm import Swarm


def _corpus(vectors: np.ndarray) -> Corpus:
    documents, query = Documents.of(array(vectors)), array(vectors.mean(axis=0))
    asked = QueryRelevance(documents.cosines(query), array(np.zeros(len(vectors))))
    return Corpus(documents, query, asked)


def _moved(swarm: Swarm, corpus: Corpus, positions: np.ndarray) -> Swarm:
    near, cosines = corpus.documents.nearest(array(positions))
    return replace(swarm, agents=replace(swarm.agents, positions=array(positions), near=near, cosines=cosines))


def _drawn(corpus: Corpus, swarm: Swarm) -> Frame:
    return FrameRenderer(corpus.documents).draw(swarm, dims=2, min_trail_strength=0.05, max_edges=10)


def test_an_agent_is_drawn_among_its_three_documents_by_their_inverse_squared_distance() -> None:
    corpus = _corpus(np.eye(4))
    half = np.sqrt(0.5)
    swarm = _moved(corpus.swarm(2), corpus, np.array([[1.0, 0, 0, 0], [half, half, 0, 0]]))
    frame = _drawn(corpus, swarm)
    places = np.array(frame.documents)
    # On a document: squared distances 0, 2 and 2, so 1000 to .49975 to .49975.
    assert frame.agents[0] == pytest.approx(places[0], abs=0.002)
    # Between two: squared distances .5858, .5858 and 2, so 1.7042 to 1.7042 to .49975.
    third = places[int(swarm.agents.near[1, 2])]
    assert frame.agents[1] == pytest.approx(0.43606 * places[0] + 0.43606 * places[1] + 0.12788 * third, abs=0.0005)


def test_it_is_counted_at_how_many_documents_the_agents_are() -> None:
    corpus = _corpus(np.eye(4))
    swarm = _moved(corpus.swarm(3), corpus, np.eye(4)[[0, 0, 2]])
    assert _drawn(corpus, swarm).shown["agents_at"] == 2


def test_agents_that_start_around_a_question_do_not_start_on_one_spot() -> None:
    corpus = _corpus(random_vectors(300, 384))
    frame = _drawn(corpus, corpus.swarm(100))
    assert frame.shown["agents_at"] > 30
    spread = np.std(frame.agents, axis=0).mean() / np.std(frame.documents, axis=0).mean()
    assert spread > 0.4

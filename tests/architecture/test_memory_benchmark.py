"""The benchmark of memory ranks and scores as it says, on a collection that can be checked by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from benchmarks.memory import Rankings, by_meaning, by_words, scores

from graphpalace.evaluation.collection import Collection, CollectionDocument, CollectionQuestion

DOCUMENTS = tuple(
    CollectionDocument(name, "", text, wing, session, np.array(vector, np.float32))
    for name, text, wing, session, vector in (
        ("a1", "we planted roses in the garden", "ann", "a", (1.0, 0.0)),
        ("a2", "the roses need water", "ann", "a", (0.9, 0.1)),
        ("b1", "the boat leaks", "ann", "b", (0.0, 1.0)),
        ("c1", "roses of somebody else", "ben", "c", (1.0, 0.1)),
    )
)
QUESTIONS = (
    CollectionQuestion("rose", "which rose was planted?", {"a1": 1}, "ann", vector=np.array((1.0, 0.0), np.float32)),
    CollectionQuestion("boats", "boats that leak", {"b1": 1, "c1": 1}, vector=np.array((0.0, 1.0), np.float32)),
    CollectionQuestion("left out", "roses", {"a1": 1}, "ann", frozenset({"a2"}), np.array((1.0, 0.0), np.float32)),
)
COLLECTION = Collection("garden", DOCUMENTS, QUESTIONS, 0, 2)


@pytest.mark.parametrize("rank", [by_words, by_meaning])
def test_a_question_with_a_wing_is_asked_there_alone_and_what_it_excludes_is_left_out(
    rank: Callable[[Collection], Rankings],
) -> None:
    ranked = rank(COLLECTION)
    assert ranked["rose"][0] == "a1"
    assert set(ranked["rose"]) == {"a1", "a2", "b1"}
    assert ranked["boats"][0] == "b1"
    assert "c1" in ranked["boats"]
    assert set(ranked["left out"]) == {"a1", "b1"}


def test_conversations_are_scored_by_their_first_turn_and_turns_by_themselves() -> None:
    found = scores(COLLECTION, {"rose": ["a2", "b1", "a1"], "boats": ["b1", "a1", "a2", "c1"], "left out": []})
    assert found["any@5"] == pytest.approx(2 / 3)
    assert found["all@5"] == pytest.approx(2 / 3)
    assert found["recall@5"] == pytest.approx(2 / 3)

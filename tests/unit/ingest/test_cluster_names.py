from __future__ import annotations

import numpy as np
import pytest

from graphpalace.ingest.cluster import central
from graphpalace.ingest.cluster_names import names

BREAD = ["sourdough bread in the oven", "rye sourdough bread", "a sourdough bread starter", "sourdough bread at night"]
ROSES = ["roses need pruning", "climbing roses on the wall", "roses and aphids", "the old roses"]


def named(texts: list[str], labels: list[int], titles: list[str] | None = None) -> list[str]:
    middle = [labels.index(number) for number in range(max(labels) + 1)]
    return names(texts, np.array(labels), central=middle, titles=titles or [f"note {at}" for at in range(len(texts))])


def test_a_room_is_named_by_what_most_of_its_documents_say_and_few_others_do() -> None:
    assert named([*BREAD, *ROSES], [0] * 4 + [1] * 4) == ["sourdough bread", "roses"]


def test_keywords_of_code_and_words_of_form_are_no_names() -> None:
    texts = [f"class _Box: def f(self, key): return None  # see traceback {at}" for at in range(4)]
    assert named([*texts, *ROSES], [0] * 4 + [1] * 4, [*(f"box{at}.py" for at in range(4)), *"abcd"])[0] == "box0.py"


def test_what_is_not_distinctive_is_named_after_its_central_document() -> None:
    texts = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]
    titles = ["First", "b", "c", "First", "e", "f"]
    assert named(texts, [0, 0, 0, 1, 1, 1], titles) == ["First", "First 2"]


def test_no_words_at_all_leave_the_titles() -> None:
    assert named(["1", "2", "3"], [0, 0, 1], ["x", "y", "z"]) == ["x", "z"]


def test_the_central_document_is_the_nearest_to_the_mean() -> None:
    angles = np.array([0.0, 0.3, 0.5, 2.0, 2.1, 2.5])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    assert central(vectors, np.array([0, 0, 0, 1, 1, 1])) == [1, 4]


@pytest.mark.parametrize("labels", [[0, 0, 0, 0], [0, 1, 2, 3]])
def test_names_are_different(labels: list[int]) -> None:
    found = named(["tea tea"] * 4, labels, ["Tea"] * 4)
    assert len(set(found)) == len(found) == max(labels) + 1

from __future__ import annotations

import pytest
from tests.unit.entities.test_bridge import index_of

from graphpalace.entities.name_index import question_names

NAMES = ("Ada Lovelace", "Python", "J. R. R. Tolkien", "The Hobbit", "Who", "Parse", "argparse.ArgumentParser", "May")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("When was Ada Lovelace born?", {"Ada Lovelace"}),
        ("when was ada lovelace's mother born", {"Ada Lovelace"}),
        ("is there a python in the garden", set()),
        ("What does Python eat?", {"Python"}),
        ("Python is a snake", set()),  # the capital letter begins the sentence
        ("It bit him. Python or viper?", set()),
        ("Who wrote it?", set()),
        ("may I ask", set()),
        ("did J.R.R. Tolkien write The Hobbit in May", {"J. R. R. Tolkien", "The Hobbit", "May"}),
        ("Parse Arguments With Argparse", set()),  # a heading, whose capitals say nothing
        ("how do I extend argparse.ArgumentParser", {"argparse.ArgumentParser"}),
        ("Ada Lovelace", set()),  # looks for her, not for something else by way of her
        ("who was Ada Lovelace?", set()),
        ("who was Ada Lovelace's mother?", {"Ada Lovelace"}),
        ("Ada Lovelace and her Python", {"Ada Lovelace", "Python"}),
        ("", set()),
        ("?", set()),
    ],
)
def test_known_names_are_found_in_questions(question: str, names: set[str]) -> None:
    index = index_of(dict.fromkeys(NAMES, False))
    assert {index.shown[row] for row in question_names(question, index)} == names


def test_a_palace_without_names_knows_none() -> None:
    assert question_names("is Oslo far?", index_of()) == set()

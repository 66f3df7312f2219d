from __future__ import annotations

from graphpalace.store.lucene import escaped


def test_every_special_character_is_a_word_character_afterwards() -> None:
    assert escaped(r'+-!(){}[]^"~*?:\/&|') == "".join(f"\\{c}" for c in r'+-!(){}[]^"~*?:\/&|')


def test_operators_become_words_and_words_come_once() -> None:
    assert escaped("cats AND dogs NOT cats") == "cats and dogs not"


def test_a_very_long_question_stays_below_lucenes_limit_of_clauses() -> None:
    assert len(escaped(" ".join(str(number) for number in range(5000))).split()) == 256


def test_nothing_gives_nothing() -> None:
    assert escaped(" \n\t ") == ""

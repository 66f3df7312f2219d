from __future__ import annotations

from graphpalace.store.search.lucene import neighbours, phrase, weighted, word_weights


def test_every_special_character_is_a_word_character_afterwards() -> None:
    assert " ".join(word_weights(r'+-!(){}[]^"~*?:\/&|')) == "".join(f"\\{c}" for c in r'+-!(){}[]^"~*?:\/&|')


def test_operators_become_words_and_words_come_once() -> None:
    assert list(word_weights("cats AND dogs NOT cats")) == ["cats", "and", "dogs", "not"]


def test_a_word_that_is_repeated_weighs_the_square_root_of_its_count() -> None:
    assert word_weights("memory, stores: Memory! memory memory") == {"memory,": 2.0, "stores\\:": 1.0}


def test_a_query_names_only_weights_that_are_not_one() -> None:
    assert weighted({"key": 1.0, "spare": 2**0.5}) == "key spare^1.414"


def test_a_very_long_question_stays_below_lucenes_limit_of_clauses() -> None:
    assert len(word_weights(" ".join(str(number) for number in range(5000)))) == 256


def test_nothing_gives_nothing() -> None:
    assert word_weights(" \n\t ") == {}


def test_punctuation_alone_is_a_word_of_its_own() -> None:
    assert list(word_weights("? ! ?")) == ["\\?", "\\!"]


def test_neighbours_are_pairs_of_words_as_they_follow_each_other() -> None:
    assert neighbours("to be OR not to be") == [
        ("to", "be"),
        ("be", "or"),
        ("or", "not"),
        ("not", "to"),
    ]
    assert neighbours("very very long") == [("very", "long")]
    assert neighbours("one") == neighbours("") == []
    assert len(neighbours(" ".join(str(number) for number in range(5000)))) == 32


def test_a_phrase_is_escaped_like_words() -> None:
    (pair,) = neighbours('say "hi"')
    assert phrase(pair, weight=0.25) == r'"say \"hi\""^0.25'

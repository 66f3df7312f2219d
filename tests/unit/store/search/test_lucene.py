from __future__ import annotations

from graphpalace.store.search.lucene import neighbours, phrase, query_words, weighted


def queries(question: str) -> list[str]:
    return [word.query for word in query_words(question)]


def test_every_special_character_is_a_word_character_afterwards() -> None:
    assert queries(r'x+-!(){}[]^"~*?\/&|') == ["x" + "".join(f"\\{c}" for c in r'+-!(){}[]^"~*?\/&|')]


def test_operators_become_words_and_words_come_once() -> None:
    assert queries("cats AND dogs NOT cats") == ["cats", "and", "dogs", "not"]


def test_a_word_that_is_repeated_weighs_the_square_root_of_its_count() -> None:
    words = query_words("memory, stores: Memory! memory memory")
    assert {word.query: word.weight for word in words} == {"memory,": 2.0, "stores\\:": 1.0}
    (number,) = query_words("F-16 F16 f16 F-16")
    assert number.weight == 2


def test_a_word_with_its_spellings_and_parts_is_one_clause_of_one_words_weight() -> None:
    assert queries("min_cost of F-16") == [
        '(mincost min^0.25 cost^0.25 "min cost"^0.125)',
        "of",
        '(F16 F^0.25 16^0.25 "F 16"^0.125)',
    ]
    assert queries("KX505?") == ['(KX505 KX^0.25 505^0.25 "KX 505"^0.125)']  # as people write it with a space
    assert queries("1257.40") == ['(1257.40 1^0.25 257.40^0.25 "1 257.40"^0.125)']  # and with a comma, which is a space
    assert queries("B2 2b x123456789 257.40 0257.40") == ["B2", "2b", "x123456789", "257.40", "0257.40"]
    assert queries("Peña") == ["Pena"]
    assert queries("boundary-layer") == ["(boundarylayer^0.25 boundary\\-layer)"]  # two words that mean what it does
    assert [word.word for word in query_words("node.js boundary-layer")] == ["nodejs", "boundary-layer"]


def test_a_query_names_only_weights_that_are_not_one() -> None:
    assert weighted([("key", 1.0), ("spare", 2**0.5)]) == "key spare^1.414"


def test_a_very_long_question_stays_below_lucenes_limit_of_clauses() -> None:
    assert len(query_words(" ".join(str(number) for number in range(0, 50_000, 10)))) == 256
    assert len(query_words(" ".join(f"a{number}-b" for number in range(5000)))) == 256 // 3


def test_nothing_and_signs_that_say_nothing_give_nothing() -> None:
    assert query_words(" \n\t ") == query_words("? ! ?") == []


def test_neighbours_are_pairs_of_words_as_they_follow_each_other() -> None:
    def pairs(question: str) -> list[tuple[str, str]]:
        return [(one.query, other.query) for one, other in neighbours(question)]

    assert pairs("to be OR not to be") == [("to", "be"), ("be", "or"), ("or", "not"), ("not", "to")]
    assert pairs("very very long") == [("very", "long")]
    assert pairs("one") == pairs("") == []
    assert len(pairs(" ".join(str(number) for number in range(5000)))) == 32


def test_a_phrase_is_escaped_like_words_and_has_the_parts_of_words() -> None:
    (pair,) = neighbours('say "hi"')
    assert phrase(pair, weight=0.25) == r'"say \"hi\""^0.25'
    (pair,) = neighbours("the F-16")
    assert phrase(pair, weight=0.25) == '"the F 16"^0.25'

"""The benchmarks have as many questions as they ask for, whatever the size of their palace."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.synthetic import COMMON, named_text, questions, text_names, vocabulary, word_ranks

from graphpalace.entities.mention import ReadableText
from graphpalace.entities.rules import RuleRecogniser


@pytest.mark.parametrize("texts", [1000, 3000])
def test_a_small_palace_has_words_for_as_many_questions_as_a_large_one(texts: int) -> None:
    words = vocabulary()
    ranks = word_ranks(np.random.default_rng(1), texts)
    asked = questions(np.random.default_rng(2), ranks, words, 3400)
    assert len(asked) == 3400
    frequent = set(words[:COMMON])
    for at, question in asked:
        chosen = question.split()
        assert 3 <= len(chosen) <= 12
        assert set(chosen) <= {words[rank] for rank in ranks[at]} - frequent


def test_no_word_is_asked_twice_while_the_words_suffice() -> None:
    asked = questions(np.random.default_rng(2), word_ranks(np.random.default_rng(1), 3000), vocabulary(), 1000)
    chosen = [word for _, question in asked for word in question.split()]
    assert len(chosen) == len(set(chosen))


def test_texts_of_common_words_alone_have_no_question() -> None:
    with pytest.raises(ValueError, match="no text has enough words"):
        questions(np.random.default_rng(2), [np.arange(60)] * 3, vocabulary(), 1)


def test_the_rules_find_all_names_of_the_texts_of_which_others_of_the_topic_have_some() -> None:
    topics, words = np.arange(500) // 50, vocabulary()
    names = text_names(np.random.default_rng(3), topics)
    ranks = word_ranks(np.random.default_rng(1), 500)
    texts = [named_text(of_text, words, each) for of_text, each in zip(ranks, names, strict=True)]
    read = RuleRecogniser().names([ReadableText(text) for text in texts])
    assert [{each.name for each in found} for found in read] == [set(each) for each in names]
    first = [name for each in names[:50] for name in each]
    assert len(first) > len(set(first)) > 40

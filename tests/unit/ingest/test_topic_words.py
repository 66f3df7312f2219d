from __future__ import annotations

import numpy as np
import pytest

from graphpalace.ingest.topic_words import TopicDocument, TopicWords, topic_words


def words_of(*documents: TopicDocument) -> TopicWords:
    return topic_words(documents, least=1, most=len(documents))


def weight(words: TopicWords, name: str) -> np.ndarray:
    return words.weights.toarray()[:, words.names.index(name)]


def test_singular_and_plural_are_one_word_in_its_usual_form() -> None:
    words = words_of(TopicDocument("a", "Roses and roses"), TopicDocument("b", "a rose, some roses"))
    assert [name for name in words.names if "ose" in name] == ["roses"]


@pytest.mark.parametrize(("texts", "name"), [(["The CSS", "CSS"], "CSS"), (["Table", "Table", "a table"], "table")])
def test_a_word_is_in_small_letters_unless_it_is_seldom_written_so(texts: list[str], name: str) -> None:
    assert name in words_of(*(TopicDocument("x", text) for text in texts)).names


def test_a_title_a_heading_a_label_and_a_link_say_what_a_note_is_about_and_its_text_the_more_often_the_more() -> None:
    words = words_of(
        TopicDocument("Pruning", "[[Old walls]] roses roses roses, soil", ("Tools",), ("garden",)),
        TopicDocument("", "soil"),
    )
    for name in ("Pruning", "Old walls", "Tools", "garden"):
        assert weight(words, name).tolist() == [1, 0]
    assert 1 > weight(words, "roses")[0] > weight(words, "soil")[0] > 0


def test_words_of_form_and_small_words_name_nothing() -> None:
    words = words_of(
        TopicDocument("", "These examples return a value, however; statement statement, built implementation")
    )
    assert words.names == ["statement"]


def test_a_word_of_form_may_be_meant_by_a_title() -> None:
    assert "order" in words_of(TopicDocument("Your order 48", "")).names


def test_the_subject_of_a_mail_is_a_name_without_its_re_and_the_name_of_a_file_is_none() -> None:
    assert "Roof repair quote" in words_of(TopicDocument("AW: Re: Roof repair quote", "")).names
    assert words_of(TopicDocument("old soup.txt", "")).names == ["soup"]


def test_a_link_to_a_note_with_a_long_title_names_no_topic() -> None:
    names = words_of(TopicDocument("", "[[Machine learning]] [[How the old oven was repaired]]")).names
    assert "Machine learning" in names
    assert "How the old oven was repaired" not in names


def test_identifiers_calls_addresses_and_quoted_lines_are_left_out() -> None:
    text = "os.walk walk_all run(x) see https://example.org/garden anna@example.org\n> hedges\n"
    assert words_of(TopicDocument("", text)).names == []


def test_words_of_too_few_or_too_many_documents_are_left_out() -> None:
    documents = [TopicDocument("", f"tea {word}") for word in ("cup", "cup", "pot")]
    assert sorted(topic_words(documents, least=2, most=2).names) == ["cup", "tea cup"]


def test_no_words_at_all_are_no_names() -> None:
    assert words_of(TopicDocument("1", "2"), TopicDocument("", "")).names == []

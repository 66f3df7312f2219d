from __future__ import annotations

import numpy as np

from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.ingest.topic_words import TopicDocument
from graphpalace.ingest.topics import Topic, compared, topics

BREAD = ["the dough rests", "flour and dough", "dough in the oven", "knead the dough", "cold dough", "sour dough"]
ROSES = ["prune the roses", "roses on the wall", "old roses", "roses and aphids", "climbing roses", "yellow roses"]
ODD = ["a letter to the bank", "the train was late", "blue paint", "chess on Friday"]


def directions(*groups: int, dimension: int = 24) -> Matrix:
    """Return unit vectors: those of a group are near to each other, those of two groups are not."""
    noise = 0.1 * np.random.default_rng(0).standard_normal((len(groups), dimension))
    return unit_rows((np.eye(dimension)[list(groups)] + noise).astype(np.float32))


def found(texts: list[str], vectors: Matrix) -> list[Topic]:
    return topics({row: TopicDocument("", text) for row, text in enumerate(texts)}, vectors)


def test_a_topic_is_named_by_what_most_of_its_documents_say_and_few_others_do() -> None:
    texts = [*BREAD, *ROSES, *ODD]
    vectors = directions(*[0] * 6, *[1] * 6, 2, 3, 4, 5)
    assert {topic.name: topic.members for topic in found(texts, vectors)} == {
        "dough": [0, 1, 2, 3, 4, 5],
        "roses": [6, 7, 8, 9, 10, 11],
    }


def test_documents_that_no_name_covers_are_in_no_topic() -> None:
    texts = [*ODD, "snow", "a map", "two keys", "green tea", *BREAD]
    (topic,) = found(texts, directions(*[0] * 8, *[1] * 6))
    assert (topic.name, topic.members) == ("dough", list(range(8, 14)))


def test_a_document_about_the_name_belongs_to_the_topic_if_it_is_not_far() -> None:
    vectors = directions(*[0] * 6, *[1] * 6, 2, 3)
    vectors[12] = unit_rows(vectors[12:13] + 0.5 * vectors[:1])[0]
    texts = [*BREAD, *ROSES, "dough", "dough"]
    members = {topic.name: topic.members for topic in found(texts, vectors)}
    assert 12 in members["dough"]
    assert 13 not in members["dough"]


def test_what_all_documents_are_about_is_no_name() -> None:
    texts = [f"bread {text}" for text in [*BREAD, *ROSES, *ODD]]
    names = {topic.name for topic in found(texts, directions(*[0] * 6, *[1] * 6, 2, 3, 4, 5))}
    assert names == {"dough", "roses"}


def test_the_same_documents_give_the_same_topics_and_no_two_have_one_name() -> None:
    texts = [*BREAD, *ROSES, *BREAD]
    vectors = directions(*[0] * 6, *[1] * 6, *[2] * 6)
    once = found(texts, vectors)
    assert once == found(texts, vectors)
    assert len({topic.name for topic in once}) == len(once)


def test_without_words_there_are_no_topics() -> None:
    assert found(["1"] * 12, directions(*[0] * 6, *[1] * 6)) == []


def test_of_many_documents_the_words_of_2000_find_the_topics_of_all() -> None:
    count = 3000
    vectors = directions(*(row % 2 for row in range(count)))
    rows = compared(count)
    assert (len(rows), rows[0], rows[-1]) == (2000, 0, count - 1)
    documents = {row: TopicDocument("", (BREAD, ROSES)[row % 2][row % 6]) for row in rows}
    assert {topic.name: len(topic.members) for topic in topics(documents, vectors)} == {"dough": 1500, "roses": 1500}

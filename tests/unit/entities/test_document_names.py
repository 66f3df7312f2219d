"""Names of one document that mean one thing."""

from __future__ import annotations

import pytest

from graphpalace.domain.knowledge.entity import EntityType
from graphpalace.entities.document_names import apart, document_names, full_names
from graphpalace.entities.mention import Mention

PERSON, ORG, PLACE, CONCEPT = EntityType.PERSON, EntityType.ORGANISATION, EntityType.PLACE, EntityType.CONCEPT


@pytest.mark.parametrize(
    ("mentions", "aliases"),
    [
        (
            [("John Smith", PERSON), ("Smith", PERSON), ("J. Smith", PERSON)],
            {"smith": "john smith", "j smith": "john smith"},
        ),
        (
            [("John Smith", PERSON), ("Mary Smith", PERSON), ("Smith", PERSON), ("M. Smith", PERSON)],
            {"m smith": "mary smith"},
        ),
        ([("John Smith", PERSON), ("James Smith", PERSON), ("J. Smith", PERSON)], {}),
        ([("George Washington", PERSON), ("Washington", PLACE)], {}),
        ([("New York", PLACE), ("York", PLACE)], {}),
        ([("Analytical Engine", CONCEPT), ("Engine", CONCEPT)], {}),
        ([("World Health Organization", ORG), ("WHO", ORG)], {"who": "world health organization"}),
        ([("Bank of England", ORG), ("BE", ORG)], {}),
        ([("John Smith", PERSON)], {}),
        ([], {}),
    ],
)
def test_a_short_name_means_the_one_full_name_that_it_fits(
    mentions: list[tuple[str, EntityType]], aliases: dict[str, str]
) -> None:
    assert full_names(Mention(*each) for each in mentions) == aliases


def test_a_name_of_another_passage_explains_a_short_one() -> None:
    first, second = document_names(
        [[Mention("John Smith", PERSON)], [Mention("Smith", PERSON), Mention("Smith", PERSON)]]
    )
    assert [use.name for use in first] == ["john smith"]
    assert [(use.name, use.counts, use.written["smith"]) for use in second] == [("john smith", {"smith": 2}, "Smith")]


def test_a_name_that_was_read_before_explains_a_short_one() -> None:
    (uses,) = document_names([[Mention("Smith", PERSON)]], known=[Mention("John Smith", PERSON)])
    assert [use.name for use in uses] == ["john smith"]


def test_the_title_is_a_name_of_every_passage_if_it_looks_like_one() -> None:
    passages = document_names([[], [Mention("Ed Wood", PERSON)]], title="Ed Wood (film)")
    assert [[(use.name, use.titled, use.counts) for use in uses] for uses in passages] == [
        [("ed wood", "ed wood", {"ed wood": 0})],
        [("ed wood", "ed wood", {"ed wood": 1})],
    ]
    assert document_names([[]], title="src/ed_wood.py") == [[]]
    assert document_names([[]], title="") == [[]]


def test_the_aliases_and_tags_of_a_note_are_names_of_every_passage() -> None:
    passages = document_names(
        [[], [Mention("keel", CONCEPT)]], title="the hull", aliases=["Keel", "...", "Old hull"], tags=["boats"]
    )
    first = {"keel": "keel", "old hull": "old hull", "boats": None}
    assert [{use.name: use.titled for use in uses} for uses in passages] == [first, first]
    assert [{name: n for use in uses for name, n in use.counts.items()} for uses in passages] == [
        {"keel": 0, "old hull": 0, "boats": 0},
        {"keel": 1, "old hull": 0, "boats": 0},
    ]


def test_a_name_that_was_split_off_by_hand_stays_on_its_own() -> None:
    (uses,) = document_names([[Mention("John Smith", PERSON), Mention("Smith", PERSON), Mention("Smith", PERSON)]])
    split = apart(uses, {"john smith": frozenset({"smith"})})
    assert [(use.name, use.counts) for use in split] == [("john smith", {"john smith": 1}), ("smith", {"smith": 2})]
    assert apart(uses, {}) == uses


def test_names_without_letters_are_left_out() -> None:
    assert document_names([[Mention("...", PERSON)]]) == [[]]

import pytest

from graphpalace.domain.palaces.places import HallType
from graphpalace.ingest.place import hall_type


@pytest.mark.parametrize(
    ("hall", "texts"),
    [
        (HallType.PREFERENCES, ["Anna prefers green tea.", "I really like jazz. Blue is her favourite colour."]),
        (
            HallType.ADVICE,
            ["You should back up first. Avoid spaces in names.", "How to install it: make sure Java runs."],
        ),
        (HallType.EVENTS, ["The meeting was on 2024-03-01.", "Version 2 was released yesterday."]),
        (HallType.DISCOVERIES, ["We found that the cache was stale. The root cause was a race."]),
        (HallType.FACTS, ["Water boils at 100 degrees.", "Paris is the capital of France."]),
    ],
)
def test_the_cue_of_most_sentences_decides(hall, texts):
    assert hall_type(texts) is hall


def test_no_text_holds_facts():
    assert hall_type([]) is HallType.FACTS
    assert hall_type([" \n"]) is HallType.FACTS


def test_two_cues_in_balance_hold_facts():
    assert hall_type(["I like tea.", "You should drink tea."]) is HallType.FACTS


def test_a_cue_in_few_sentences_holds_facts():
    assert hall_type(["I like tea."] + ["The sky is blue."] * 3) is HallType.FACTS
    assert hall_type(["I like tea."] + ["The sky is blue."] * 2) is HallType.PREFERENCES


def test_cues_are_whole_words():
    assert hall_type(["The tipping point.", "Mustard is yellow.", "Unwanted likeness."]) is HallType.FACTS


def test_like_as_a_comparison_is_no_preference():
    assert hall_type(["It looks like rain.", "Functions like this one return numbers."]) is HallType.FACTS

from __future__ import annotations

import pytest

from graphpalace.domain.drawers.drawer_text import code_name, embedded_text, title_words


@pytest.mark.parametrize(
    ("definitions", "name"),
    [
        ([], "box"),
        ([("open",)], "box.open"),
        ([("Box",), ("Box", "open")], "box.Box.open"),  # the head of the class and its first method
        ([("Box", "open"), ("Box", "open")], "box.Box.open"),
        ([("Box", "open"), ("Box", "close")], "box.Box: open, close"),
        ([("open",), ("Lid", "lift")], "box: open, Lid.lift"),
        ([("Box", name) for name in "abcdef"], "box.Box: a, b, c, d, ..."),
    ],
)
def test_a_piece_of_code_is_named_by_the_innermost_definitions_in_it(
    definitions: list[tuple[str, ...]], name: str
) -> None:
    assert code_name("box", definitions) == name


def test_a_name_is_not_longer_than_it_can_be_shown() -> None:
    assert len(code_name("m", [("x" * 500,)])) == 200


def test_the_words_of_a_title_are_those_of_its_document_and_of_its_name() -> None:
    assert title_words("notes", None) == "notes"
    assert title_words("box.py", "box.Box.lift_lid") == "box py box Box lift lid boxpy boxBoxliftlid"
    assert title_words("A valve", None, "EP1234567B1") == "A valve EP1234567B1 EP1234567 1234567"
    assert title_words("EP1234567B1", None, "EP1234567B1") == "EP1234567B1 EP1234567 1234567"


def test_a_name_is_embedded_in_words_before_the_text() -> None:
    assert embedded_text(None, "text") == "text"
    assert embedded_text("box.Box: open, close", "text") == "box Box open close:\ntext"

"""Source code is parsed with work that grows as its length does, or not at all."""

from __future__ import annotations

import pytest

from graphpalace.ingest.readers.code import definitions
from graphpalace.ingest.syntax import LANGUAGE_OF_SUFFIX, syntax_tree

FUNCTION = (
    "def area(width, height):\n    # in square metres, of a room that has four corners\n    return width * height\n\n"
)


@pytest.mark.parametrize(
    ("part", "language"), [("/* ", "javascript"), ("/* ", "cpp"), ("<!--", "python"), ("<!--", "c")]
)
@pytest.mark.timeout(30)
def test_a_text_whose_parsing_grows_with_the_square_of_its_length_has_no_tree(part: str, language: str) -> None:
    assert syntax_tree(part.encode() * 20, language) is not None  # little work, however strange
    assert syntax_tree(part.encode() * 30_000, language) is None
    assert definitions(part * 30_000, language, container_chars=1200) == []


def test_long_code_has_the_whole_tree_also_with_mistakes_and_letters_of_many_bytes() -> None:
    for text in (FUNCTION * 2000, f"{FUNCTION}def é(:\n" * 500, f"x = '{'é' * 50_000}'\n{FUNCTION}"):
        root = syntax_tree(text.encode(), "python")
        assert root is not None
        assert (root.start_byte, root.end_byte) == (0, len(text.encode()))
    assert len(definitions(FUNCTION * 2000, "python", container_chars=1200)) == 2000


@pytest.mark.parametrize("language", sorted(set(LANGUAGE_OF_SUFFIX.values())))
def test_an_empty_text_has_a_tree_in_every_language(language: str) -> None:
    assert syntax_tree(b"", language) is not None


@pytest.mark.parametrize("language", [None, "cobol"])
def test_a_language_without_a_grammar_has_none(language: str | None) -> None:
    assert syntax_tree(b"x = 1", language) is None

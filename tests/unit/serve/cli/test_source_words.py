"""Sources in words."""

from __future__ import annotations

import pytest

from graphpalace.serve.cli.show_answer import source_words


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("notes:keys", "notes of keys"),
        ("notes:a: b", "notes of a: b"),
        ("file:///home/ann/my%20notes.md", "/home/ann/my notes.md:3-9"),
        ("conversation:codex/4711", "conversation:codex/4711:3-9"),
        ("https://example.org/a%20b", "https://example.org/a%20b:3-9"),
    ],
)
def test_a_file_is_a_path_with_lines_and_a_text_without_a_source_is_of_the_notes_of_its_room(
    uri: str, shown: str
) -> None:
    assert source_words(uri, 3, 9) == shown

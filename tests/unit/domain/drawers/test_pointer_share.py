from __future__ import annotations

import pytest

from graphpalace.domain.drawers.drawer_text import pointer_share


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("", 0),
        ("Bees visit flowers.", 0),
        ("- [Bees and flowers](bees.md)\n- [Honey](honey.md)\n", 1),
        ("1. [Bees][1]\n2. [Honey][2]\n\n[1]: bees.md\n[2]: honey.md", 1),
        ("* :doc:`bees`\n* :ref:`honey`", 1),
        ("`Bees <https://bees.example>`_ and `honey <https://honey.example>`_", 2 / 3),
        ("https://bees.example/a/b?c=d", 1),
        ("A visit to https://bees.example today", 1 / 5),  # an address is one word
        ("Bees ............. 12\nHoney . . . . . . 14", 1),
        ("[Bees](bees.md) make honey from nectar", 1 / 5),
        ("# Links\n\n- [Bees](bees.md)", 1 / 2),  # a heading is not a link
        ("a[1](2) = b['x']", 1 / 4),  # as in code; not half of it
        ("wait ... what", 0),
    ],
)
def test_the_share_of_words_that_are_links(text: str, share: float) -> None:
    assert pointer_share(text) == pytest.approx(share)


@pytest.mark.parametrize("part", ["[", "[a](", ". ", ".", "a.", "`", "<a", ":a", "\n", "- ", "[a]: ", "x ://"])
def test_a_long_text_is_judged_by_its_beginning(part: str) -> None:
    """With expressions that go back without limit, these texts would take hours."""
    text = part * 300_000
    assert pointer_share(text) == pointer_share(f"{text} [a](b) [c][d] ://") == pointer_share(text[:20_000])

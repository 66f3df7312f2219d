from __future__ import annotations

import pytest

from graphpalace.domain.texts import counted


@pytest.mark.parametrize(
    ("given", "said"),
    [((0, "hit"), "0 hits"), ((1, "hit"), "1 hit"), ((2, "hit"), "2 hits"), ((2, "box", "boxes"), "2 boxes")],
)
def test_only_one_is_singular(given: tuple[int, str], said: str) -> None:
    assert counted(*given) == said

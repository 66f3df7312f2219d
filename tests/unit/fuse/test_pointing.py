from __future__ import annotations

import pytest

from graphpalace.fuse.pointing import change_by_pointing


@pytest.mark.parametrize(("share", "change"), [(0.5, 0.0), (0.75, -0.05), (1.0, -0.1)])
def test_the_more_words_are_links_the_lower_down_to_the_penalty(share: float, change: float) -> None:
    assert change_by_pointing(share, penalty=0.1) == pytest.approx(change)

"""How calls are written."""

from __future__ import annotations

import pytest

from graphpalace.client import wire
from graphpalace.errors import InvalidInput


def test_a_number_that_json_does_not_have_is_refused() -> None:
    with pytest.raises(InvalidInput, match="not finite"):
        wire.encoded({"reward": float("nan")})

"""How calls are written, and how failures are read."""

from __future__ import annotations

import pytest

from graphpalace.client import wire
from graphpalace.client.transports.reply import Reply
from graphpalace.errors import InvalidInput, NotFound


def test_a_number_that_json_does_not_have_is_refused() -> None:
    with pytest.raises(InvalidInput, match="not finite"):
        wire.encoded({"reward": float("nan")})


@pytest.mark.parametrize(("more", "request_id"), [(b"", ""), (b', "request_id": "order-7"', "order-7")])
def test_an_error_has_the_id_of_its_request_if_the_service_says_it(more: bytes, request_id: str) -> None:
    body = b'{"error": {"code": "NOT_FOUND", "message": "no", "detail": null%s}}' % more
    with pytest.raises(NotFound) as failed:
        wire.check(Reply(404, body))
    assert failed.value.request_id == request_id

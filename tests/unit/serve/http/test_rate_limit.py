from __future__ import annotations

import pytest

from graphpalace.errors import RateLimited
from graphpalace.serve.http.limits.admission import RateLimit


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_client_may_ask_so_often_in_any_minute() -> None:
    clock = Clock()
    limit = RateLimit(2, clock=clock)
    limit.pass_or_refuse("a")
    clock.now += 30
    limit.pass_or_refuse("a")
    clock.now += 20.5
    with pytest.raises(RateLimited, match=r"more than 2 requests in a minute .* try again in 10 seconds") as refused:
        limit.pass_or_refuse("a")
    assert refused.value.detail == {"retry_after_s": 10}
    clock.now += 9.5  # a minute after the first; what was refused does not count
    limit.pass_or_refuse("a")
    with pytest.raises(RateLimited):
        limit.pass_or_refuse("a")


def test_clients_are_counted_apart_and_forgotten_after_a_minute() -> None:
    clock = Clock()
    limit = RateLimit(1, clock=clock)
    for client in "abc":
        limit.pass_or_refuse(client)
    clock.now += 61
    limit.pass_or_refuse("d")
    assert list(limit._requests) == ["d"]


def test_zero_is_no_limit() -> None:
    limit = RateLimit(0)
    for _ in range(1000):
        limit.pass_or_refuse("a")

"""The id of what a task works on: of a request, from the door to the transactions in Neo4j, or of background work.

The id goes with the context of a task, into the tasks that it starts and into `asyncio.to_thread`.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from graphpalace.domain.deadline import without_deadline
from graphpalace.telemetry.spans import outside_of_traces, root_span, trace_id

T = TypeVar("T")
_CURRENT: ContextVar[str] = ContextVar("work_id", default="")
_PLAIN = re.compile(r"[\w.-]{1,128}", re.ASCII)
_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")


def current_id() -> str:
    """Return the id of what the current task works on; "" outside of requests and background work."""
    return _CURRENT.get()


def id_of_request(headers: Mapping[bytes, bytes]) -> str:
    """Return the id of a request: its X-Request-Id if that is a plain one, else that of its trace, else a new one.

    Args:
        headers: Of the request, by their names in lower case.
    """
    given = headers.get(b"x-request-id", b"").decode("latin-1")
    if _PLAIN.fullmatch(given):
        return given
    trace = _TRACEPARENT.fullmatch(headers.get(b"traceparent", b"").decode("latin-1"))
    return trace[1] if trace else trace_id() or secrets.token_hex(16)


@contextmanager
def working_as(work_id: str) -> Iterator[None]:
    """Give what runs in this block an id."""
    token = _CURRENT.set(work_id)
    try:
        yield
    finally:
        _CURRENT.reset(token)


@contextmanager
def background(kind: str, *, work_id: str = "", **attributes: str | float) -> Iterator[None]:
    """Give a piece of background work an id of its own, such as `settle-3f9a1c0b72de`, and a trace.

    Args:
        kind: What is done; the name of the span.
        work_id: Its id, if it has one already.
        attributes: Of the span.
    """
    own = work_id or _new(kind)
    with working_as(own), root_span(kind, request_id=own, **attributes):
        yield


def background_task(kind: str, work: Coroutine[Any, Any, T], *, work_id: str = "") -> asyncio.Task[T]:
    """Start a task that outlives the request that starts it: it has no deadline, an id of its own, and is not traced.

    What is traced of it is in `background`.

    Args:
        kind: What is done.
        work_id: Its id, if it has one already.
    """

    async def own() -> T:
        with working_as(work_id or _new(kind)), outside_of_traces():
            return await work

    task = without_deadline(own())
    task.add_done_callback(lambda _: work.close())  # of a task that was cancelled before its first step
    return task


def _new(kind: str) -> str:
    return f"{kind}-{secrets.token_hex(6)}"

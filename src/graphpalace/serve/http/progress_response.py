"""An answer that reports the progress of a task as lines of JSON, and ends the task when the client leaves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from typing import Any, Self

import structlog
from fastapi.responses import StreamingResponse
from pydantic import BaseModel
from starlette.types import Receive, Scope, Send

from graphpalace.errors import GraphPalaceError
from graphpalace.serve.http.errors import error_body

_LOG = structlog.get_logger("graphpalace.http")
_BETWEEN_S = 0.2  # of two lines of progress


def progress_lines(line: type[BaseModel], *, last: str) -> dict[int | str, dict[str, Any]]:
    """Return what OpenAPI says of an answer in lines.

    Args:
        line: What each line is.
        last: What the last line tells, such as "report".
    """
    described = f"lines of JSON: the progress, and at the end the {last}; a failure in between is a line with `error`"
    return {200: {"description": described, "model": line}}


class LinesResponse(StreamingResponse):
    """Sends lines of JSON."""

    media_type = "application/x-ndjson"


class ProgressResponse(LinesResponse):
    """Sends the lines that a task reports, then its result, or its error as a line with `error`."""

    def __init__(self, task: asyncio.Task[Mapping[str, Any]], reported: asyncio.Queue[Mapping[str, Any]]) -> None:
        """Follow a task.

        Args:
            task: It returns the last line.
            reported: Where it puts the other lines. Of those that come quickly, only the latest is sent.
        """
        self._task = task
        self._reported = reported
        super().__init__(self._lines())

    @classmethod
    def of(
        cls,
        work: Callable[[Callable[[Any], None]], Coroutine[Any, Any, Any]],
        *,
        line: Callable[[Any], Mapping[str, Any]],
        last: Callable[[Any], Mapping[str, Any]],
    ) -> Self:
        """Start work and follow it.

        Args:
            work: Takes the function to call with the progress.
            line: Returns the line for some progress.
            last: Returns the last line for the result.
        """
        reported: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()

        async def run() -> Mapping[str, Any]:
            return last(await work(lambda progress: reported.put_nowait(line(progress))))

        return cls(asyncio.create_task(run()), reported)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer; end the task if the client leaves."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._task.cancel()

    async def _lines(self) -> AsyncIterator[bytes]:
        while not self._task.done():
            await asyncio.wait([self._task], timeout=_BETWEEN_S)
            latest = None
            while not self._reported.empty():
                latest = self._reported.get_nowait()
            if latest is not None and not self._task.done():
                yield _line(latest)
        yield _line(self._last())

    def _last(self) -> Mapping[str, Any]:
        try:
            return self._task.result()
        except GraphPalaceError as error:
            return error_body(error.code, error.message, error.detail or None)
        except asyncio.CancelledError:
            return error_body("INTERNAL_ERROR", "the service is stopping; what is already stored is kept")
        except Exception:
            _LOG.exception("unexpected_error")
            return error_body(
                "INTERNAL_ERROR", "an unexpected error happened; the service's log has more under the request_id"
            )


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"

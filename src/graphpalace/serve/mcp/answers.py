"""Answers of tools: an object, or {"error": reason} if the call failed. Source: seed 002."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec

import structlog
from fastmcp.exceptions import ValidationError
from fastmcp.server.middleware import Middleware, MiddlewareContext
from fastmcp.tools import ToolResult
from mcp_types import CallToolRequestParams
from pydantic import ValidationError as PydanticValidationError

from graphpalace.errors import GraphPalaceError
from graphpalace.serve.render import json_schema

_LOG = structlog.get_logger("graphpalace.mcp")
_SHOWN_CHARS = 100
_P = ParamSpec("_P")


def answered(tool: Callable[_P, Awaitable[dict[str, Any]]]) -> Callable[_P, Awaitable[dict[str, Any]]]:
    """Wrap a tool: log each call, and turn errors into answers."""
    log = _LOG.bind(tool=tool.__name__)

    @functools.wraps(tool)
    async def answer(*args: _P.args, **kwargs: _P.kwargs) -> dict[str, Any]:
        log.info("tool_started")
        started = time.monotonic()
        try:
            found = await tool(*args, **kwargs)
        except asyncio.CancelledError:
            log.info("tool_given_up")
            raise
        except GraphPalaceError as error:
            log.warning("tool_failed", code=error.code, reason=error.message)
            return {"error": error.message}
        except Exception as error:
            log.exception("tool_failed")
            return {"error": f"an unexpected error happened: {error!r}"}
        log.info("tool_ended", ms=round((time.monotonic() - started) * 1000, 2))
        return found

    return answer


def answer_schema(answer: type) -> dict[str, Any]:
    """Return the JSON schema of a tool's answer: that of the given type, or of an error only."""
    schema = json_schema(answer)
    error = {"error": {"type": "string", "description": "what was wrong; an answer with it has nothing else"}}
    return schema | {"properties": schema["properties"] | error, "required": []}


class WrongArguments(Middleware):
    """Middleware that answers invalid arguments in the same form as a tool's error."""

    async def on_call_tool(self, context: MiddlewareContext[CallToolRequestParams], call_next: Any) -> Any:
        """Call the tool, or answer with the error in its arguments."""
        try:
            return await call_next(context)
        except ValidationError as error:
            wrong = error.__cause__
            reason = reasons(wrong) if isinstance(wrong, PydanticValidationError) else str(error)
            _LOG.warning("tool_failed", tool=context.message.name, reason=reason)
            return ToolResult(structured_content={"error": reason})


def reasons(wrong: PydanticValidationError) -> str:
    """Return a description of each invalid field: its name, its value, and what is expected."""
    return "; ".join(_reason(found) for found in wrong.errors(include_url=False))


def _reason(found: Any) -> str:
    field = ".".join(map(str, found["loc"]))
    if found["type"] in ("missing_argument", "missing"):
        return f"{field} is missing"
    if found["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        return f"{field} is no argument of this tool"
    shown = repr(found["input"])
    shown = shown if len(shown) <= _SHOWN_CHARS else shown[:_SHOWN_CHARS] + "…"
    return f"{field} is {shown}; {found['msg'].replace('Input should', 'it must')}"

"""Answers of tools: an object, or {"error": reason} if the call failed. Source: seed 002."""

from __future__ import annotations

import asyncio
import functools
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ParamSpec

import structlog
from fastmcp.tools import ToolResult
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError as PydanticValidationError

from graphpalace.domain.quoting import quoted
from graphpalace.domain.value_reasons import BOUNDS, value_reason
from graphpalace.errors import GraphPalaceError
from graphpalace.serve.render import as_json
from graphpalace.telemetry import metrics

_LOG = structlog.get_logger("graphpalace.mcp")
_SHOWN_CHARS = 100
_LIMITS = {"minimum": "ge", "exclusiveMinimum": "gt", "maximum": "le", "exclusiveMaximum": "lt"}
# What pydantic adds to the place of a value that may be of several types.
_CHOICE = re.compile(r"int|str|float|bool|datetime|function-.*|.*\[.*\]")
_P = ParamSpec("_P")


def answered(tool: Callable[_P, Awaitable[Any]]) -> Callable[_P, Awaitable[ToolResult]]:
    """Wrap a tool: log each call, show its answer as JSON, and turn errors into answers."""
    name = getattr(tool, "__name__", "tool")
    log = _LOG.bind(tool=name)

    @functools.wraps(tool)
    async def answer(*args: _P.args, **kwargs: _P.kwargs) -> ToolResult:
        log.info("tool_started")
        started = time.monotonic()
        outcome = "failed"
        try:
            found = as_json(await tool(*args, **kwargs))
        except (asyncio.CancelledError, MCPError):
            outcome = "given_up"
            log.info("tool_given_up")
            raise
        except GraphPalaceError as error:
            log.warning("tool_failed", code=error.code, reason=error.message)
            return refusal(error.message)
        except Exception as error:
            log.exception("tool_failed")
            return refusal(quoted(f"an unexpected error happened: {error!r}"))
        else:
            outcome = "answered"
        finally:
            metrics.MCP_CALLS.labels(name, outcome).inc()
            metrics.MCP_SECONDS.labels(name).observe(time.monotonic() - started)
        log.info("tool_ended", ms=round((time.monotonic() - started) * 1000, 2))
        return ToolResult(content=[], structured_content=found)

    answer.__annotations__ = {**tool.__annotations__, "return": ToolResult}
    return answer


def refusal(reason: str) -> ToolResult:
    """Return the answer of a call that failed, and so changed nothing."""
    return ToolResult(content=[], structured_content={"error": reason}, is_error=True)


def reasons(wrong: PydanticValidationError, schema: Mapping[str, Any] | None = None) -> str:
    """Return a description of each invalid field: its name, its value, and what is expected.

    Args:
        schema: The JSON schema of the arguments, which knows the limits of each.
    """
    told: dict[str, str] = {}
    for found in wrong.errors(include_url=False):
        place = [part for part in found["loc"] if not _CHOICE.fullmatch(str(part))]
        field, said = ".".join(map(str, place)), _reason(found, place, schema or {})
        # Of a value that may be one of several kinds, pydantic says what is wrong with each.
        told[field] = f"{told[field]} or {said.rpartition('it must be ')[2]}" if field in told else said
    return "; ".join(told.values())


def _reason(found: Any, place: Sequence[Any], schema: Mapping[str, Any]) -> str:
    field = ".".join(map(str, place))
    if found["type"] in ("missing_argument", "missing"):
        return f"{field} is missing"
    if found["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        return f"{field} is no argument of this tool"
    shown = repr(found["input"])
    shown = shown if len(shown) <= _SHOWN_CHARS else shown[:_SHOWN_CHARS] + "…"
    return (
        f"{field} is {shown}; {value_reason(found, bounds=_bounds(place, schema) if found['type'] in BOUNDS else None)}"
    )


def _bounds(place: Sequence[Any], schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the limits of an argument; None if it is one inside of an object."""
    if len(place) != 1 or not (declared := schema.get("properties", {}).get(place[0])):
        return None
    plain = [declared, *declared.get("anyOf", ())]
    return {short: one[name] for name, short in _LIMITS.items() for one in plain if name in one} or None

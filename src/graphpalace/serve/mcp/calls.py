"""What stands between a client and the tools: what it sees, what is wrong with a call, and the form of its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from fastmcp import Context
from fastmcp.exceptions import ValidationError
from fastmcp.prompts import Prompt
from fastmcp.server.dependencies import get_http_request
from fastmcp.server.middleware import Middleware, MiddlewareContext
from fastmcp.tools import Tool, ToolResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, TextContent
from pydantic import ValidationError as PydanticValidationError

from graphpalace.client.wire import keyed
from graphpalace.domain.access.caller import current_caller
from graphpalace.domain.mcp_profiles import profiles_in, wrong_choice
from graphpalace.errors import InvalidInput
from graphpalace.serve.mcp.answers import reasons, refusal
from graphpalace.serve.mcp.hosts import shows_only_text
from graphpalace.serve.mcp.offered_tool import OfferedTool
from graphpalace.serve.mcp.schemas import compact
from graphpalace.settings.sections.service import McpSettings
from graphpalace.telemetry.spans import span
from graphpalace.telemetry.work_ids import background, current_id


@dataclass(frozen=True, slots=True)
class View:
    """What one client sees.

    Attributes:
        profiles: Names of profiles; `all` is every one.
        read_only: Whether tools that change something are left out.
        as_text: Whether answers are text instead of structured content.
    """

    profiles: frozenset[str]
    read_only: bool
    as_text: bool

    def has(self, profiles: frozenset[str]) -> bool:
        """Return whether something of these profiles is in one of the client's."""
        return "all" in self.profiles or not self.profiles.isdisjoint(profiles)


def view_of(settings: McpSettings, context: Context | None) -> View:
    """Return what the current client sees.

    Raises:
        MCPError: If the address of the request asks for something unknown.
    """
    # An address can forbid writing, but not allow it where the settings forbid it.
    asked = _address()
    for name in ("profile", "answers", "read_only"):
        if name in asked and (wrong := wrong_choice(name, asked[name])):
            raise MCPError(INVALID_PARAMS, wrong)
    profiles = profiles_in(asked.get("profile", settings.profile))
    answers = asked.get("answers", settings.answers)
    read_only = settings.read_only or asked.get("read_only", "").lower() == "true" or current_caller().only_reads
    return View(profiles, read_only, answers == "text" or shows_only_text(_client(context)))


def asked_palace() -> str | None:
    """Return the palace that the address of the request asks for, if it asks for one."""
    return _address().get("palace")


def _address() -> Mapping[str, str]:
    """Return the query of the request's address; it is empty on standard input."""
    try:
        return get_http_request().query_params
    except RuntimeError:
        return {}


def _client(context: Context | None) -> str:
    """Return the name that the client gave itself, or an empty one over HTTP, where requests stand alone."""
    try:
        about = context.session.client_params if context is not None else None
    except RuntimeError:
        return ""
    return about.client_info.name if about is not None else ""


_LOG = structlog.get_logger("graphpalace.mcp")
# The text beside a structured answer. Most hosts show their model one of the two, so this line is for those that show
# the text: it says how to get the answer as text instead.
_SEE_STRUCTURE = "The answer is in structuredContent. If you see only this line, set [mcp] answers to text."

_ONLY_READING = "[mcp] read_only, the address or the API key allows only reading"


class Calls(Middleware):
    """Middleware for lists and calls of tools."""

    def __init__(
        self,
        settings: McpSettings,
        tools: Sequence[OfferedTool],
        schemas: Mapping[str, Mapping[str, Any]],
        prompts: Mapping[str, frozenset[str]],
    ) -> None:
        """Remember what there is.

        Args:
            schemas: JSON schemas of the tools' arguments, by name.
            prompts: The profiles of each prompt, by name.
        """
        self._settings = settings
        self._tools = {tool.name: tool for tool in tools}
        self._schemas = schemas
        self._prompts = prompts

    async def on_list_tools(self, context: MiddlewareContext[Any], call_next: Any) -> Sequence[Tool]:
        """List the tools that the client sees. Answers that are text have no schema."""
        view = view_of(self._settings, context.fastmcp_context)
        seen = [tool for tool in await call_next(context) if self._shows(view, tool.name)]
        return [tool.model_copy(update={"output_schema": None}) for tool in seen] if view.as_text else seen

    async def on_list_prompts(self, context: MiddlewareContext[Any], call_next: Any) -> Sequence[Prompt]:
        """List the prompts that the client sees."""
        view = view_of(self._settings, context.fastmcp_context)
        return [prompt for prompt in await call_next(context) if view.has(self._prompts[prompt.name])]

    async def on_call_tool(self, context: MiddlewareContext[CallToolRequestParams], call_next: Any) -> ToolResult:
        """Call a tool, or answer why it cannot be called so."""
        if current_id():
            return await self._called(context, call_next)
        with background("tool"):  # a call over stdio to a palace of this process, where no request has given it an id
            return await self._called(context, call_next)

    async def _called(self, context: MiddlewareContext[CallToolRequestParams], call_next: Any) -> ToolResult:
        view = view_of(self._settings, context.fastmcp_context)
        wrong = self._refused(view, context.message)
        if wrong is None:
            try:
                with keyed(_key(context)), span(f"tool {context.message.name}"):
                    return _in_form(await call_next(context), view)
            except InvalidInput as error:
                wrong = error.message
            except ValidationError as error:
                cause = error.__cause__
                schema = self._schemas[context.message.name]
                wrong = reasons(cause, schema) if isinstance(cause, PydanticValidationError) else str(error)
        _LOG.warning("tool_failed", tool=context.message.name, reason=wrong)
        return _in_form(refusal(wrong), view)

    def _shows(self, view: View, name: str) -> bool:
        tool = self._tools[name]
        return view.has(tool.profiles) and not (view.read_only and tool.writes)

    def _refused(self, view: View, call: CallToolRequestParams) -> str | None:
        """Return why a client cannot call a tool, and what it can do instead."""
        name = call.name
        if name not in self._tools:
            seen = ", ".join(known for known in self._tools if self._shows(view, known))
            return f"there is no tool {name!r}; there are {seen}"
        tool = self._tools[name]
        if view.read_only and tool.writes:
            return f"{name} changes the palace, but {_ONLY_READING}"
        if view.read_only and tool.writing_argument in (call.arguments or {}):
            return f"{name} with {tool.writing_argument} writes, but {_ONLY_READING}: leave it out"
        if not view.has(tool.profiles):
            shown = ",".join(sorted(view.profiles))
            return f"{name} is not in the profile {shown}; choose the profile {' or '.join(sorted(tool.profiles))}"
        return None


def _key(context: MiddlewareContext[Any]) -> str | None:
    """Return the key under which a client makes a call, from its metadata; None if it gives none."""
    session = context.fastmcp_context
    asked = None if session is None else session.request_context
    key = None if asked is None else dict(asked.meta or {}).get("idempotencyKey")
    return None if key is None else str(key)


def _in_form(result: ToolResult, view: View) -> ToolResult:
    """Return an answer, with its request's id, as structured content or as text, so that nothing is sent twice."""
    answer, meta = result.structured_content, {"requestId": current_id()}
    if view.as_text:
        text = compact(answer)
        return ToolResult(content=[TextContent(type="text", text=text)], meta=meta, is_error=result.is_error)
    line = str((answer or {}).get("error", "")) if result.is_error else _SEE_STRUCTURE
    content = [TextContent(type="text", text=line)]
    return ToolResult(content=content, structured_content=answer, meta=meta, is_error=result.is_error)

"""What one client sees: the settings, what the address of its request asks for, and what its host can show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fastmcp import Context
from fastmcp.server.dependencies import get_http_request
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from graphpalace.domain.access.caller import current_caller
from graphpalace.domain.mcp_profiles import profiles_in, wrong_choice
from graphpalace.serve.mcp.hosts import shows_only_text
from graphpalace.settings.sections.mcp import McpSettings


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

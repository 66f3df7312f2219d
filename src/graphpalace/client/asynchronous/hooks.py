"""What hooks of hosts ask for, and when they ran."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from graphpalace.client import wire
from graphpalace.client.asynchronous.link import AsyncLink

if TYPE_CHECKING:
    from graphpalace.domain.hooks import HookAnswer, HookReport, HostName


class AsyncHooks:
    """The hooks of hosts of agents, which `graphpalace install` sets up."""

    def __init__(self, link: AsyncLink) -> None:
        """Use the link of a palace."""
        self._link = link

    async def report(self) -> HookReport:
        """Return which hooks are installed, when each ran last, how long it took, and what went wrong.

        What is installed is read from the files of the user that the service runs as, not from those of projects.
        """
        from graphpalace.domain.hooks import HookReport

        return await self._link.get(HookReport, "/v1/hooks")

    async def run(self, host: HostName, event: str, input: Mapping[str, Any]) -> HookAnswer:
        """Do what a hook of a host asks for, and return what the host shall read.

        At the begin of a session it is what to know now, for a prompt what fits it well, and at other events nothing:
        then the conversation is filed from its transcript, in the background.

        Args:
            host: claude-code, codex, cursor or gemini.
            event: As the host names it, for example UserPromptSubmit.
            input: The object that the host sends to its hooks.
        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If the host has no such event, or the service may not read its transcript.
        """
        from graphpalace.domain.hooks import HookAnswer

        where = f"/v1/hooks/{wire.segment('host', host)}/{wire.segment('event', event)}"
        return await self._link.post(HookAnswer, where, input={**input})

# Written by `make client` from ../asynchronous/hooks.py; change that file.
"""The hooks of hosts of agents, which `graphpalace install` sets up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.hooks import HookAnswer, HookReport


class Hooks:
    """The hooks of hosts of agents, which `graphpalace install` sets up."""

    def __init__(self, link: Link) -> None:
        """Use the link of a palace."""
        self._link = link

    def report(self) -> HookReport:
        """Show which hooks of hosts are installed, when each ran last, how long it took, and what went wrong.

        What is installed is read from the files of the user that the service runs as, not from those of projects.
        """
        from graphpalace.offers.hooks import REPORT

        return self._link.call(REPORT)

    def run(
        self, host: Literal["claude-code", "codex", "cursor", "gemini"], event: str, input: Mapping[str, Any]
    ) -> HookAnswer:
        """Do what a hook of a host asks for, and return what the host shall read.

        At the begin of a session it is what to know now, for a prompt what fits it well, and at other events nothing:
        then the conversation is filed from its transcript on the service's machine, in the background.

        Args:
            host: The program whose hook it is: claude-code, codex, cursor or gemini.
            event: As the host names it.
            input: The object that the host sends to its hooks.
        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If the host has no such event, or the service may not read its transcript.
        """
        from graphpalace.offers.hooks import RUN

        return self._link.call(RUN, host=host, event=event, input=input)

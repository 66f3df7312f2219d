"""Do what a hook of a host asks for: tell what to know, tell what fits a prompt, or file the conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import structlog

from graphpalace.agent_hosts.host_config import installed_hosts
from graphpalace.domain.conversations import TranscriptFile, conversation_uri
from graphpalace.domain.hooks import FILING, HOST_EVENTS, HookAnswer, HookReport, HostName, event_of, known_host
from graphpalace.domain.search.answer import Hit
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.wake_up import LEAST_BYTES, WakeUpRequest
from graphpalace.errors import GraphPalaceError, InvalidInput, NotFound
from graphpalace.fuse.snippets import ELLIPSIS
from graphpalace.hook import notes
from graphpalace.operations.conversations.conversations import Conversations
from graphpalace.operations.drawers.source_files import readable_paths
from graphpalace.operations.hooks.filing_behind import FilingBehind
from graphpalace.operations.hooks.hosts import (
    HostInput,
    host_input,
    output_of,
    recall_context,
    transcript_of,
    wake_up_context,
)
from graphpalace.operations.hooks.reports import hook_report, read_json, unfiled
from graphpalace.operations.hooks.told import ToldDrawers, said_already
from graphpalace.operations.search.recall import Recall
from graphpalace.operations.wake_up import WakingUp
from graphpalace.settings.sections.ingest import HookSettings

_LOG = structlog.get_logger("graphpalace.hooks")
_MOST_HITS = 3
_LEAST_LETTERS = 8  # a shorter prompt, such as "go on", asks for nothing that could be looked up
_MOST_QUERY_CHARS = 2000
_ANEW = ("clear", "compact")  # sessions that begin with an empty context, or a summary

Heard = Callable[[], Awaitable[bool]]


async def _heard() -> bool:
    return True


class Hooks:
    """Does what hooks ask for.

    Args:
        data_dir: Where hooks note their runs, in a folder of theirs.
        usual_palace: The palace of a transcript that was left without the name of one.
        folders: The folders whose transcripts may be read; None: any.
    """

    def __init__(
        self,
        waking_up: WakingUp,
        recall: Recall,
        conversations: Conversations,
        *,
        settings: HookSettings,
        data_dir: Path,
        usual_palace: str,
        folders: Sequence[str] | None,
    ) -> None:
        self._waking_up = waking_up
        self._recall = recall
        self._settings = settings
        self._home = data_dir
        self._folder = data_dir / notes.FOLDER
        self._usual_palace = usual_palace
        self._folders = folders
        self._told = ToldDrawers(self._folder / "told")
        self._filing = FilingBehind(
            lambda palace, file, wing: conversations.file_transcript(palace, file, wing=wing), self._note
        )

    @property
    def busy(self) -> bool:
        """Whether a conversation is being filed."""
        return self._filing.waiting

    async def close(self) -> None:
        """Finish what is being filed."""
        await self._filing.close()

    async def report(self) -> HookReport:
        """Return which hooks are installed, when each ran last, how long it took, and what went wrong."""
        return await asyncio.to_thread(lambda: hook_report(self._folder, installed_hosts(Path.home())))

    async def run(
        self, palace: str, host: HostName, event: str, said: Mapping[str, Any], *, heard: Heard = _heard
    ) -> HookAnswer:
        """Do what is to be done at an event of a host.

        Args:
            event: As the host names it.
            said: What the host says of it.
            heard: Returns whether somebody still waits for the answer. If not, the conversation was not told it.

        Raises:
            InvalidInput: If the host has no such event, or its transcript is in no folder that may be read.
            NotFound: If the palace does not exist.
            GraphPalaceError: Whatever else goes wrong, with the reason, which the hook notes for its user.
        """
        try:
            return await self._run(palace, host, event, said, heard)
        except GraphPalaceError:
            raise
        except Exception as error:
            _LOG.exception("hook_failed", host=host, hook_event=event)
            raise GraphPalaceError(f"{type(error).__name__}: {error}") from error

    async def _run(self, palace: str, host: HostName, event: str, said: Mapping[str, Any], heard: Heard) -> HookAnswer:
        known = event_of(host, event)
        if known is None:
            names = ", ".join(one.name for one in HOST_EVENTS[host])
            raise InvalidInput(f"event is {event!r}; {host} has {names}", field="event", value=event)
        told = host_input(host, said)
        if told.relayed:
            return HookAnswer(host, event, "nothing", why="another program runs the hooks of this host")
        try:
            await self._file_what_was_left()
        except (GraphPalaceError, OSError) as error:  # what was left must not be in the way of what is asked now
            await asyncio.to_thread(self._note, host, 0.0, "failed", str(error))
        if known.does == "wake up":
            return await self._wake_up(palace, host, event, told, heard)
        if known.does == "recall":
            return await self._fitting(palace, host, event, told, heard)
        return await self._file(palace, host, event, told)

    async def _wake_up(self, palace: str, host: HostName, event: str, told: HostInput, heard: Heard) -> HookAnswer:
        conversation = conversation_uri(host, told.session)
        if told.source in _ANEW:
            await asyncio.to_thread(self._told.forget, conversation)
        wing = self._settings.wing or told.wing
        if self._settings.wake_up_bytes < LEAST_BYTES:
            return HookAnswer(host, event, "nothing", why="[hooks] wake_up_bytes is less than 256", wing=wing)
        if wing is None:
            return HookAnswer(host, event, "nothing", why="the project is not known")
        try:
            now = await self._waking_up.now(palace, WakeUpRequest(wing, self._settings.wake_up_bytes))
        except NotFound as error:
            if "wing" not in error.detail:
                raise
            return HookAnswer(host, event, "nothing", why="nothing is known of this project yet", wing=wing)
        if not now.lines:
            return HookAnswer(host, event, "nothing", why="there is nothing to tell yet", wing=wing)
        lines, woken = [line.id for line in now.lines], f"{conversation} {event}"
        if told.source == "resume" and set(lines) <= self._told.of(woken):
            return HookAnswer(host, event, "nothing", why="the conversation was told all of it before", wing=wing)
        whole = [line.drawer for line in now.lines if line.drawer and not line.text.endswith(ELLIPSIS)]
        if told.session and await heard():
            await asyncio.to_thread(self._told.add, woken, lines)
            await asyncio.to_thread(self._told.add, conversation, whole)
        drawers = [line.drawer for line in now.lines if line.drawer]
        return HookAnswer(
            host, event, "told", output_of(host, event, wake_up_context(now.text)), wing=wing, drawers=drawers
        )

    async def _fitting(self, palace: str, host: HostName, event: str, told: HostInput, heard: Heard) -> HookAnswer:
        prompt = told.prompt.strip()
        settings = self._settings
        if not settings.prompt_bytes:
            return HookAnswer(host, event, "nothing", why="[hooks] prompt_bytes is 0")
        if prompt.startswith(("/", "!")) or sum(one.isalpha() for one in prompt) < _LEAST_LETTERS:
            return HookAnswer(host, event, "nothing", why="the prompt is a command, or too short to look up")
        wing = (settings.wing or told.wing) if settings.prompt_scope == "wing" else None
        try:
            request = SearchRequest(prompt[:_MOST_QUERY_CHARS], wing=wing, kept=False)
            answer = await self._recall.search(palace, request)
        except NotFound as error:
            if "wing" not in error.detail:
                raise
            return HookAnswer(host, event, "nothing", why="nothing is known of this project yet", wing=wing)
        sure = [hit for hit in answer.hits if (hit.confidence or 0.0) >= settings.prompt_confidence]
        new = await self._not_said(host, told, [hit for hit in sure if hit.outdated is None])
        context, shown = recall_context(new[:_MOST_HITS], prompt, most_bytes=settings.prompt_bytes)
        if not shown:
            why = "what fits is in the conversation already" if sure else "nothing fits well enough"
            return HookAnswer(host, event, "nothing", why=why, wing=wing)
        ids = [hit.id for hit in shown]
        if told.session and await heard():
            await asyncio.to_thread(self._told.add, conversation_uri(host, told.session), ids)
        return HookAnswer(host, event, "told", output_of(host, event, context), wing=wing, drawers=ids)

    async def _not_said(self, host: HostName, told: HostInput, hits: Sequence[Hit]) -> list[Hit]:
        """Return the hits that are not in the conversation yet."""
        own = conversation_uri(host, told.session)
        before = self._told.of(own) if told.session else frozenset[str]()
        new = [hit for hit in hits if hit.id not in before and hit.source.uri.partition("#")[0] != own]
        transcript = await self._transcript(host, told)
        if not new or transcript is None:
            return new
        said = await asyncio.to_thread(said_already, transcript, [hit.text for hit in new])
        return [hit for hit, was_said in zip(new, said, strict=True) if not was_said]

    async def _file(self, palace: str, host: HostName, event: str, told: HostInput) -> HookAnswer:
        if not self._settings.file:
            return HookAnswer(host, event, "nothing", why="[hooks] file is false")
        transcript = await self._transcript(host, told, must=True)
        if transcript is None:
            return HookAnswer(host, event, "nothing", why="the conversation has no transcript yet")
        wing = self._settings.wing or None
        left = {"session_id": told.session, "transcript_path": str(transcript)}
        mark = await asyncio.to_thread(notes.leave_unfiled, str(self._home), host, palace, left)
        file = TranscriptFile(transcript, host)
        self._filing.hand_over(palace, file, wing=wing, mark=Path(mark) if mark else None)
        return HookAnswer(host, event, "files", wing=wing or told.wing)

    async def _transcript(self, host: HostName, told: HostInput, *, must: bool = False) -> Path | None:
        """Return the transcript of a conversation, or None if there is none, or it may not be read.

        Args:
            must: Whether it is an error if it may not be read.
        """

        def found() -> Path | None:
            path = transcript_of(host, told, home=Path.home())
            if path is None:
                return None
            setting = "[conversations] folders"
            return readable_paths([str(path)], self._folders, field="transcript_path", setting=setting)[0]

        try:
            return await asyncio.to_thread(found)
        except NotFound:
            return None
        except GraphPalaceError:
            if must:
                raise
            return None

    async def _file_what_was_left(self) -> None:
        """Hand over the transcripts that were to be filed while no service answered, or that it did not get done."""
        if not self._settings.file:
            return
        for mark in await asyncio.to_thread(unfiled, self._folder):
            if self._filing.has(mark):
                continue
            left = await asyncio.to_thread(read_json, mark)
            host = known_host(left.get("host"))
            said, palace = left.get("input"), left.get("palace")
            transcript = None
            if host is not None and isinstance(said, dict):
                transcript = await self._transcript(host, host_input(host, said))
            if transcript is None:
                await asyncio.to_thread(mark.unlink, missing_ok=True)
                continue
            named = palace if isinstance(palace, str) else self._usual_palace
            self._filing.hand_over(named, TranscriptFile(transcript, host), wing=self._settings.wing or None, mark=mark)

    def _note(self, host: str, took_s: float, did: str, error: str) -> None:
        notes.noted(str(self._home), host, FILING, took_s=took_s, did=did, error=error)

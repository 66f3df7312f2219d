# Written by `make client` from ../asynchronous/conversations.py; change that file.
"""Filing and reading conversations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphpalace.client.synchronous.conversation_reading import ConversationReading
from graphpalace.client.synchronous.ingest import absolute, only_here
from graphpalace.domain.drawers.files import as_text
from graphpalace.errors import Forbidden, InvalidInput, NotFound

if TYPE_CHECKING:
    from graphpalace.domain.conversations import (
        Conversation,
        ConversationOrder,
        FiledConversation,
        Message,
    )
    from graphpalace.domain.hooks import HostName


class Conversations(ConversationReading):
    """The conversations of a palace, each turn of which is a drawer."""

    def file(
        self,
        path: str | Path,
        *,
        host: HostName | None = None,
        project: str | None = None,
        conversation: str | None = None,
        wing: str | None = None,
        again: bool = False,
    ) -> FiledConversation | None:
        """File what is new in a transcript of Claude Code, Codex, Cursor or Gemini CLI, and return what was done.

        Filing it again doubles nothing, also if it was rewritten, cut off or continued meanwhile. Secrets are masked.

        Args:
            path: The file. A service of the same user reads it itself, and any other one if it is in a folder that its
                setting `[conversations] folders` allows. Otherwise this process reads it and sends what is in it.
            host: claude-code, codex, cursor or gemini; default: the content tells it.
            project: What it is about; default: the transcript tells it.
            conversation: Its id; default: the transcript tells it.
            wing: Where to put it; default: the wing of the project, or else of the host.
            again: Whether to file what was forgotten of the conversation, too. Otherwise it is left out: `forgotten_at`
                says when the whole conversation was forgotten, and `turns_forgotten` how many turns are left out.
        Returns:
            None if nobody has said anything in it yet.
        Raises:
            NotFound: If the palace or the file does not exist.
            InvalidInput: If a name or a value is not possible.
            UnreadableDocument: If it is no transcript of these hosts.
        """
        from graphpalace.domain.conversations import FiledConversation

        kind: Any = FiledConversation | None
        file = absolute(path)
        try:
            return self._link.post(
                kind,
                "/v1/conversations",
                path=as_text(file),
                host=host,
                project=project,
                conversation=conversation,
                wing=wing,
                again=again,
                proof=None if self._link.proof is None else self._link.proof(),
            )
        except (InvalidInput, NotFound, Forbidden) as error:
            if self._link.proof is None or not only_here(error, [file], field="path"):
                raise
        from graphpalace.client.local_files import transcript_of

        given = {"host": host, "project": project, "conversation": conversation, "wing": wing, "again": again}
        return self._link.post(kind, "/v1/conversations/content", **(transcript_of(file) | given))

    def file_messages(
        self,
        messages: Iterable[Message | Mapping[str, Any]],
        *,
        host: str,
        conversation: str,
        project: str | None = None,
        wing: str | None = None,
        again: bool = False,
    ) -> FiledConversation:
        """File messages of a conversation word for word, and return what was done.

        A message that is filed already is left as it is. One that has no id is known by its speaker, time and text. To
        finish after an error, make the same call again.

        Args:
            messages: 1 to 1000, in order: mappings with `speaker` and `text`, and `time` and `id` if they are known, or
                values of `Message`.
            host: The program that the conversation is held in.
            conversation: Its id there. Messages that are filed later are added to it.
            project: What it is about.
            wing: Where to put it; default: the wing of the project, or else of the host.
            again: Whether to file what was forgotten of the conversation, too. Otherwise it is left out: `forgotten_at`
                says when the whole conversation was forgotten, and `turns_forgotten` how many turns are left out.
        Raises:
            NotFound: If the palace does not exist.
            InvalidInput: If there are no messages or too many, one is blank, or a name is not valid.
            TooLarge: If a message is too long.
        """
        from graphpalace.offers.conversations import FILE_MESSAGES

        return self._link.call(
            FILE_MESSAGES,
            host=host,
            conversation=conversation,
            project=project,
            wing=wing,
            again=again,
            messages=[_sent(message) for message in messages],
        )

    def list(
        self,
        *,
        wing: str | None = None,
        project: str | None = None,
        host: str | None = None,
        order: ConversationOrder = "filed",
        since: datetime | date | None = None,
        until: datetime | date | None = None,
        page: int = 50,
    ) -> Iterator[Conversation]:
        """Yield the conversations of the palace, a wing, a project or a host, the one that was filed last first.

        Args:
            order: filed, or said: then the one in which something was said last comes first.
            since: Only those in which something was said then or later.
            until: Only those that began up to this date, which is included, or before this moment.
            page: How many are fetched at a time, 1 to 200.
        Raises:
            NotFound: If the palace or the wing does not exist.
            InvalidInput: If a value is not possible.
        """
        from graphpalace.offers.conversations import LIST_CONVERSATIONS

        after: str | None = ""
        while after is not None:
            found = self._link.call(
                LIST_CONVERSATIONS,
                wing=wing,
                project=project,
                host=host,
                order=order,
                since=since,
                until=until,
                after=after,
                limit=page,
            )
            for conversation in found.conversations:
                yield conversation
            after = found.next


def _sent(message: Message | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(message, Mapping):
        return {**message}
    return {"speaker": message.speaker, "text": message.text, "time": message.time, "id": message.id}

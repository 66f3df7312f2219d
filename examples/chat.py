"""A chat in the terminal that remembers, with any language model behind an OpenAI-compatible endpoint.

    graphpalace up
    python examples/chat.py --url http://127.0.0.1:11434/v1 --model llama3.2

Before each answer, the model reads what is known now (`wake_up`, once) and the hits of your message that are sure
enough. Each message is stored word for word in a conversation, with secrets masked. `OPENAI_API_KEY` is sent if it is
set. An empty line or Ctrl-D ends the chat.
"""

from __future__ import annotations

import argparse
import os
import secrets
from datetime import UTC, datetime

import httpx

from graphpalace import Palace
from graphpalace.domain.conversations import ASSISTANT, USER, Message

SURE = 0.5  # hits with less confidence are not shown to the model
HOST = "chat"


class RememberingChat:
    """A conversation with a model that is given what the palace knows."""

    def __init__(self, palace: Palace, endpoint: httpx.Client, model: str) -> None:
        self._palace, self._endpoint, self._model = palace, endpoint, model
        self._conversation = secrets.token_hex(6)
        self._source = ""  # of this conversation, once something of it is stored
        self._read = set[str]()  # drawers that the model has seen
        self._messages = [{"role": "system", "content": f"You have a memory.\n{palace.wake_up().text}"}]

    def say(self, text: str) -> str:
        """Return what the model answers, and store both messages word for word."""
        known = self._remembered(text)
        self._messages.append({"role": "user", "content": f"{text}\n\nFrom your memory:\n{known}" if known else text})
        body = {"model": self._model, "messages": self._messages}
        response = self._endpoint.post("chat/completions", json=body).raise_for_status()
        answer = response.json()["choices"][0]["message"]["content"]
        self._messages.append({"role": "assistant", "content": answer})
        now = datetime.now(UTC)
        said = [Message(text, USER, now), *([Message(answer, ASSISTANT, now)] if answer.strip() else [])]
        filed = self._palace.conversations.file_messages(said, host=HOST, conversation=self._conversation)
        self._source = filed.source_uri
        return answer

    def _remembered(self, text: str) -> str:
        """Return the hits that are sure enough, and that the model has neither read nor heard in this conversation."""
        hits = [
            hit
            for hit in self._palace.search(text, top_k=5).hits
            if (hit.confidence or 0.0) >= SURE and hit.id not in self._read and hit.source.uri != self._source
        ]
        self._read.update(hit.id for hit in hits)
        return "\n".join(f"- {hit.text}" for hit in hits)


def main() -> None:
    """Chat until the user has nothing more to say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--url", required=True, help="base URL of the endpoint, which ends in /v1")
    parser.add_argument("--model", required=True, help="name of the model")
    chosen = parser.parse_args()
    key = os.environ.get("OPENAI_API_KEY")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with Palace.connect() as palace, httpx.Client(base_url=chosen.url, headers=headers, timeout=120) as endpoint:
        chat = RememberingChat(palace, endpoint, chosen.model)
        while line := _typed():
            print(f"model: {chat.say(line)}")


def _typed() -> str:
    try:
        return input("you: ").strip()
    except EOFError:
        return ""


if __name__ == "__main__":
    main()

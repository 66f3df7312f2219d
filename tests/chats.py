"""A small server that speaks OpenAI's protocol of chats, as a test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[dict[str, Any]], tuple[int, str]]


def chat(content: Any, *, ended: str = "stop") -> Answer:
    """Return what answers every question with this content, which is text or JSON."""
    text = content if isinstance(content, str) else json.dumps(content)
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": ended}
    return lambda _asked: (200, json.dumps({"object": "chat.completion", "choices": [choice]}))


class Chats(BaseHTTPRequestHandler):
    """Answers as the test says, and keeps what it was asked."""

    answer: Answer
    asked: list[dict[str, Any]]
    keys: list[str | None]
    url: str

    def do_POST(self) -> None:
        """Answer one request."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body)
        self.keys.append(self.headers["Authorization"])
        status, text = type(self).answer(body) if self.path == "/v1/chat/completions" else (404, "{}")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def chatting(answer: Answer) -> Iterator[type[Chats]]:
    """Yield a server that answers so, until its `answer` is replaced."""
    handler = type("_Own", (Chats,), {"answer": staticmethod(answer), "asked": [], "keys": [], "url": ""})
    listening = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    listening.daemon_threads = True
    threading.Thread(target=listening.serve_forever, args=(0.02,), daemon=True).start()
    handler.url = f"http://127.0.0.1:{listening.server_address[1]}/v1"
    yield handler
    listening.shutdown()
    listening.server_close()

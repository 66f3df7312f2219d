"""What the proxy on standard input and output does when the service goes away in the middle of a request."""

from __future__ import annotations

import io
import json
import socket
import struct
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from graphpalace.client.service_file import RunningService
from graphpalace.serve.mcp.stdio_proxy import StdioProxy

TOOLS = [{"name": "look", "annotations": {"readOnlyHint": True}}, {"name": "write", "annotations": None}]
RESET = struct.pack("ii", 1, 0)  # closing sends a reset, as the end of a killed process does


class Frail:
    """A service that answers with its list of tools, except that it resets the connections whose numbers are given."""

    def __init__(self, resets: set[int]) -> None:
        self.resets = resets
        self.asked = 0
        self.messages: list[Any] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._door.close()

    def _serve(self) -> None:
        while True:
            try:
                caller, _ = self._door.accept()
            except OSError:
                return
            message = self._read(caller)
            self.messages.append(message)
            self.asked += 1
            if self.asked in self.resets:
                caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            else:
                body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": TOOLS}}).encode()
                head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
                caller.sendall(head.encode() + body)
            caller.close()

    def _read(self, caller: socket.socket) -> Any:
        with caller.makefile("rb") as lines:
            length = 0
            while line := lines.readline().strip():
                name, _, value = line.decode().partition(":")
                length = int(value) if name.lower() == "content-length" else length
            return json.loads(lines.read(length))


@pytest.fixture
def frail() -> Iterator[Frail]:
    service = Frail({2})
    yield service
    service.close()


def said(frail: Frail, name: str) -> dict[str, Any]:
    """What a call of a tool returns when it comes after a list of the tools."""
    output = io.BytesIO()
    proxy = StdioProxy(lambda: RunningService(frail.url, "key", 1, 1.0, "1"), {}, output)

    def lines() -> Iterator[bytes]:
        yield json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
        while not output.getvalue():
            threading.Event().wait(0.01)
        yield json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": name}}).encode()

    proxy.run(lines())
    return json.loads(output.getvalue().splitlines()[1])


@pytest.mark.parametrize("name", ["look", "write"])
def test_a_tool_is_asked_again_with_the_same_key(frail: Frail, name: str) -> None:
    assert "result" in said(frail, name)
    assert frail.asked == 3
    keys = [call["params"]["_meta"]["idempotencyKey"] for call in frail.messages[1:]]
    assert keys[0] == keys[1]

"""MCP on standard input and output as a thin proxy of the service: it loads no model and no MCP library.

A message that comes in is posted to the service's `/mcp`, and what the service answers, progress too, goes out. Each
request has a connection of its own; a request that the client cancels is cancelled in the service by closing it. If the
service goes away in the middle, it is asked again. Each call of a tool has a key, so that it writes once.
"""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, BinaryIO
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from graphpalace.client.service_file import RunningService
from graphpalace.errors import GraphPalaceError, ServiceUnavailable
from graphpalace.serve.mcp.door import HTTP_PATH
from graphpalace.serve.mcp.hosts import shows_only_text

_CONNECT_S = 5.0
_RESTART_S = 20.0  # how long a service may take to come back
_PAUSE_S = 0.1
_LAST_ANSWERS_S = 5.0  # how long requests may still run after the end of the input
_ACCEPTED = "application/json, text/event-stream"
_META = "io.modelcontextprotocol/protocolVersion"  # messages of the newest protocol say so themselves
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_PARSE_ERROR, _INTERNAL_ERROR = -32700, -32603


class StdioProxy:
    """Speaks for one client with the service of this machine."""

    def __init__(
        self,
        find: Callable[[], RunningService],
        query: Mapping[str, str],
        output: BinaryIO,
        *,
        restart_s: float = _RESTART_S,
    ) -> None:
        """Remember where messages go.

        Args:
            find: Returns the service, or raises `ServiceUnavailable`. It is asked again when a service went away.
            restart_s: How long `find` is asked again if it finds none; 0 if it starts a service itself.
            query: What the address asks for, such as a profile.
            output: Takes messages for the client, a line each.
        """
        self._find = find
        self._query = dict(query)
        self._output = output
        self._restart_s = restart_s
        self._version = ""
        self._service: RunningService | None = None
        self._writing = threading.Lock()
        self._running: dict[Any, _Call] = {}
        self._threads: list[threading.Thread] = []

    def run(self, lines: Iterable[bytes]) -> None:
        """Carry messages until the input ends, and then finish what is short."""
        for line in lines:
            if line.strip():
                self._take(line)
        deadline = time.monotonic() + _LAST_ANSWERS_S
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        for call in list(self._running.values()):
            call.cancel()

    def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError as error:
            self._fail(None, f"a line is not JSON: {error}", code=_PARSE_ERROR)
            return
        for one in message if isinstance(message, list) else [message]:
            if isinstance(one, dict) and "method" in one:
                self._dispatch(one)

    def _dispatch(self, message: dict[str, Any]) -> None:
        """Start a request. Of notifications, only that of a cancelled request means something to the service."""
        if "id" not in message:
            asked = message.get("params")
            if message["method"] == "notifications/cancelled" and isinstance(asked, dict):
                call = self._running.pop(asked.get("requestId"), None)
                if call is not None:
                    call.cancel()
            return
        call = self._running[message["id"]] = _Call()
        if message["method"] == "initialize":  # its answer says which protocol the later messages follow
            self._ask(message, call)
            return
        thread = threading.Thread(target=self._ask, args=(message, call), daemon=True)
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()

    def _ask(self, message: dict[str, Any], call: _Call) -> None:
        """Post a request and write what comes back. If the service is just restarting, wait for it."""
        if message["method"] == "initialize":
            self._note_client(message)
        keyed = _with_key(message)
        try:
            if not (self._carry(keyed, call) or self._carry(keyed, call)):  # the first answer broke off
                raise ConnectionError("there was no answer")
        except GraphPalaceError as error:
            self._fail(message["id"], error.message, call=call)
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = "the GraphPalace service went away before it had answered; whether it did its work is not known"
            self._fail(message["id"], f"{why} ({type(error).__name__})", call=call)
        finally:
            self._running.pop(message["id"], None)
            call.close()

    def _carry(self, message: dict[str, Any], call: _Call) -> bool:
        """Write all that the service answers; return whether a request that may be sent again was answered."""
        answered = False
        try:
            for found in _messages(self._answer(message, call)):
                if message["method"] == "initialize":
                    self._version = str(found.get("result", {}).get("protocolVersion", ""))
                self._write(found)
                answered = answered or found.get("id") == message["id"]
        except (OSError, http.client.HTTPException):
            if answered or call.cancelled or self._service is None:
                raise
        if not answered:
            self._service = None
            call.close()
        return answered or call.cancelled

    def _answer(self, message: dict[str, Any], call: _Call) -> http.client.HTTPResponse:
        body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
        began = time.monotonic()
        while True:
            try:
                service = self._service = self._service or self._find()
                connection = call.connect(service.url)
            except ServiceUnavailable:
                if call.cancelled or time.monotonic() - began >= self._restart_s:
                    raise
                time.sleep(_PAUSE_S)
                continue
            except OSError as error:  # it stopped; its file will go or will name another one
                self._service = None
                if call.cancelled or time.monotonic() - began >= _RESTART_S:
                    raise ServiceUnavailable(f"the GraphPalace service does not answer: {error}") from error
                time.sleep(_PAUSE_S)
                continue
            key = {"Authorization": f"Bearer {service.key}"} if service.key else {}
            try:
                connection.request("POST", f"{HTTP_PATH}?{urlencode(self._query)}", body, self._headers(message) | key)
                return connection.getresponse()
            except (OSError, http.client.HTTPException):
                if call.cancelled or time.monotonic() - began >= _RESTART_S:
                    raise
                self._service = None
                call.close()
                time.sleep(_PAUSE_S)

    def _headers(self, message: dict[str, Any]) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": _ACCEPTED}
        asked = message.get("params")
        asked = asked if isinstance(asked, dict) else {}
        own = asked.get("_meta")
        if isinstance(own, dict) and _META in own:
            headers |= {"MCP-Protocol-Version": str(own[_META]), "Mcp-Method": str(message["method"])}
            name = asked.get(_NAMED_BY.get(message["method"], ""))
            return headers | ({"Mcp-Name": str(name)} if name is not None else {})
        return headers | ({"MCP-Protocol-Version": self._version} if self._version else {})

    def _note_client(self, message: dict[str, Any]) -> None:
        """Ask for text if the host of this client shows nothing else; requests do not say who sends them."""
        with suppress(KeyError, TypeError):
            if shows_only_text(str(message["params"]["clientInfo"]["name"])):
                self._query.setdefault("answers", "text")

    def _write(self, message: Any) -> None:
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        with self._writing:
            self._output.write(line + b"\n")
            self._output.flush()

    def _fail(self, number: Any, why: str, *, code: int = _INTERNAL_ERROR, call: _Call | None = None) -> None:
        """Answer a request with an error; the protocol wants none for a cancelled one."""
        if call is None or not call.cancelled:
            self._write({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": why}})


class _Call:
    """A request on its way, which another thread may cancel."""

    def __init__(self) -> None:
        self.cancelled = False
        self._connection: http.client.HTTPConnection | None = None

    def connect(self, url: str) -> http.client.HTTPConnection:
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname or "", parts.port, timeout=_CONNECT_S)
        self._connection.connect()
        self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection.sock.settimeout(None)
        if self.cancelled:
            raise ConnectionAbortedError
        return self._connection

    def cancel(self) -> None:
        self.cancelled = True
        with suppress(OSError, AttributeError):  # it may be closed already, or not be open yet
            self._connection.sock.shutdown(socket.SHUT_RDWR)  # pyright: ignore[reportOptionalMemberAccess]

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def _with_key(message: dict[str, Any]) -> dict[str, Any]:
    """Return a request; a call of a tool gets a key, unless the client gives one, so that it may be sent again."""
    asked = message.get("params")
    if message["method"] != "tools/call" or not isinstance(asked, dict):
        return message
    given = asked.get("_meta")
    meta = {"idempotencyKey": uuid4().hex} | (given if isinstance(given, dict) else {})
    return message | {"params": asked | {"_meta": meta}}


def _messages(answer: http.client.HTTPResponse) -> Iterator[Any]:
    """Yield the messages of an answer as they come: of one JSON body, or of a stream of events.

    Raises:
        ServiceUnavailable: If the service refused the request.
    """
    kind = answer.headers.get_content_type()
    if kind == "text/event-stream":
        data: list[bytes] = []
        for line in iter(answer.readline, b""):
            text = line.rstrip(b"\r\n")
            if text.startswith(b"data:"):
                data.append(text[5:].lstrip())
            elif not text and data:
                yield json.loads(b"\n".join(data))
                data = []
        return
    body = answer.read()
    if not body and answer.status < 400:
        return
    found = json.loads(body)
    if isinstance(found, dict) and "jsonrpc" not in found:  # an answer of the service itself, such as 401
        raise ServiceUnavailable(str(found.get("error", {}).get("message", f"HTTP {answer.status}")))
    yield found

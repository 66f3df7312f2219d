# Written by `make client` from ../asynchronous/link.py; change that file.
"""How the parts of a palace call its service."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from graphpalace.client import wire
from graphpalace.client.transports.reply import Reply, Request, Transport
from graphpalace.errors import Overloaded, ServiceUnavailable

if TYPE_CHECKING:
    from graphpalace.offers.offer import Offer

_TURN_PAUSE_S = 0.5

T = TypeVar("T")


class Link:
    """A transport and the name of the palace that all calls are about."""

    def __init__(
        self,
        transport: Transport,
        palace: str | None,
        *,
        timeout_s: float | None = None,
        proof: Callable[[], str | None] | None = None,
    ) -> None:
        """Remember where to call.

        Args:
            palace: The name of the palace; None is the one that the service's settings name.
            timeout_s: How long to wait for each answer; None waits without limit.
            proof: Returns what shows a service that this process is of the same user, if it is. None: the palace is in
                this process, which reads files itself.
        """
        self.transport = transport
        self.palace = palace
        self.timeout_s = timeout_s
        self.proof = proof

    def call(self, offer: Offer[Any, T], /, **given: Any) -> T:
        """Ask for an operation and return its answer.

        Args:
            given: The fields of its request; what is None is left out.
        """
        path, sent = wire.placed(offer.path, {offer.spelled(name): value for name, value in given.items()})
        sent = {"palace": self.palace} | sent if offer.of_palace else sent
        parts: dict[str, Any] = {"query": sent}
        if offer.has_body:
            query = {name: sent.pop(name) for name in map(offer.spelled, offer.in_query)}
            parts = {"query": query, "body": sent or None}
        return wire.value_of(self.send(offer.method, path, **parts), offer.answer)

    def follow(self, offer: Offer[Any, T], progress: Callable[[T], object] | None, /, **given: Any) -> T:
        """Ask for an operation that takes long, and return its answer.

        Args:
            progress: Called now and then with what was done so far.
            given: The fields of its request; what is None is left out.
        """
        with closing(self.stream(offer.path, **given)) as lines:
            for line in lines:
                done = wire.read(wire.encoded(line[str(offer.lines)]), offer.answer)
                if line["done"]:
                    return done
                if progress is not None:
                    progress(done)
        raise ServiceUnavailable("the service went away meanwhile; what is already stored is kept")

    def get(self, kind: type[T], path: str, /, **query: Any) -> T:
        """Ask for something about the palace and return the answer as a value of `kind`."""
        return wire.value_of(self.send("GET", path, query={"palace": self.palace} | query), kind)

    def post(self, kind: type[T], path: str, /, **body: Any) -> T:
        """Ask the palace to do something and return the answer as a value of `kind`."""
        return wire.value_of(self.send("POST", path, body={"palace": self.palace} | body), kind)

    def patch(self, kind: type[T], path: str, /, **body: Any) -> T:
        """Ask the palace to change something and return the answer as a value of `kind`."""
        return wire.value_of(self.send("PATCH", path, body={"palace": self.palace} | body), kind)

    def remove(self, kind: type[T], path: str, /, **query: Any) -> T:
        """Ask the palace to remove something and return the answer as a value of `kind`."""
        return wire.value_of(self.send("DELETE", path, query={"palace": self.palace} | query), kind)

    def send_plain(self, kind: type[T], path: str, body: Any, /, **query: Any) -> T:
        """Send a body as it is, None in it and all, and return the answer as a value of `kind`.

        Args:
            body: What JSON can hold; None sends no body.
        """
        request = wire.request_of("POST", path, query=query, timeout_s=self.timeout_s)
        content = None if body is None else wire.encoded(body)
        return wire.value_of(self.transport.send(replace(request, body=content)), kind)

    def send(self, method: str, path: str, **parts: Any) -> Reply:
        """Send a call and return the reply as it came."""
        return self.transport.send(wire.request_of(method, path, timeout_s=self.timeout_s, **parts))

    def stream(self, path: str, **body: Any) -> Generator[dict[str, Any], None, None]:
        """Ask the palace to do something that takes long, and yield each line that it reports, as JSON.

        If the service is busy with other such work, this waits for its turn.

        Raises:
            GraphPalaceError: The error that the service answered with, also in the middle of the lines.
        """
        request = wire.request_of("POST", path, body={"palace": self.palace} | body)
        begun = False
        while not begun:
            try:
                with closing(self._lines(request)) as lines:  # the service stops when the caller leaves
                    for line in lines:
                        begun = True
                        yield line
                return
            except Overloaded:
                if begun:
                    raise
                time.sleep(_TURN_PAUSE_S)

    def _lines(self, request: Request) -> Generator[dict[str, Any], None, None]:
        with closing(self.transport.lines(request)) as lines:
            status = int(next(lines))
            if status >= 400:
                wire.check(Reply(status, b"".join([line for line in lines])))
            for line in lines:
                said = json.loads(line)
                if "error" in said:
                    wire.check(Reply(500, line))
                yield said

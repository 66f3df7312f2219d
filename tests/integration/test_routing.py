"""Routing, bookmarks and retries of `neo4j://`, on the tests' server with several addresses.

A cluster takes the Enterprise edition. Here doors stand before one server: connections through each reach it, but its
routing table, as they hand it on, names one door for those who write and another for those who read.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest

from graphpalace import app as wiring
from graphpalace.errors import DatabaseUnavailable
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.failures import CONNECT_S, REACH_S

_HANDSHAKE = 20  # bytes: a mark, and four versions of Bolt that the client speaks
_MANIFEST = bytes.fromhex("000001ff")  # offers a longer handshake, which the doors do not speak
_RESET, _BEGIN = 0x0F, 0x11  # the kinds of messages that matter here
_IGNORED = b"\xb0\x7e"
_ADDRESS = re.compile(rb"[\x80-\x8f](?:localhost|127\.0\.0\.1):\d+")
_ROLE = re.compile(rb"(?<=\x84role[\x84\x85])(?:WRITE|READ|ROUTE)")


def _packed(text: str) -> bytes:
    data = text.encode()
    return (bytes([0x80 + len(data)]) if len(data) < 16 else bytes([0xD0, len(data)])) + data


_CODE, _WHY = "Neo.ClientError.Cluster.NotALeader", "not the leader"
_FAILURE = {"code": _CODE, "neo4j_code": _CODE, "message": _WHY, "gql_status": "50N00", "description": _WHY}
_NOT_A_LEADER = bytes([0xB1, 0x7F, 0xA0 + len(_FAILURE)]) + b"".join(
    _packed(key) + _packed(value) for key, value in _FAILURE.items()
)
Table = dict[str, "Door"]


@dataclass(eq=False)
class Door:
    """Hands connections on to the server, and notes what comes through.

    Attributes:
        table: The door that is named in the routing table as the one for READ, and for WRITE; else this door.
        sent, answered: All that clients sent to the server, and all that it answered.
        leads: Whether the server says here that it may write. If it does not, it answers as a follower.
    """

    host: str
    port: int
    table: Table
    sent: bytearray = field(default_factory=bytearray)
    answered: bytearray = field(default_factory=bytearray)
    leads: bool = True
    address: str = ""
    _server: asyncio.Server | None = None
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    async def open(self) -> None:
        """Listen, at the address that it had before."""
        self._server = await asyncio.start_server(self._client, "127.0.0.1", int(self.address.rpartition(":")[2] or 0))
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """End all connections and take no more, as a server that is killed."""
        if self._server:
            self._server.close()
        for writer in [*self._open]:
            writer.transport.abort()

    def saw(self, query: str) -> int:
        """Return how often a query was sent through here; its text begins with its name."""
        return self.sent.count(f"// {query}:".encode())

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):  # one side has gone
            server_reader, server_writer = await asyncio.open_connection(self.host, self.port)
            self._open |= {writer, server_writer}
            try:
                hello = await reader.readexactly(_HANDSHAKE)
                server_writer.write(hello.replace(_MANIFEST, bytes(4)))
                writer.write(await server_reader.readexactly(4))
                requests, answers = self._requests(reader, server_writer, writer), self._answers(server_reader, writer)
                await asyncio.gather(requests, answers)
            finally:
                self._open -= {writer, server_writer}
                writer.transport.abort()
                server_writer.transport.abort()

    async def _requests(
        self, reader: asyncio.StreamReader, server: asyncio.StreamWriter, client: asyncio.StreamWriter
    ) -> None:
        failed = False
        while True:
            message = await _message(reader)
            self.sent += message
            if message[1] == _RESET:
                failed = False
            elif failed:
                client.write(_framed(_IGNORED))
                continue
            elif message[1] == _BEGIN and not self.leads:
                failed = True
                client.write(_framed(_NOT_A_LEADER))
                continue
            server.write(_framed(message))

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            message = await _message(reader)
            self.answered += message
            writer.write(_framed(self._routed(message) if b"servers" in message and b"ttl" in message else message))

    def _routed(self, message: bytes) -> bytes:
        """Return a routing table that names doors instead of the server."""
        named = [self.table.get(role.decode(), self).address for role in _ROLE.findall(message)]
        addresses = iter(named)
        return _ADDRESS.sub(lambda _: _packed(next(addresses)), message)


async def _message(reader: asyncio.StreamReader) -> bytes:
    message = b""
    while size := int.from_bytes(await reader.readexactly(2), "big"):
        message += await reader.readexactly(size)
    return message or await _message(reader)  # an empty one keeps the connection alive


def _framed(message: bytes) -> bytes:
    parts = [message[at : at + 0xFFFF] for at in range(0, len(message), 0xFFFF)]
    return b"".join(len(part).to_bytes(2, "big") + part for part in parts) + bytes(2)


@asynccontextmanager
async def doors(settings: Settings, count: int) -> AsyncIterator[tuple[Table, list[Door]]]:
    """Yield doors to the tests' server, and the table that all of them hand out."""
    uri = urlsplit(settings.neo4j.uri or wiring.managed_server(settings).uri)
    table: Table = {}
    made = [Door(uri.hostname or "", uri.port or 7687, table) for _ in range(count)]
    async with AsyncExitStack() as stack:
        for door in made:
            await door.open()
            stack.push_async_callback(door.close)
        yield table, made


@asynccontextmanager
async def database(settings: Settings, door: Door) -> AsyncIterator[Database]:
    """Yield a connection that begins at a door."""
    neo4j = settings.neo4j
    password = neo4j.password.get_secret_value() if neo4j.uri else wiring.managed_server(settings).password
    opened = Database(uri=f"neo4j://{door.address}", user=neo4j.user, password=password, database=neo4j.database)
    try:
        yield opened
    finally:
        await opened.close()


@pytest.fixture
async def pair(app: wiring.GraphPalace) -> AsyncIterator[None]:
    """Two nodes to read and to change."""
    await app.database.auto_commit(None, "tests/make_pair", between=2)
    yield
    await app.database.auto_commit(None, "tests/delete_pair")


async def number(opened: Database) -> int:
    (found,) = {row["number"] for row in await opened.read(None, "tests/read_pair")}
    return found


async def test_reads_go_to_readers_and_see_what_this_process_wrote_before(settings: Settings, pair: None) -> None:
    async with doors(settings, 3) as (table, (router, leader, reader)), database(settings, router) as opened:
        table.update(WRITE=leader, READ=reader)
        await opened.write(None, "tests/change_pair")
        assert await number(opened) == 1
        (bookmark,) = re.findall(rb"bookmark\xd0.(FB:[\w+/=-]+)", leader.answered, re.DOTALL)
        assert (leader.saw("change_pair"), leader.saw("read_pair")) == (1, 0)
        assert (reader.saw("change_pair"), reader.saw("read_pair")) == (0, 1)
        assert (router.saw("change_pair"), router.saw("read_pair")) == (0, 0)
        assert bookmark in reader.sent


async def test_a_reader_that_is_gone_is_replaced_by_another(settings: Settings, pair: None) -> None:
    async with doors(settings, 3) as (table, (router, first, second)), database(settings, router) as opened:
        table["READ"] = first
        await number(opened)
        table["READ"] = second
        await first.close()
        assert await number(opened) == 0
        assert (first.saw("read_pair"), second.saw("read_pair")) == (1, 1)


@pytest.mark.parametrize("how", ["is gone", "follows"])
async def test_a_leader_that_is_gone_or_follows_another_is_left_and_the_write_is_done_once(
    settings: Settings, pair: None, how: str
) -> None:
    async with doors(settings, 3) as (table, (router, first, second)), database(settings, router) as opened:
        table["WRITE"] = first
        await opened.write(None, "tests/change_pair")
        table["WRITE"] = second
        if how == "is gone":
            await first.close()
        first.leads = False
        await opened.write(None, "tests/change_pair")
        assert await number(opened) == 2
        assert second.saw("change_pair") == 1


async def test_without_any_server_the_error_comes_soon_and_goes_when_one_is_back(
    settings: Settings, pair: None
) -> None:
    async with doors(settings, 1) as (_, (door,)), database(settings, door) as opened:
        await number(opened)
        await door.close()
        async with asyncio.timeout(REACH_S + CONNECT_S + 5):
            with pytest.raises(DatabaseUnavailable, match="cannot be reached"):
                await number(opened)
        await door.open()
        assert await number(opened) == 0

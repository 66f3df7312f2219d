"""The connection to Neo4j: one driver for each process, and the only place that runs Cypher."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, LiteralString, TypeVar, cast

import neo4j
from neo4j import AsyncGraphDatabase, AsyncResult, AsyncSession, AsyncTransaction
from neo4j.exceptions import ClientError, ConfigurationError

from graphpalace.domain.deadline import left_s
from graphpalace.errors import DatabaseUnavailable
from graphpalace.store.connection.failures import CONNECT_S, ServerAddress, patiently, translated
from graphpalace.store.connection.queries import GIVEN, query
from graphpalace.store.connection.query_watch import QueryWatch, transaction_metadata

T = TypeVar("T")
Row = dict[str, Any]
_NOTHING: Row = {}
_FETCHED = 2000  # rows at a time


class _Given(dict[str, Any]):
    """Values for a query with a short `repr`, because the driver formats every parameter, even if it does not log."""

    def __repr__(self) -> str:
        return f"<{len(self)} values>"


class Transaction:
    """Runs named queries in one transaction, or, if it is created with a session, each in its own, which reads.

    Args:
        writes: Whether it waits while a backup reads: before its first query, or in it, if that locks the palace.
    """

    def __init__(
        self,
        inner: AsyncTransaction | AsyncSession,
        palace: str | None,
        *,
        slow_query_s: float = 0,
        writes: bool = False,
    ) -> None:
        self._inner = inner
        self._palace = palace
        self._slow_s = slow_query_s
        self._gated = writes

    async def run(self, name: str, /, *, literals: Row = _NOTHING, **params: Any) -> list[Row]:
        """Run a query of `cypher/` and return its rows.

        Args:
            literals: Values for `__NAME__` in places where Cypher allows no parameter. The caller must check them.
        """
        with QueryWatch(name, self._palace, slow_s=self._slow_s) as watch:
            result = await self._begun(name, params, literals)
            rows = [dict(record.items()) async for record in result]  # record.data() walks bytes one by one
            watch.rows = len(rows)
        return rows

    async def send(self, name: str, /, **params: Any) -> None:
        """Run a query without reading its rows. It overlaps with the next query, which also raises its errors."""
        with QueryWatch(name, self._palace, slow_s=self._slow_s):
            await self._begun(name, params, _NOTHING)

    async def _begun(self, name: str, params: Mapping[str, Any], literals: Row) -> AsyncResult:
        if self._gated:
            self._gated = False
            if not query(name).holds_palace:
                await self.send("backup/pass_gate")
        text = query(name).of_palace(self._palace, literals)
        given = _given(name, self._palace, params)
        if isinstance(self._inner, AsyncSession):
            return await self._inner.run(_in_time(text), given)
        return await self._inner.run(_literal(text), given)


class Database:
    """A Neo4j database.

    Errors that may pass are retried for a few seconds. A transaction lasts no longer than the request that it is for.
    On a cluster, reads go to readers; they still see everything that this process wrote before, because all sessions
    share one bookmark manager.

    The first argument of every method that runs a query is the palace. It is None for a query about no palace or about
    all of them. A query that needs a palace then fails, so it cannot use a wrong one.

    Args:
        home: Folder of the managed Neo4j's files; None if the server is not managed.
        slow_query_s: From how many seconds on a query is logged; 0: none is.
    """

    def __init__(
        self,
        *,
        uri: str,
        user: str,
        password: str,
        database: str = "neo4j",
        home: Path | None = None,
        slow_query_s: float = 0,
    ) -> None:
        self.uri = uri
        self.name = database
        self._slow_s = slow_query_s
        self._server = ServerAddress(uri, home)
        try:
            self._driver = AsyncGraphDatabase.driver(
                uri,
                auth=(user, password) if user else None,
                connection_timeout=CONNECT_S,
                connection_acquisition_timeout=CONNECT_S,
                notifications_min_severity="OFF",
                user_agent="graphpalace",
                telemetry_disabled=True,
            )
        except (ConfigurationError, ValueError) as error:
            raise DatabaseUnavailable(f"neo4j.uri is {uri!r}: {error}", uri=uri) from error

    async def close(self) -> None:
        """Close all connections."""
        await self._driver.close()

    async def verify(self) -> None:
        """Check the connection, without retries.

        Raises:
            DatabaseUnavailable: If the server cannot be reached, or refuses the user.
        """
        with translated(self._server):
            await self._driver.verify_connectivity()

    async def read(self, palace: str | None, name: str, /, **params: Any) -> list[Row]:
        """Run one query of `cypher/` that only reads, and return its rows."""

        async def attempt() -> list[Row]:
            async with self._session(write=False) as session:
                return await self._queries(session, palace).run(name, **params)

        with translated(self._server):  # without an explicit transaction: one round trip instead of three
            return await patiently(attempt)

    async def stream(
        self, palace: str | None, name: str, /, *, literals: Row = _NOTHING, fetched: int = _FETCHED
    ) -> AsyncIterator[Row]:
        """Yield the rows of a query without parameters that only reads, as they arrive. It is not retried.

        Args:
            literals: As `Transaction.run`.
            fetched: How many rows are in memory at a time.
        """
        with translated(self._server):
            async with self._session(write=False, fetched=fetched) as session:
                text = neo4j.Query(_literal(query(name).of_palace(palace, literals)), metadata=_reading())
                with QueryWatch(name, palace, slow_s=self._slow_s) as watch:
                    async for record in await session.run(text, _given(name, palace)):
                        watch.rows += 1
                        arrived = perf_counter()
                        yield dict(record.items())
                        watch.paused(perf_counter() - arrived)

    async def write(self, palace: str | None, name: str, /, **params: Any) -> list[Row]:
        """Run one query of `cypher/` in a write transaction, and return its rows."""
        return await self.transaction(palace, lambda tx: tx.run(name, **params))

    async def transaction(self, palace: str | None, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run several queries in one write transaction. `work` may be called repeatedly, so it must not keep state."""

        async def attempt() -> T:
            async with (
                self._session(write=True) as session,
                await session.begin_transaction(metadata=transaction_metadata(), timeout=left_s()) as inner,
            ):
                return await work(Transaction(inner, palace, slow_query_s=self._slow_s, writes=True))

        with translated(self._server):
            return await patiently(attempt)

    async def auto_commit(self, palace: str | None, name: str, /, **params: Any) -> list[Row]:
        """Run a query that cannot be in a transaction (CALL IN TRANSACTIONS); return its rows. It is not retried."""
        await self.write(None, "backup/pass_gate")
        with translated(self._server):
            async with self._session(write=True) as session:
                return await self._queries(session, palace).run(name, **params)

    async def change_schema(self, palace: str | None, name: str, /, *, literals: Row | None = None) -> None:
        """Run a schema command of `cypher/`. Conflicts with other commands are retried.

        Args:
            literals: Values for `__NAME__` in places where Cypher allows no parameter. The caller must check them.
        """
        await self.run_statement(query(name).of_palace(palace, literals or {}), name=name)

    async def run_statement(self, text: str, *, name: str = "statement") -> None:
        """Run one statement of a migration file, which may repeat. Conflicts with other statements are retried.

        Args:
            name: What those who watch the database see.
        """

        async def attempt() -> None:
            async with self._session(write=True) as session:
                # Not in an explicit transaction: CALL IN TRANSACTIONS is not allowed there.
                with QueryWatch(name, None, slow_s=self._slow_s):
                    result = await session.run(neo4j.Query(_literal(text), metadata=transaction_metadata()))
                    await result.consume()

        with translated(self._server):
            try:
                await patiently(attempt)
            except ClientError as error:
                # IF NOT EXISTS checks before it locks: another service created the same rule in between.
                if error.code != "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists":
                    raise

    @asynccontextmanager
    async def held_transaction(self, *, timeout_s: float) -> AsyncIterator[Transaction]:
        """Yield a write transaction that passes no gate, and commit it in the end. It is not retried.

        Args:
            timeout_s: When Neo4j ends it.
        """
        with translated(self._server):
            async with (
                self._session(write=True) as session,
                await session.begin_transaction(timeout=timeout_s, metadata=_reading()) as inner,
            ):
                yield Transaction(inner, None)

    async def commit_mark(self) -> str:
        """Return an opaque text that changes with every commit to the database, whoever made it."""

        async def attempt() -> str:
            async with self._session(write=False, own_bookmarks=True) as session:
                async with await session.begin_transaction(metadata=transaction_metadata()) as inner:
                    await inner.run("RETURN 1")
                return " ".join(sorted((await session.last_bookmarks()).raw_values))

        with translated(self._server):
            return await patiently(attempt)

    async def explain(self, palace: str | None, name: str, /, *, literals: Row = _NOTHING) -> str:
        """Return the plan of a query, with one operator and its details on each line. The query is not run."""
        text = _literal("EXPLAIN " + query(name).of_palace(palace, literals))
        with translated(self._server):
            async with self._session(write=False) as session:
                summary = await (await session.run(text)).consume()
        lines: list[str] = []
        waiting: list[Any] = [summary.plan]
        while waiting:
            step = waiting.pop()
            lines.append(f"{step['operatorType']} {step['args'].get('Details', '')}")
            waiting.extend(step.get("children", []))
        return "\n".join(lines)

    def connections(self) -> dict[str, int]:
        """Return how many connections are open, by their states, "in_use" and "idle"."""
        pool = self._driver._pool  # the driver has no public way to tell
        places = list(pool.connections)
        used = sum(map(pool.in_use_connection_count, places))
        return {"in_use": used, "idle": sum(len(pool.connections[place]) for place in places) - used}

    def _queries(self, inner: AsyncTransaction | AsyncSession, palace: str | None) -> Transaction:
        return Transaction(inner, palace, slow_query_s=self._slow_s)

    @asynccontextmanager
    async def _session(
        self, *, write: bool, own_bookmarks: bool = False, fetched: int = _FETCHED
    ) -> AsyncIterator[AsyncSession]:
        async with self._driver.session(
            database=self.name,
            default_access_mode=neo4j.WRITE_ACCESS if write else neo4j.READ_ACCESS,
            bookmark_manager=None if own_bookmarks else self._driver.execute_query_bookmark_manager,
            fetch_size=fetched,
        ) as session:
            yield session


def palace_row(rows: list[Row]) -> Row | None:
    """Return the row with the state of a palace, or None if the palace does not exist.

    Another transaction may delete the palace while its properties are read. Those that are read after that are null.
    """
    if not rows or any(rows[0].get(name, 0) is None for name in ("born", "revision", "cycle")):
        return None
    return rows[0]


def _given(name: str, palace: str | None, params: Mapping[str, Any] = _NOTHING) -> dict[str, _Given]:
    """Return the one parameter of a query: its values, and the palace.

    Raises:
        ValueError: If a value is missing, which Cypher would take for null.
    """
    given = _Given(params if palace is None else {"palace": palace, **params})
    if missing := query(name).parameters - given.keys():
        raise ValueError(f"the query {name} lacks {', '.join(sorted(missing))}")
    return {GIVEN: given}


def _in_time(text: str) -> neo4j.Query:
    """Return a query, which reads, that the database ends when the time for the request is over.

    Raises:
        TookTooLong: If it is over.
    """
    return neo4j.Query(_literal(text), metadata=_reading(), timeout=left_s())


def _reading() -> Row:
    """Return what `SHOW TRANSACTIONS` says of a transaction that a backup need not wait for."""
    return transaction_metadata() | {"graphpalace": "reads"}


def _literal(text: str) -> LiteralString:
    """Mark a text as safe: it comes from a file of this package, with only checked names inserted."""
    return cast(LiteralString, text)

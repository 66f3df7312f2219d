"""One driver a process, and the only place that runs Cypher."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, LiteralString, TypeVar, cast

import neo4j
from neo4j import AsyncGraphDatabase, AsyncResult, AsyncSession, AsyncTransaction
from neo4j.exceptions import ClientError, ConfigurationError

from graphpalace.errors import DatabaseUnavailable
from graphpalace.store.connection.failures import ServerAddress, translated
from graphpalace.store.connection.patience import CONNECT_S, patiently
from graphpalace.store.connection.queries import query

T = TypeVar("T")
Row = dict[str, Any]


class _Unseen(list[Any]):
    """A list that does not spell out its items: the driver makes a text of every parameter, whether it logs or not."""

    def __repr__(self) -> str:
        return f"<{len(self)} items>"


class Transaction:
    """Runs named queries inside one transaction, or each in one of its own if it is given a session."""

    def __init__(self, inner: AsyncTransaction | AsyncSession, palace: str | None) -> None:
        self._inner = inner
        self._palace = palace

    async def run(self, name: str, /, **params: Any) -> list[Row]:
        """Run a query of `cypher/` and return its rows."""
        result = await self._begun(name, params)
        return [dict(record.items()) async for record in result]  # record.data() walks bytes one by one

    async def send(self, name: str, /, **params: Any) -> None:
        """Run a query whose rows nobody needs; it goes on while the next is sent, and a failure shows there."""
        await self._begun(name, params)

    async def _begun(self, name: str, params: Mapping[str, Any]) -> AsyncResult:
        unseen = {key: _Unseen(value) if isinstance(value, list) else value for key, value in params.items()}
        return await self._inner.run(_literal(query(name).of_palace(self._palace)), _of(self._palace) | unseen)


class Database:
    """A Neo4j database, managed or not.

    Reads are routed as reads; what may go better the next time is tried again for some seconds; a read sees what
    this process wrote before, also on a cluster, because all sessions share one bookmark manager.

    Every method that runs a query takes the palace first: None for a query that is about no palace, or about all of
    them. One that names a palace all the same fails then, rather than to meet another palace than was meant.

    Args:
        home: Where the managed Neo4j keeps its files; None: it is not managed.
    """

    def __init__(
        self, *, uri: str, user: str, password: str, database: str = "neo4j", home: Path | None = None
    ) -> None:
        self.uri = uri
        self._database = database
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
        """Raise what stands in the way of a first query, without the retries of a transaction."""
        with translated(self._server):
            await self._driver.verify_connectivity()

    async def read(self, palace: str | None, name: str, /, **params: Any) -> list[Row]:
        """Run one query of `cypher/`, reading."""

        async def attempt() -> list[Row]:
            async with self._session(write=False) as session:
                return await Transaction(session, palace).run(name, **params)

        with translated(self._server):  # one round trip, where a transaction takes three
            return await patiently(attempt)

    async def write(self, palace: str | None, name: str, /, **params: Any) -> list[Row]:
        """Run one query of `cypher/` in a write transaction."""
        return await self._in_transaction(palace, lambda tx: tx.run(name, **params), write=True)

    async def transaction(self, palace: str | None, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run several queries as one write transaction; `work` may be called again, so it must not keep state."""
        return await self._in_transaction(palace, work, write=True)

    async def auto_commit(self, palace: str | None, name: str, /, **params: Any) -> list[Row]:
        """Run a query that cannot be inside a transaction (CALL IN TRANSACTIONS). The driver does not retry it."""
        with translated(self._server):
            async with self._session(write=True) as session:
                result = await session.run(_literal(query(name).of_palace(palace)), _of(palace) | params)
                return [dict(record.items()) async for record in result]  # record.data() walks bytes one by one

    async def change_schema(self, palace: str | None, name: str, /, *, literals: Row | None = None) -> None:
        """Run a schema command of `cypher/`; two that meet are retried.

        Args:
            literals: Values for `__NAME__` where Cypher takes no parameter; the caller has checked them.
        """
        text = query(name).of_palace(palace)
        for key, value in (literals or {}).items():
            text = text.replace(f"__{key.upper()}__", str(value))
        await self.run_statement(text)

    async def run_statement(self, text: str) -> None:
        """Run one statement of a migration file; two that meet are retried."""

        async def attempt() -> None:
            async with self._session(write=True) as session, await session.begin_transaction() as inner:
                await (await inner.run(_literal(text))).consume()

        with translated(self._server):
            try:
                await patiently(attempt)
            except ClientError as error:
                # IF NOT EXISTS looks before it locks: another service made the same thing in between.
                if error.code != "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists":
                    raise

    async def commit_mark(self) -> str:
        """Return an opaque text that is another after every commit to the database, whoever made it."""

        async def attempt() -> str:
            async with self._session(write=False, own_bookmarks=True) as session:
                async with await session.begin_transaction() as inner:
                    await inner.run("RETURN 1")
                return " ".join(sorted((await session.last_bookmarks()).raw_values))

        with translated(self._server):
            return await patiently(attempt)

    async def explain(self, palace: str | None, name: str, /) -> str:
        """Return the plan of a query, one operator with its details a line; nothing is run."""
        with translated(self._server):
            async with self._session(write=False) as session:
                summary = await (await session.run(_literal("EXPLAIN " + query(name).of_palace(palace)))).consume()
        lines: list[str] = []
        waiting: list[Any] = [summary.plan]
        while waiting:
            step = waiting.pop()
            lines.append(f"{step['operatorType']} {step['args'].get('Details', '')}")
            waiting.extend(step.get("children", []))
        return "\n".join(lines)

    async def _in_transaction(
        self, palace: str | None, work: Callable[[Transaction], Awaitable[T]], *, write: bool
    ) -> T:
        async def attempt() -> T:
            async with self._session(write=write) as session, await session.begin_transaction() as inner:
                return await work(Transaction(inner, palace))

        with translated(self._server):
            return await patiently(attempt)

    @asynccontextmanager
    async def _session(self, *, write: bool, own_bookmarks: bool = False) -> AsyncIterator[AsyncSession]:
        async with self._driver.session(
            database=self._database,
            default_access_mode=neo4j.WRITE_ACCESS if write else neo4j.READ_ACCESS,
            bookmark_manager=None if own_bookmarks else self._driver.execute_query_bookmark_manager,
            fetch_size=2000,
        ) as session:
            yield session


def _of(palace: str | None) -> dict[str, Any]:
    """Return the parameter that most queries of a palace have."""
    return {} if palace is None else {"palace": palace}


def _literal(text: str) -> LiteralString:
    """Vouch for a text: it comes from a file of this package, with nothing but checked names put in."""
    return cast(LiteralString, text)

"""Migrate a database to the schema of this version, read its version and indexes, and name its full-text indexes.

Each applied migration is recorded with its checksum as a node `(:__Neo4jMigration)`. Neo4j does not allow schema
commands and writes of data in one transaction. Therefore each statement is idempotent, and the record is written after
the last statement: a migration that was interrupted runs again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Container
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from graphpalace.domain.palaces.languages import ANALYZERS
from graphpalace.errors import DatabaseFailed, MigrationChanged, RestoreUnfinished, SchemaTooNew
from graphpalace.store.connection.database import Database, Row
from graphpalace.store.connection.queries import resource_dir

_FILE = re.compile(r"V(\d{4})__(\w+)\.cypher")
OLDEST_NEO4J = (5, 26)  # on which every query runs
OWN_ANALYZERS = tuple(sorted(set(ANALYZERS.values())))  # that a wing may have instead of the palace's


@dataclass(frozen=True, slots=True)
class Migration:
    """A migration file.

    Attributes:
        version, description: Parts of the file's name, for example `0001` and `palace_schema`.
        checksum: SHA-256 of the text.
    """

    version: str
    description: str
    statements: tuple[str, ...]
    checksum: str


def migrations(folder: Path | None = None) -> list[Migration]:
    """Return the migrations of this version, in the order in which they are applied."""
    found = []
    for path in sorted((folder or resource_dir("migrations")).glob("V*.cypher")):
        if not (name := _FILE.fullmatch(path.name)):
            raise DatabaseFailed(f"the migration {path.name} is not named V0001__what_it_does.cypher", file=path.name)
        text = path.read_text("utf-8").replace("\r\n", "\n")
        code = re.sub(r"^//.*$", "", text, flags=re.MULTILINE)
        statements = tuple(statement.strip() for statement in code.split(";") if statement.strip())
        found.append(Migration(name[1], name[2], statements, sha256(text.encode()).hexdigest()))
    return found


def pending_of(known: list[Migration], applied: dict[str, str]) -> list[Migration]:
    """Return the migrations that are not applied yet, after checking those that are.

    Args:
        applied: Checksum of each applied migration, by version.

    Raises:
        MigrationChanged, SchemaTooNew: As `SchemaStore.migrate`.
    """
    for migration in known:
        if applied.get(migration.version, migration.checksum) != migration.checksum:
            raise MigrationChanged(
                f"migration V{migration.version}__{migration.description} was changed after it was applied; "
                "restore the file and put the change into a new migration",
                version=migration.version,
            )
    if unknown := sorted(applied.keys() - {migration.version for migration in known}):
        raise SchemaTooNew(
            f"a newer GraphPalace has migrated this database to schema V{unknown[-1]}, and this one "
            f"knows V{known[-1].version if known else '0000'}: upgrade it with `pip install --upgrade graphpalace`; "
            "nothing was changed",
            schema=unknown[-1],
        )
    return [migration for migration in known if migration.version not in applied]


class SchemaStore:
    """Migrates the schema of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def migrate(self, *, folder: Path | None = None) -> list[str]:
        """Apply the missing migrations, and return their versions; an empty list if the schema is current.

        Two services that start at the same time may both run a migration, because each statement is idempotent. Only
        one of them can record it, because versions are unique.

        Raises:
            MigrationChanged: If the file of an applied migration has changed.
            SchemaTooNew: If the database has a migration that this version does not know.
            RestoreUnfinished: If the database has only a part of a backup.
            DatabaseFailed: If the server is older than `OLDEST_NEO4J`.
        """
        await self._check_version()
        if rows := await self._database.read(None, "backup/find_restore"):
            raise RestoreUnfinished(file=rows[0]["file"])
        known = migrations(folder)
        await self._database.change_schema(None, "migrations/create_ledger")
        pending = pending_of(known, await self._applied())
        if not pending:
            return []
        for migration in pending:
            started = time.monotonic()
            for statement in migration.statements:
                name = f"migrations/V{migration.version}__{migration.description}"
                await self._database.run_statement(statement, name=name)
            await self._database.write(
                None,
                "migrations/record_applied",
                version=migration.version,
                description=migration.description,
                checksum=migration.checksum,
                seconds=time.monotonic() - started,
            )
        await ServerStore(self._database).await_indexes()
        return [migration.version for migration in pending]

    async def _check_version(self) -> None:
        info, oldest = await ServerStore(self._database).info(), ".".join(map(str, OLDEST_NEO4J))
        if info.too_old:
            found = f"Neo4j {info.version} at {self._database.uri}"
            message = f"{found} is too old: upgrade it to {oldest} or later; nothing was changed"
            raise DatabaseFailed(message, version=info.version)

    async def lay(self, versions: Container[str]) -> None:
        """Run the statements of some migrations on an empty database, without a record of them."""
        await self._database.change_schema(None, "migrations/create_ledger")
        for migration in migrations():
            if migration.version in versions:
                for statement in migration.statements:
                    await self._database.run_statement(statement)

    async def pending(self) -> list[Migration]:
        """Return the migrations that `migrate` would apply. Nothing is changed.

        Raises:
            MigrationChanged, SchemaTooNew: As `migrate`.
        """
        return pending_of(migrations(), await self._applied())

    async def state(self) -> str:
        """Return `current`, or how many migrations are missing.

        Raises:
            MigrationChanged, SchemaTooNew: As `migrate`.
        """
        pending = await self.pending()
        return "current" if not pending else f"{len(pending)} pending: run `graphpalace migrate`"

    async def _applied(self) -> dict[str, str]:
        return {row["version"]: row["checksum"] for row in await self._database.read(None, "migrations/list_applied")}


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """Version and edition of a Neo4j server, and its clock (ISO 8601)."""

    version: str
    edition: str
    now: str

    @property
    def too_old(self) -> bool:
        """Whether some queries may not run on this version."""
        return tuple(int(part) for part in self.version.split(".")[:2] if part.isdigit()) < OLDEST_NEO4J


@dataclass(frozen=True, slots=True)
class IndexState:
    """The state of an index.

    Attributes:
        type: Type in Neo4j's words: `RANGE`, `FULLTEXT`, `VECTOR`, ...
        state: `ONLINE`, `POPULATING` or `FAILED`.
        population: Percentage of the index that is built.
        failure: Why it failed, or empty.
        dimension: Length of the vectors of a vector index.
    """

    name: str
    type: str
    state: str
    population: float
    failure: str = ""
    dimension: int | None = None

    @property
    def online(self) -> bool:
        """Whether the index can be used."""
        return self.state == "ONLINE"


class ServerStore:
    """Reads facts about the server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def info(self) -> ServerInfo:
        """Return version and edition of the server."""
        (row,) = await self._database.read(None, "health/server_info")
        return ServerInfo(**row)

    async def indexes(self) -> list[IndexState]:
        """Return every index of the database."""
        return [IndexState(**row) for row in await self._database.read(None, "health/list_indexes")]

    async def clients(self) -> list[str]:
        """Return host and port of each connection of a GraphPalace, this process among them."""
        return [row["address"] for row in await self._database.read(None, "health/list_connections")]

    async def await_indexes(self, *, timeout_s: int = 300) -> None:
        """Wait until every index is online.

        Raises:
            DatabaseFailed: If an index is not online after `timeout_s` seconds.
        """
        await self._database.read(None, "health/await_indexes", timeout_s=timeout_s)


def words_property(analyzer: str | None) -> str:
    """Return the property with a drawer's words; the words of its title are in the property `title_` and this name.

    Args:
        analyzer: Analyzer of the wing; None: the palace's.
    """
    return "words" if analyzer is None else f"words_{analyzer}"


@dataclass(frozen=True, slots=True)
class PalaceIndex:
    """An index that a palace should have.

    Attributes:
        kind: What the index is called between `drawer_` and the name of the palace.
        query: Name of the query of `cypher/` that creates it.
        literals: For that query.
    """

    palace: str
    kind: str
    query: str
    literals: Row

    @property
    def name(self) -> str:
        """Name of the index."""
        return f"drawer_{self.kind}_{self.palace}"


def palace_indexes(palace: str, *, analyzer: str, dimension: int) -> list[PalaceIndex]:
    """Return the indexes that every palace has: of its words with an analyzer, and of its vectors."""
    return [
        PalaceIndex(palace, "stems", "palaces/create_stems_index", {"analyzer": analyzer}),
        PalaceIndex(palace, "exact", "palaces/create_exact_index", {}),
        PalaceIndex(palace, "vector", "palaces/create_vector_index", {"dimension": dimension}),
    ]


def language_indexes(palace: str, analyzer: str) -> list[PalaceIndex]:
    """Return the full-text indexes that a palace has if wings have an analyzer of their own."""
    literals = {"analyzer": analyzer}
    return [
        PalaceIndex(palace, f"{analyzer}_stems", "palaces/create_language_stems_index", literals),
        PalaceIndex(palace, f"{analyzer}_exact", "palaces/create_language_exact_index", literals),
    ]

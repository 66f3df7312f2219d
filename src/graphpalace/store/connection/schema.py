"""Bring a database to the schema of this version: immutable, checksummed files under `migrations/`.

They are recorded as `(:__Neo4jMigration)`. Neo4j does not let schema commands and data share a transaction, so each
statement is idempotent and the record is written after the last one: a migration that was killed runs again.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from graphpalace.errors import DatabaseFailed, MigrationChanged, SchemaTooNew
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.queries import resource_dir
from graphpalace.store.connection.server import ServerStore

_FILE = re.compile(r"V(\d{4})__(\w+)\.cypher")


@dataclass(frozen=True, slots=True)
class Migration:
    """One file: version `0001`, description `palace_schema`, its statements and the SHA-256 of its text."""

    version: str
    description: str
    statements: tuple[str, ...]
    checksum: str


def migrations(folder: Path | None = None) -> list[Migration]:
    """Return the migrations of this version in order."""
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
    """Return the migrations that are not applied, having checked those that are (version to checksum)."""
    for migration in known:
        if applied.get(migration.version, migration.checksum) != migration.checksum:
            raise MigrationChanged(
                f"migration V{migration.version}__{migration.description} was changed after it was applied; "
                "restore the file and put the change into a new migration",
                version=migration.version,
            )
    if unknown := sorted(applied.keys() - {migration.version for migration in known}):
        raise SchemaTooNew(f"the database has migration V{unknown[-1]}, which this version does not know: upgrade")
    return [migration for migration in known if migration.version not in applied]


class SchemaStore:
    """Migrates the schema of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def migrate(self, *, folder: Path | None = None) -> list[str]:
        """Apply what is missing and return the versions applied; nothing if the schema is current.

        Two services that start at once both find every statement idempotent; the unique version lets one record it.

        Raises:
            MigrationChanged: If a recorded file has another checksum now.
            SchemaTooNew: If the database has a version that is not known here.
        """
        known = migrations(folder)
        await self._database.change_schema(None, "migrations/create_ledger")
        pending = pending_of(known, await self._applied())
        if not pending:
            return []
        for migration in pending:
            started = time.monotonic()
            for statement in migration.statements:
                await self._database.run_statement(statement)
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

    async def state(self) -> str:
        """Return `current`, or what `migrate` would do or refuse."""
        pending = pending_of(migrations(), await self._applied())
        return "current" if not pending else f"{len(pending)} pending: run `graphpalace migrate`"

    async def _applied(self) -> dict[str, str]:
        return {row["version"]: row["checksum"] for row in await self._database.read(None, "migrations/list_applied")}

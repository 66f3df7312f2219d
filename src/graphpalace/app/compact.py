"""Let what was forgotten vanish from the files of the managed Neo4j."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from graphpalace.app.database import managed_server
from graphpalace.errors import Conflict
from graphpalace.managed_neo4j.server import ManagedServer
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database
from graphpalace.store.graph_copy import CopiedGraph, copy_graph


@dataclass(frozen=True, slots=True)
class Compacted:
    """What `compact` copied into fresh files."""

    nodes: int
    relationships: int
    bytes_before: int
    bytes_after: int


def compact(
    settings: Settings,
    *,
    tell: Callable[[str], None] = lambda _what: None,
    progress: Callable[[CopiedGraph], None] = lambda _: None,
) -> Compacted:
    """Copy the managed database into fresh files, which replace the old ones.

    The managed Neo4j is stopped afterwards. No service may run on it meanwhile.

    Raises:
        Conflict: If another Neo4j is configured, whose files only its administrator can change, or the managed one has
            no data yet.
        NotEnoughDisk: If a second store does not fit on the disk.
    """
    if settings.neo4j.uri:
        raise Conflict(
            f"[neo4j] uri is {settings.neo4j.uri!r}; compact changes only the files of the managed Neo4j. Ask the "
            "administrator of this Neo4j to copy the database into a fresh one: `neo4j-admin database copy` in the "
            "Enterprise edition, or `graphpalace compact` with a managed Neo4j and its store",
            uri=settings.neo4j.uri,
        )
    server = managed_server(settings)
    if not (server.home / "data").exists():
        raise Conflict(f"there is no database in {server.home}: nothing can be compacted")
    copied = CopiedGraph(0, 0)

    def copy(old: str, new: str, password: str) -> None:
        nonlocal copied
        copied = asyncio.run(_copied(server, (old, new), password, progress))

    before, after = server.compact(copy, tell=tell)
    return Compacted(copied.nodes, copied.relationships, before, after)


async def _copied(
    server: ManagedServer, uris: tuple[str, str], password: str, progress: Callable[[CopiedGraph], None]
) -> CopiedGraph:
    source, target = (Database(uri=uri, user=server.user, password=password) for uri in uris)
    try:
        return await copy_graph(source, target, progress=progress)
    finally:
        await source.close()
        await target.close()

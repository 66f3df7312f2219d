"""Copy a whole database into an empty one, which then has nothing but what the first one still shows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from graphpalace.errors import Conflict
from graphpalace.store.connection.database import Database, Row
from graphpalace.store.connection.schema import ServerStore

_NODES, _RELATIONSHIPS = 500, 2000  # written at once; a node may have a text of a million characters
_MOST_CHARS = 4_000_000
_INDEXES_S = 3600


@dataclass(frozen=True, slots=True)
class CopiedGraph:
    """How much was copied."""

    nodes: int
    relationships: int


async def copy_graph(
    source: Database, target: Database, *, progress: Callable[[CopiedGraph], None] = lambda _: None
) -> CopiedGraph:
    """Copy all nodes and relationships, with labels and properties, and all constraints and indexes.

    Nodes get other internal ids. Processes that have a palace in memory read it anew then.

    Args:
        source: Nothing may write to it meanwhile.
        target: A database without nodes.
        progress: Called after each batch with what was copied so far.

    Raises:
        Conflict: If there is a different number of nodes or relationships in the copy.
    """
    for row in await source.read(None, "compact/list_constraint_statements"):
        await target.run_statement(row["statement"])
    copied: dict[str, str] = {}  # the id of each node in the copy
    async for batch in _batches(source.stream(None, "compact/list_nodes"), most=_NODES):
        created = await target.write(None, "compact/create_nodes", nodes=batch)
        copied |= {node["id"]: row["id"] for node, row in zip(batch, created, strict=True)}
        progress(CopiedGraph(len(copied), 0))
    edges = 0
    async for batch in _batches(source.stream(None, "compact/list_relationships"), most=_RELATIONSHIPS):
        rows = [row | {"source": copied[row["source"]], "target": copied[row["target"]]} for row in batch]
        (row,) = await target.write(None, "compact/create_relationships", relationships=rows)
        if row["created"] != len(batch):
            raise Conflict("a relationship could not be copied; nothing was changed")
        edges += len(batch)
        progress(CopiedGraph(len(copied), edges))
    for row in await source.read(None, "compact/list_index_statements"):
        await target.run_statement(row["statement"])
    await target.write(None, "compact/raise_revisions")
    await ServerStore(target).await_indexes(timeout_s=_INDEXES_S)
    return CopiedGraph(len(copied), edges)


async def _batches(rows: AsyncIterator[Row], *, most: int) -> AsyncIterator[list[Row]]:
    batch: list[Row] = []
    chars = 0
    async for row in rows:
        batch.append(row)
        chars += sum(len(value) for value in row["properties"].values() if isinstance(value, str | bytes))
        if len(batch) == most or chars > _MOST_CHARS:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch

"""Facts that were read only from drawers that are deleted: they go too. Facts that somebody stated stay."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.store.connection.database import Database, Transaction


async def forget_facts(tx: Transaction, drawers: Sequence[str], facts: Sequence[str], *, replaced: bool) -> int:
    """Delete the facts that were read only from deleted drawers; return how many of them the palace knew.

    Args:
        facts: Ids of the facts that the drawers said.
        replaced: Whether one of them took the place of another drawer, or the other way; replicas read this with facts.
    """
    if not facts and not replaced:
        return 0
    (row,) = await tx.run("knowledge/forget_drawers", drawers=list(drawers), facts=sorted(set(facts)))
    return row["forgotten"]


async def count_lone_facts(database: Database, palace: str, drawers: Sequence[str]) -> int:
    """Return how many known facts were read only from some drawers."""
    (row,) = await database.read(palace, "knowledge/count_lone_facts", drawers=list(drawers))
    return row["facts"]

"""Link similar drawers, within the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

from graphpalace.store.connection.database import Transaction


async def link_similar(tx: Transaction, links: Sequence[tuple[str, str, float]]) -> int:
    """Create SIMILAR_TO edges with the given cosines; return how many."""
    if not links:
        return 0
    place: dict[str, int] = {}
    # Three long lists are faster to write and read than tens of thousands of short ones.
    tails = [place.setdefault(tail, len(place)) for tail, _, _ in links]
    heads = [place.setdefault(head, len(place)) for _, head, _ in links]
    similarities = [cosine for _, _, cosine in links]
    (row,) = await tx.run("ingest/create_similar", ids=list(place), tails=tails, heads=heads, similarities=similarities)
    return row["edges"]

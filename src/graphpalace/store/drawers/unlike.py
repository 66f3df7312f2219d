"""Refuse a write if a similar text was stored since its writer looked for one."""

from __future__ import annotations

from dataclasses import dataclass, field

from graphpalace.domain.vectors import Vector, texts_from_bytes
from graphpalace.errors import SimilarMeanwhile
from graphpalace.store.connection.database import Transaction


@dataclass(frozen=True, slots=True)
class Unlike:
    """What a new drawer must be unlike.

    Attributes:
        wing_id: The wing in which its writer looked for similar drawers.
        revision: The revision of the palace that its writer knew; later ones are looked through.
        vector: Its own, of length one.
        least: Cosine from which on a drawer may be similar.
    """

    wing_id: str
    revision: int
    vector: Vector = field(repr=False)
    least: float


async def check_unlike(tx: Transaction, unlike: Unlike) -> None:
    """Look through what was stored meanwhile. The transaction must have locked the palace, so that nothing follows.

    Raises:
        SimilarMeanwhile: If one of these drawers may be similar.
    """
    rows = await tx.run("drawers/list_stored_since", revision=unlike.revision, wing_id=unlike.wing_id)
    if not rows:
        return
    vectors, _ = texts_from_bytes([row["embedding"] for row in rows], dimension=len(unlike.vector))
    cosines = vectors @ unlike.vector
    if float(cosines.max()) >= unlike.least:
        raise SimilarMeanwhile(drawer=rows[int(cosines.argmax())]["id"])

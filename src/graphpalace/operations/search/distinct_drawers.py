"""Read the texts of the best drawers, and fold those that say the same into one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from graphpalace.domain.drawers.drawer import Drawer
from graphpalace.fuse.word_overlap import LEAST_COSINE, folded
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore


@dataclass(frozen=True, slots=True)
class DistinctDrawers:
    """The drawers that were read.

    Attributes:
        drawers: By id; those that were deleted meanwhile are missing.
        order: Ids of the drawers that stay, best first.
        copies: Ids of the drawers that were folded into each of these.
        plain: Ids of the best drawers without learning, each replaced by the one that it was folded into.
        short: Whether folding left too few, although there may be more drawers.
    """

    drawers: Mapping[str, Drawer]
    order: Sequence[str]
    plain: Sequence[str]
    copies: Mapping[str, Sequence[str]] = field(default_factory=dict)
    short: bool = False


class DistinctReading:
    """Reads drawers. Equal texts are found among what is read, and their embeddings are compared in memory."""

    def __init__(self, database: Database, indexes: DrawerIndexes) -> None:
        self._drawers = DrawerStore(database)
        self._indexes = indexes

    async def all(self, palace: str, best: Sequence[str], plain: Sequence[str], *, top_k: int) -> DistinctDrawers:
        """Read the best drawers of an order and of the order without learning. Nothing is folded."""
        return DistinctDrawers(await self._read(palace, [*best[:top_k], *plain]), best, plain)

    async def distinct(
        self, palace: str, best: Sequence[str], plain: Sequence[str], *, top_k: int, least: int, question: str
    ) -> DistinctDrawers:
        """Read as many drawers as it takes to have `top_k` with different texts.

        Drawers with near embeddings may be equal, so they are read in the same query, and as many more. Only if drawers
        with far embeddings turn out to have equal texts, a second query reads more.

        Args:
            best: Ids of drawers, best first.
            plain: Ids of the best `top_k` drawers without learning.
            least: How many of the best to read in any case.
            question: A drawer that contains it word for word is not folded into one that does not.
        """
        close = (await self._indexes.vectors(palace, best)).close(LEAST_COSINE)
        wanted = max(_enough(best, close, top_k), min(least, len(best)))
        drawers: dict[str, Drawer] = {}
        while True:
            shown = best[:wanted]
            near_shown = [one for one in best[wanted:] if any(close(one, other) for other in shown)]
            ids = [*shown, *near_shown, *(drawer for drawer in plain if drawer not in (*shown, *near_shown))]
            drawers |= await self._read(palace, [drawer for drawer in ids if drawer not in drawers])
            copies = folded(
                {drawer: drawers[drawer].text for drawer in ids if drawer in drawers},
                close=close,
                question=question,
            )
            # A drawer that was deleted meanwhile leaves its place empty, as in an answer without folding.
            missing = top_k - sum(drawer in copies or drawer not in drawers for drawer in shown)
            if missing <= 0 or wanted >= len(best):
                break
            wanted += missing
        leader = {other: one for one, others in copies.items() for other in [one, *others]}
        return DistinctDrawers(
            drawers,
            [drawer for drawer in best if drawer in copies],
            list(dict.fromkeys(leader[drawer] for drawer in plain if drawer in leader)),
            copies,
            short=missing > 0,
        )

    async def _read(self, palace: str, ids: Sequence[str]) -> dict[str, Drawer]:
        wanted = list(dict.fromkeys(ids))
        return {drawer.id: drawer for drawer in await self._drawers.read(palace, wanted)} if wanted else {}


def _enough(best: Sequence[str], close: Callable[[str, str], bool], top_k: int) -> int:
    """Return how many of the best drawers to read until `top_k` of them have no near one before them."""
    found = 0
    for at, drawer in enumerate(best):
        found += not any(close(drawer, other) for other in best[:at])
        if found == top_k:
            return at + 1
    return len(best)

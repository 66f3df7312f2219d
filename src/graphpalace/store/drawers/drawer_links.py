"""What a write of drawers does to others, in its transaction: edges to similar and older ones, and facts that go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from graphpalace.domain.search.news import LEAST_NEWS, MOST_NEWS
from graphpalace.domain.vectors import Vector, texts_from_bytes
from graphpalace.errors import SimilarMeanwhile
from graphpalace.ingest.news import OlderText, learned_log_odds, news_probabilities
from graphpalace.store.connection.database import Database, Transaction


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


@dataclass(frozen=True, slots=True)
class ComparedDrawer:
    """A drawer that may be news on older ones.

    Attributes:
        older: As `DrawerRecord` has them.
    """

    id: str
    text: str
    older: Sequence[tuple[str, float]]


async def link_news(tx: Transaction, drawers: Sequence[ComparedDrawer]) -> list[tuple[str, str, float]]:
    """Create NEWS_ON edges from stored drawers to older ones; return their ends and probabilities.

    Args:
        drawers: The texts of older ones are read here, where they are sure to be stored.
    """
    asked = {drawer.id: drawer for drawer in drawers if drawer.older}
    if not asked:
        return []
    given = [{"id": drawer.id, "older": [other for other, _ in drawer.older]} for drawer in asked.values()]
    texts: dict[str, list[tuple[str, OlderText]]] = defaultdict(list)
    learned = 0.0
    for row in await tx.run("ingest/read_older", news=given):
        learned = learned_log_odds(row["surprise"], row["doubt"])
        fit = dict(asked[row["id"]].older)[row["older"]]
        texts[row["id"]].append((row["older"], OlderText(row["text"], fit)))
    news: list[tuple[str, str, float]] = []
    for drawer, some in texts.items():
        probable = news_probabilities(asked[drawer].text, [one for _, one in some], learned=learned)
        found = [(round(value, 4), other) for value, (other, _) in zip(probable, some, strict=True)]
        best = sorted((each for each in found if each[0] >= LEAST_NEWS), key=lambda each: (-each[0], each[1]))
        news.extend((drawer, other, value) for value, other in best[:MOST_NEWS])
    if news:
        await tx.run("ingest/create_news", news=[list(each) for each in news])
    return news


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

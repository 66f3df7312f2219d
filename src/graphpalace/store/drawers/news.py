"""Keep which drawers are probably news on which older ones, within the caller's transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from graphpalace.domain.search.news import LEAST_NEWS, MOST_NEWS
from graphpalace.ingest.news import OlderText, learned_log_odds, news_probabilities
from graphpalace.store.connection.database import Transaction


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

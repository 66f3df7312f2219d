"""A palace of many drawers, stored the way an ingest stores them but without reading files."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int

from benchmarks.synthetic import TableEmbedder, clustered, named_text, questions, text_names, vocabulary, word_ranks
from graphpalace.app import opened
from graphpalace.domain.drawers.records import ClosetPart, DrawerRecord
from graphpalace.domain.identity import stable_id
from graphpalace.domain.palaces.places import WingType
from graphpalace.domain.vectors import Matrix
from graphpalace.operations.drawers.compose import closet_id, room_record
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.knowledge import EntitySettings
from graphpalace.store.drawers.closets import ClosetStore

DRAWERS = 100_000
_CLOSET, _BATCH = 250, 1000
_WINGS, _ROOMS = 10, 20  # rooms of a wing
_TOPIC = 50  # drawers
_NEWS = 3  # every third drawer may be news on an older one of its topic


@dataclass(frozen=True, slots=True)
class LargePalace:
    """A palace and what was put into it.

    Attributes:
        ranks: Words of each drawer, as their places in `words`.
        names: Names in each drawer.
        seconds: From the first drawer until all names were read.
    """

    name: str
    ids: list[str]
    vectors: Matrix
    ranks: list[Int[np.ndarray, " words"]]
    words: list[str]
    names: list[list[str]]
    wing: str
    seconds: float

    def text(self, at: int) -> str:
        """Return the text of a drawer."""
        return named_text(self.ranks[at], self.words, self.names[at])

    def questions(self, rng: np.random.Generator, count: int) -> list[tuple[int, str]]:
        """Return for each of `count` questions which drawer it is about, and words and a name of that drawer.

        Neither words nor names are asked twice while they suffice.
        """
        asked, found = set[str](), list[tuple[int, str]]()
        for at, words in questions(rng, self.ranks, self.words, count):
            names = self.names[at]
            name = next((name for name in names if name not in asked), names[0])
            asked.add(name)
            found.append((at, f"{words} {name}"))
        return found


def by_rules(settings: Settings) -> Settings:
    """Return settings with which names are read by rules, and only when that is asked for."""
    return settings.model_copy(update={"entities": EntitySettings(recogniser="rules", read_after_s=3600)})


async def fill(settings: Settings, name: str, *, drawers: int = DRAWERS) -> LargePalace:
    """Make the palace: closets of 250 drawers in ten wings of up to twenty rooms, 50 drawers on each topic.

    A third of the drawers may be news on an older one.

    The names in the texts are read by the rules, as a model would take much longer than everything else.
    """
    rng = np.random.default_rng(20_260_101)
    words = vocabulary()
    ranks = word_ranks(rng, drawers)
    topics = np.arange(drawers) // _TOPIC
    vectors = clustered(rng, topics)
    names = text_names(rng, topics)
    ids: list[str] = []
    print(f"  storing {drawers:,} drawers ...", file=sys.stderr, flush=True)
    started = time.perf_counter()
    async with opened(by_rules(settings), embedder=TableEmbedder()) as app:
        await app.create_palace(name)
        for start in range(0, drawers, _BATCH):
            closets, rooms = [], {}
            for first in range(start, min(start + _BATCH, drawers), _CLOSET):
                number = first // _CLOSET
                wing = f"wing {number % _WINGS}"
                room = room_record(name, wing, f"room {number // _WINGS % _ROOMS}", [], wing_type=WingType.TOPIC)
                rooms[room.id] = room
                closet = closet_id(name, wing, f"bench:{number}")
                here = range(first, min(first + _CLOSET, drawers))
                ids += [stable_id("drawer", name, closet, str(at)) for at in here]
                records = tuple(
                    DrawerRecord(
                        ids[at],
                        room.id,
                        named_text(ranks[at], words, names[at]),
                        at - first,
                        1,
                        1,
                        vector=vectors[at],
                    )
                    for at in here
                )
                keep = frozenset(record.id for record in records)
                title, uri = f"source {number}", f"notes:{number}"  # each drawer is a document of its own, as notes are
                closets.append(ClosetPart(closet, room.wing_id, title, uri, "text/plain", records, keep, uri))
            await ClosetStore(app.database).write(name, list(rooms.values()), closets, model=app.embedder.name)
            await app.database.write(name, "ingest/create_news", news=_news(start, ids))
        print("  reading their names ...", file=sys.stderr, flush=True)
        await app.knowledge.names.build(name)
    return LargePalace(name, ids, vectors, ranks, words, names, "wing 0", time.perf_counter() - started)


def _news(start: int, ids: list[str]) -> list[list[object]]:
    """Return for a third of the new drawers an older one of their topic that they may be news on, and how probably."""
    news = (at for at in range(start, len(ids)) if at % _NEWS == 0 and at % _TOPIC)
    return [[ids[at], ids[at - 1 - at % min(at % _TOPIC, 7)], 0.2 + 0.1 * (at % 5)] for at in news]

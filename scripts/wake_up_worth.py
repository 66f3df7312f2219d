"""How much of what the next question needs a wake-up holds, against as many bytes of the newest and of random drawers.

    graphpalace up
    python scripts/wake_up_worth.py COLLECTION

The collection is one of single exchanges in BEIR form with embeddings, whose documents and questions have a `date` in
their metadata. Its questions are divided into people. For each person, a palace is filled with the exchanges of the
questions' conversations in the order of their dates. Whenever a question comes, the wake-up is read first; then the
question is searched, and the hits that answer it are rewarded. What counts is the share of the drawers that the
question needs, of those that are stored by then. Questions of which none is stored yet are left out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.evaluation.collection import CollectionDocument, CollectionQuestion, read_collection
from graphpalace.operations.wake_up import LineForm
from graphpalace.store.wake_up import RememberedText

BYTES = 2048
QUESTIONS = 20  # of one person
_FORM = LineForm(120)
_HELD = "wake-up", "newest lines", "newest texts", "random lines", "random texts"


def dates_of(path: Path) -> dict[str, datetime]:
    """Return the date of each line of a file of the collection, by its id."""
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    return {row["_id"]: _moment(row["metadata"]["date"]) for row in rows}


def lines_of(rows: Sequence[tuple[str, str, datetime]]) -> set[str]:
    """Return the drawers whose lines, as a wake-up writes them, fit into its bytes, the first ones first."""
    shown = (_FORM.of_text(RememberedText(drawer, text, drawer, at), timed=True).shown for drawer, text, at in rows)
    return _within(rows, (len(line.encode()) + 1 for line in shown))


def texts_of(rows: Sequence[tuple[str, str, datetime]]) -> set[str]:
    """Return the drawers whose whole texts fit into the bytes of a wake-up, and the one that is cut at their end."""
    return _within(rows, (len(text.encode()) + 1 for _, text, _ in rows), cut=True)


def _within(rows: Sequence[tuple[str, str, datetime]], sizes: Iterable[int], *, cut: bool = False) -> set[str]:
    held, used = set[str](), 0
    for (drawer, _, _), size in zip(rows, sizes, strict=True):
        used += size
        if used > BYTES and not (cut and used - size < BYTES):
            break
        held.add(drawer)
    return held


async def shares_of(
    palace: AsyncPalace,
    documents: Sequence[CollectionDocument],
    questions: Sequence[CollectionQuestion],
    dates: Mapping[str, datetime],
    rng: random.Random,
) -> list[list[float]]:
    """Return for each question the share of needed drawers in the wake-up, and in each of the others."""
    events: list[tuple[datetime, int, Any]] = [(dates[one.id], 0, one) for one in documents]
    events += [(dates[one.id], 1, one) for one in questions]
    drawer_of: dict[str, str] = {}
    stored: list[tuple[str, str, datetime]] = []
    shares: list[list[float]] = []
    for at, is_question, one in sorted(events, key=lambda event: (event[0], event[1], _talk(event[2].id))):
        if not is_question:
            added = await palace.add(
                one.text,
                wing="person",
                title=one.id,
                source_uri=f"talk:{_talk(one.id)[0]}",
                occurred_at=at,
                embedding=one.vector.tolist(),
            )
            drawer_of[one.id] = added.id
            stored.append((added.id, one.text, at))
            continue
        needed = {drawer_of[document] for document in one.relevant if document in drawer_of}
        if not needed:
            continue
        woken = {line.drawer for line in (await palace.wake_up("person", budget_bytes=BYTES)).lines}
        mixed = rng.sample(stored, len(stored))
        newest = stored[::-1]
        held = woken, lines_of(newest), texts_of(newest), lines_of(mixed), texts_of(mixed)
        shares.append([len(needed & each) / len(needed) for each in held])
        answer = await palace.search(one.text, query_embedding=one.vector.tolist(), top_k=10)
        if helped := [hit.id for hit in answer.hits if hit.id in needed]:
            await palace.feedback(answer.run, useful=helped)
    return shares


async def main(folder: Path, people: int) -> None:
    """Print the mean shares."""
    collection = read_collection(folder)
    dates = dates_of(folder / "corpus.jsonl") | dates_of(folder / "queries.jsonl")
    rng = random.Random(7)
    questions = rng.sample(collection.questions, len(collection.questions))
    shares: list[list[float]] = []
    for person in range(people):
        asked = questions[person * QUESTIONS : (person + 1) * QUESTIONS]
        talks = {_talk(document)[0] for one in asked for document in one.relevant}
        documents = [one for one in collection.documents if _talk(one.id)[0] in talks]
        name = f"person{person}"
        async with AsyncPalace.open(name) as palace:
            await palace.palaces.create(name)
            try:
                shares += await shares_of(palace, documents, asked, dates, rng)
            finally:
                await palace.palaces.drop(name)
        means = np.mean(shares, axis=0)
        print(f"{len(shares)} questions:", *(f"{name} {mean:.3f}" for name, mean in zip(_HELD, means, strict=True)))


def _talk(exchange: str) -> tuple[str, int]:
    """Return the conversation of an exchange, and which of its exchanges it is."""
    talk, _, number = exchange.partition("#r")
    return talk, int(number or 0)


def _moment(text: str) -> datetime:
    return datetime.strptime(text[:10] + text[-6:], "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--people", type=int, default=8)
    chosen = parser.parse_args()
    asyncio.run(main(chosen.folder, chosen.people))

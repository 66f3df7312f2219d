"""Select what is to be forgotten, find and delete what is left of it outside of drawers, and keep receipts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import uuid4

from graphpalace.domain.forgetting import (
    MOST_IDS,
    ForgetChoice,
    ForgetReceipt,
    ForgottenTraces,
    KeptReceipt,
    plain,
    quotes,
)
from graphpalace.domain.learning.feedback import Candidates
from graphpalace.store.connection.database import Database, Row, Transaction
from graphpalace.store.learning.searches import properties_of
from graphpalace.store.struck import results_without, run_without, search_without, without_candidates

_PAGE = 500


class ForgettingStore:
    """Reads the texts of palaces, and stores and lists receipts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def drawers_of_name(self, palace: str, entity: str) -> list[str]:
        """Return the drawers that mention an entity."""
        rows = await self._database.read(palace, "forgetting/drawers_of_name", id=entity)
        return [row["drawer"] for row in rows]

    async def page_of_texts(self, palace: str, after: str) -> list[tuple[str, list[str]]]:
        """Return the next drawers in the order of their ids, each with its texts; an empty list at the end."""
        rows = await self._database.read(palace, "forgetting/list_texts", after=after, limit=_PAGE)
        return [(row["id"], row["texts"]) for row in rows]

    async def keep(self, palace: str, choice: ForgetChoice, receipt: ForgetReceipt, *, by: str | None) -> str | None:
        """Keep a receipt, and return its id; None if the palace was dropped."""
        rows = await self._database.write(
            palace,
            "forgetting/keep_receipt",
            id=f"forgotten-{uuid4().hex[:16]}",
            by=by,
            kinds=choice.kinds,
            deleted=receipt.deleted,
            drawers=list(receipt.drawers[:MOST_IDS]),
            closets=list(receipt.closets[:MOST_IDS]),
            facts=receipt.facts,
            traces=json.dumps(asdict(receipt.traces)),
        )
        return rows[0]["id"] if rows else None

    async def receipts(self, palace: str, *, after: str | None, limit: int) -> list[KeptReceipt]:
        """Return the receipts of a palace, newest first, from the one after a given one on."""
        rows = await self._database.read(palace, "forgetting/list_receipts", after=after, limit=limit)
        return [KeptReceipt(**row["receipt"] | {"traces": json.loads(row["receipt"]["traces"])}) for row in rows]


@dataclass(frozen=True, slots=True)
class DrawerPlace:
    """Where a drawer stands, and what it says and said."""

    id: str
    wing_id: str
    wing: str
    room: str
    closet: str
    texts: Sequence[str]
    diary: int


@dataclass(slots=True)
class _Changes:
    """Nodes of one kind that lose drawers, and those that go."""

    changed: list[Row] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)

    def add(self, id: str, properties: Row | None) -> None:
        """Note what a node has from now on; None: it goes."""
        if properties is None:
            self.deleted.append(id)
        else:
            self.changed.append({"id": id, "properties": properties})


@dataclass(frozen=True, slots=True)
class FoundTraces:
    """What is left of some drawers."""

    places: Sequence[DrawerPlace]
    searches: _Changes
    feedback: _Changes
    judgements: int
    runs: _Changes
    simulations: list[Row]
    jobs: Sequence[str]

    @property
    def counts(self) -> ForgottenTraces:
        """How much it is."""
        return ForgottenTraces(
            history=sum(len(place.texts) - 1 for place in self.places),
            lessons=len(self.feedback.deleted),
            judgements=self.judgements,
            searches=len(self.searches.deleted),
            runs=len(self.runs.deleted),
            entries=len(self.searches.changed) + len(self.runs.changed),
            simulations=len(self.simulations) + len(self.jobs),
            diary=sum(place.diary for place in self.places),
        )


async def find_traces(tx: Transaction, drawers: Sequence[str]) -> FoundTraces:
    """Return what is left of drawers, which still exist."""
    ids, gone = list(drawers), frozenset(drawers)
    places = [DrawerPlace(**row) for row in await tx.run("forgetting/read_places", drawers=ids)]
    texts = {place.id: place.texts for place in places}
    searches, feedback, runs = _Changes(), _Changes(), _Changes()
    for row in await tx.run("forgetting/find_searches", drawers=ids):
        search = row["search"]
        quoted = _quotes(search["query"], search["candidates"], texts)
        searches.add(search["id"], None if quoted else search_without(search, gone))
    judgements = 0
    for row in await tx.run("forgetting/find_feedback", drawers=ids):
        given = row["feedback"]
        if not row["others"] or _quotes(given["query"], given["candidates"], texts):
            feedback.deleted.append(given["id"])
            continue
        judgements += row["judged"]
        kept = without_candidates(given, gone) if given["candidates"] else {}
        nothing = properties_of(Candidates(answer_log_odds=given["answer_log_odds"]))
        feedback.add(given["id"], nothing if kept is None else kept)
    for row in await tx.run("forgetting/find_runs", drawers=ids):
        run = row["run"]
        quoted = any(_quotes(text, run["ids"], texts) for text in questions_in(run["recipe"]))
        runs.add(run["id"], None if quoted else run_without(run, gone))
    wings, rooms = {place.wing for place in places}, {(place.wing, place.room) for place in places}
    over = [
        row
        for row in (await tx.run("forgetting/find_simulations") if ids else [])
        if _includes(row["corpus"], gone, wings=wings, rooms=rooms)
    ]
    return FoundTraces(
        places,
        searches,
        feedback,
        judgements,
        runs,
        [{"name": row["id"], "results": results_without(row, gone)} for row in over if row["kind"] == "simulation"],
        [row["id"] for row in over if row["kind"] == "job"],
    )


async def erase_traces(tx: Transaction, found: FoundTraces) -> tuple[list[str], list[str]]:
    """Delete what is left of drawers, within the caller's transaction, before the drawers are deleted.

    Returns:
        Other drawers and callers' own documents, whose memories of questions are to be computed again.
    """
    ids = [place.id for place in found.places]
    await tx.run("writes/clear_answers")
    if ids:
        await tx.run("forgetting/clear_centroids", drawers=ids)
    if found.searches.changed or found.searches.deleted:
        await tx.run("forgetting/change_searches", changed=found.searches.changed, deleted=found.searches.deleted)
    if found.runs.changed or found.runs.deleted:
        await tx.run("forgetting/change_runs", changed=found.runs.changed, deleted=found.runs.deleted)
    if found.simulations:
        await tx.run("forgetting/clear_simulations", simulations=found.simulations)
    if found.jobs:
        await tx.run("forgetting/delete_simulations", simulations=[], jobs=list(found.jobs))
    if not (found.feedback.changed or found.feedback.deleted):
        return [], []
    (row,) = await tx.run("forgetting/change_feedback", changed=found.feedback.changed, deleted=found.feedback.deleted)
    return sorted({*row["drawers"]} - {*ids}), sorted({*row["documents"]})


@dataclass(frozen=True, slots=True)
class FoundWords:
    """What somebody wrote outside of drawers that matches a choice, as ids."""

    searches: Sequence[str] = ()
    feedback: Sequence[str] = ()
    runs: Sequence[str] = ()
    diary: Sequence[str] = ()
    names: Sequence[str] = ()
    simulations: Sequence[str] = ()
    jobs: Sequence[str] = ()

    def __bool__(self) -> bool:
        return self.counts != ForgottenTraces()

    @property
    def counts(self) -> ForgottenTraces:
        """How much it is."""
        return ForgottenTraces(
            lessons=len(self.feedback),
            searches=len(self.searches),
            runs=len(self.runs),
            simulations=len(self.simulations) + len(self.jobs),
            diary=len(self.diary),
            names=len(self.names),
        )


async def find_words(tx: Transaction, matches: Callable[[Sequence[str]], bool]) -> FoundWords:
    """Return everything outside of drawers whose words match."""
    found: dict[str, list[str]] = {
        kind: [] for kind in ("search", "feedback", "run", "diary", "name", "simulation", "job")
    }
    for row in await tx.run("forgetting/list_questions"):
        texts = [text for one in row["texts"] for text in questions_in(one)] if row["kind"] == "run" else row["texts"]
        if matches([text for text in texts if text]):
            found[row["kind"]].append(row["id"])
    for row in await tx.run("forgetting/find_simulations"):
        if matches([row["query"] or ""]):
            found[row["kind"]].append(row["id"])
    return FoundWords(
        searches=found["search"],
        feedback=found["feedback"],
        runs=found["run"],
        diary=found["diary"],
        names=found["name"],
        simulations=found["simulation"],
        jobs=found["job"],
    )


def questions_in(recipe: str) -> Iterator[str]:
    """Yield every text in the recipe of a run."""
    waiting: list[Any] = [json.loads(recipe)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list) and not (value and isinstance(value[0], float)):  # not an embedding
            waiting.extend(value)


def _quotes(question: str, found: Sequence[str], texts: Mapping[str, Sequence[str]]) -> bool:
    """Return whether a question quotes one of the drawers that it found."""
    return quotes(question, [plain(text) for drawer in found for text in texts.get(drawer, ())])


def _includes(corpus: str | None, gone: frozenset[str], *, wings: set[str], rooms: set[tuple[str, str]]) -> bool:
    """Return whether the documents of a simulation include drawers, or may have included them."""
    choice = json.loads(corpus) if corpus else None
    if not choice or choice["root"] is not None:
        return False
    if choice["drawers"] is not None:
        return not gone.isdisjoint(choice["drawers"])
    if choice["wing"] is None:
        return True
    return choice["wing"] in wings if choice["room"] is None else (choice["wing"], choice["room"]) in rooms


@dataclass(frozen=True, slots=True)
class ErasedWords:
    """What else is to be done after words were deleted.

    Attributes:
        drawers, documents: Their memories of questions are to be computed again.
        facts: Number of facts that were deleted.
    """

    drawers: Sequence[str]
    documents: Sequence[str]
    facts: int


async def erase_words(tx: Transaction, found: FoundWords) -> ErasedWords:
    """Delete what somebody wrote outside of drawers, within the caller's transaction."""
    await tx.run("writes/clear_answers")
    given = await tx.run("forgetting/change_feedback", changed=[], deleted=list(found.feedback))  # also tells replicas
    await tx.run("forgetting/change_searches", changed=[], deleted=list(found.searches))
    await tx.run("forgetting/change_runs", changed=[], deleted=list(found.runs))
    await tx.run("forgetting/delete_simulations", simulations=list(found.simulations), jobs=list(found.jobs))
    await tx.run("forgetting/delete_entries", entries=list(found.diary))
    facts = 0
    if found.names:
        (gone,) = await tx.run("forgetting/delete_names", names=list(found.names))
        await tx.run("knowledge/record_names", named=sorted({*gone["drawers"]}), respelled=[], facts=True)
        facts = len({*gone["facts"]})
    drawers = sorted({drawer for row in given for drawer in row["drawers"]})
    return ErasedWords(drawers, sorted({one for row in given for one in row["documents"]}), facts)

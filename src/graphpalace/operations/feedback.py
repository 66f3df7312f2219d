"""Feedback: what was useful in an answer, kept as a lesson and laid on the trails of the palace (DESIGN 8)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphpalace.domain.identity import stable_id
from graphpalace.domain.trail import EdgeRef, NodeRef, Trail
from graphpalace.domain.vectors import Vector, from_bytes, to_bytes
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.learn.narrative import remembering
from graphpalace.operations.caller_documents import (
    JudgedDocument,
    document_id,
    judge_documents,
    memory_row,
    remember_documents,
)
from graphpalace.operations.deposit import Deposits
from graphpalace.operations.feedback_identity import SAME_WITHIN_S, FeedbackIdentity, identity_of
from graphpalace.operations.judged_answers import JudgedAnswers, told_apart
from graphpalace.operations.learning import Learning
from graphpalace.operations.question import Question
from graphpalace.operations.search_log import KeptSearch, SearchLog
from graphpalace.pheromones.credit import EdgeGain, Gains, JudgedWay
from graphpalace.store.database import Database, Row, Transaction
from graphpalace.store.palaces import get_palace

MOST_DRAWERS = 200  # in one feedback
_MOST_ANSWERED = 1000  # answers that a drawer's memory is made of anew
_BETWEEN_FORGETTING = 25  # feedbacks; what has faded is then removed, up to twice as much

Rewards = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Given:
    """What became of a feedback.

    Attributes:
        fresh: False if the same feedback was given before, so that nothing was done.
    """

    id: str
    fresh: bool
    useful: int
    useless: int


class Feedback:
    """Takes feedback, lists it, and takes it back. Each is one transaction."""

    def __init__(
        self,
        database: Database,
        searches: SearchLog,
        answers: JudgedAnswers,
        learning: Learning,
        deposits: Deposits,
        *,
        rate: float,
        cycle_seconds: float,
        opened_reward: float,
    ) -> None:
        """Wire it.

        Args:
            rate: Share of success that is lost in a cycle, 0 to 1.
            opened_reward: Of a drawer that was opened out of an answer, above 0 to 1; 0: that teaches nothing.
        """
        self._database = database
        self._searches = searches
        self._answers = answers
        self._learning = learning
        self._deposits = deposits
        self._rate = rate
        self._cycle_seconds = cycle_seconds
        self._opened_reward = opened_reward

    async def give(
        self,
        palace: str,
        *,
        run: str | None = None,
        question: Question | None = None,
        namespace: str | None = None,
        useful: Rewards | None = None,
        useless: Rewards | None = None,
        feedback_id: str | None = None,
        source: str = "given",
    ) -> Given:
        """Keep what helped for a question, and what did not.

        It becomes a lesson of the wings that the drawers stand in; rewards the ways to what was useful and takes half
        as much from what was not (`pheromones.credit`); and is remembered by the drawers. Documents of the caller's
        own remember it too, and are used more or less. Giving the same again changes nothing.

        Args:
            run: The answer it is about: of a search, a lane, a fusion or a rerank.
            question: In place of a run that has expired: it is searched again.
            namespace: With a question: what is judged are documents of the caller's own, known there by their ids.
            useful, useless: Rewards, above 0 to 1, by id of drawer, and by what else the run calls its results: the
                number of a publication, the id of a document of the caller's own.
            feedback_id: A key of the caller's choice, under which feedback is given once; None: see `identity_of`.

        Raises:
            InvalidInput: If a reward is out of range, a drawer is both useful and useless, or there is nothing.
            NotFound: If the run has expired, or does not have what is judged, or a drawer is not in the palace; nothing
                is kept then.
        """
        rewards = _checked(useful or {}, "useful"), _checked(useless or {}, "useless")
        _check_both(run, question, *rewards)
        name = identity_of(
            palace,
            key=feedback_id,
            run=run,
            question=question,
            namespace=namespace,
            useful=rewards[0],
            useless=rewards[1],
        )
        named = {*rewards[0], *rewards[1]}
        if namespace is not None and question is None:
            raise InvalidInput("namespace goes with query: a run knows its own", field="namespace", value=namespace)
        if question is None:
            search = await self._answers.of_run(palace, run or "", named)
        elif namespace is None:
            search = await self._answers.of_question(palace, question)
        else:
            search = await self._answers.of_documents(palace, question, namespace=namespace, named=named)
        judgement = _judgement(palace, search, *rewards)
        return await self._keep(palace, name, search, judgement, source=source)

    async def opened(self, palace: str, *, run: str, drawer: str) -> Given | None:
        """Take the opening of a drawer out of an answer as a weak sign that it was useful; None if it was not shown."""
        if not self._opened_reward:
            return None
        if drawer not in await self._answers.shown(palace, run) or not await self._answers.teaches(palace, run):
            return None
        return await self.give(
            palace,
            run=run,
            useful={drawer: self._opened_reward},
            feedback_id=f"opened {run} {drawer}",
            source="opened",
        )

    async def shown(self, palace: str, run: str) -> Sequence[str]:
        """Return what a run showed, best first, as feedback may call it.

        Raises:
            NotFound: If the run is not there, or has expired.
        """
        return await self._answers.shown(palace, run)

    async def listed(self, palace: str, *, wing: str | None = None, limit: int = 50) -> list[Row]:
        """Return feedback, the newest first.

        Args:
            wing: Its id.
        """
        rows = await self._database.read("learning/list_feedback", palace=palace, wing=wing, most=limit)
        if not rows:
            await get_palace(self._database, palace)
        return [row["feedback"] for row in rows]

    async def take_back(self, palace: str, feedback_id: str) -> None:
        """Undo a feedback: its lesson, what drawers remember of it and what it laid are as if it had never been given.

        Raises:
            NotFound: If there is no such feedback.
        """

        async def work(tx: Transaction) -> None:
            rows = await tx.run("learning/take_back", palace=palace, id=feedback_id)
            if not rows:
                raise NotFound(f"there is no feedback {feedback_id!r} in palace {palace!r}", id=feedback_id)
            await self._remember_anew(tx, palace, rows[0]["drawers"])
            await self._deposits.undo(tx, palace, deposit_id=rows[0]["deposit"])
            await remember_documents(tx, palace, rows[0]["documents"], rate=self._rate)

        await self._database.transaction(work, palace=palace)

    async def reset(self, palace: str, *, wing: str | None = None) -> int:
        """Forget all feedback of a palace, or of a wing (id); return how much it was. Pheromones of paths fade."""

        async def work(tx: Transaction) -> int | None:
            rows = await tx.run("learning/reset", palace=palace, wing=wing)
            if not rows:
                return None
            await self._remember_anew(tx, palace, rows[0]["still_useful"])
            await remember_documents(tx, palace, rows[0]["documents"], rate=self._rate)
            return rows[0]["forgotten"]

        forgotten = await self._database.transaction(work, palace=palace)
        if forgotten is None:
            await get_palace(self._database, palace)
        return forgotten or 0

    async def _keep(
        self, palace: str, name: FeedbackIdentity, search: KeptSearch, judgement: _Judgement, *, source: str
    ) -> Given:
        asked = search.question
        if asked is None:
            raise InvalidInput("the search asked for codes alone, which teaches nothing", field="run", value=search.id)
        useful, useless, documents = judgement.useful, judgement.useless, judgement.documents
        drawers = sorted({*useful, *useless})
        helped = sum(one.useful for one in documents)
        counts = len(useful) + helped, len(useless) + len(documents) - helped

        async def work(tx: Transaction) -> Given:
            rows = await tx.run(
                "learning/begin_feedback",
                palace=palace,
                id=name.id,
                neighbours=list(name.neighbours),
                same_within_s=SAME_WITHIN_S,
                drawers=drawers,
                cycle_seconds=self._cycle_seconds,
            )
            if not rows:
                raise NotFound(f"there is no palace {palace!r}", palace=palace)
            if rows[0]["same"]:
                return Given(rows[0]["same"], False, *counts)
            places = {row["id"]: row for row in rows[0]["drawers"]}
            if gone := [drawer for drawer in drawers if drawer not in places]:
                raise NotFound(
                    f"{', '.join(gone)}: not in palace {palace!r}; nothing was kept", palace=palace, drawers=gone
                )
            cycle = rows[0]["cycle"]
            deposit = f"{name.id} {rows[0]['learned']}"  # another each time: what was forgotten can be given again
            answered = _answered(palace, search, places, useful)
            await tx.send(
                "learning/give_feedback",
                palace=palace,
                id=name.id,
                properties=_properties(search, places, source) | {"deposit": deposit},
                useful=_rows(useful),
                useless=_rows(useless),
                narratives=self._narratives(asked, places, useful, cycle),
                answered=[
                    {"wing": edge.source, "id": edge.target, "lane": lane} for edge, (lane, _) in answered.items()
                ],
                cycle=cycle,
            )
            await judge_documents(tx, palace, name.id, documents, rate=self._rate)
            if rows[0]["learned"] % _BETWEEN_FORGETTING == 0:
                await self._forget_faded(tx, palace, cycle)
            gains = self._deposits.gains(_ways(search, places, useful), _ways(search, places, useless))
            lanes = {edge: EdgeGain(amount) for edge, (_, amount) in answered.items()}
            nodes = {one.node: self._deposits.document_gain(one.reward, useful=one.useful) for one in documents}
            laid = Gains({**gains.edges, **lanes}, {**gains.nodes, **nodes})
            await self._deposits.lay_feedback(tx, palace, laid, deposit_id=deposit)
            return Given(name.id, True, *counts)

        return await self._database.transaction(work, palace=palace)

    async def _forget_faded(self, tx: Transaction, palace: str, cycle: int) -> None:
        """Remove some feedback that teaches nothing any more, also from what drawers remember."""
        before, most = self._learning.faded_before(cycle), 2 * _BETWEEN_FORGETTING
        (row,) = await tx.run("learning/forget_faded", palace=palace, before=before, most=most)
        await self._remember_anew(tx, palace, row["drawers"])
        await remember_documents(tx, palace, row["documents"], rate=self._rate)

    def _narratives(
        self, question: Vector, places: Mapping[str, Row], useful: Rewards, cycle: int
    ) -> list[dict[str, Any]]:
        written = []
        for drawer, reward in sorted(useful.items()):
            row = places[drawer]
            stored = row["narrative_vector"]
            memory = from_bytes([stored], dimension=len(question))[0] if stored is not None else None
            vector, strength, _ = remembering(
                memory,
                row["narrative_strength"] or 0.0,
                row["narrative_cycle"] or 0,
                question,
                reward=reward,
                at=cycle,
                rate=self._rate,
            )
            written.append({"drawer": drawer, "vector": to_bytes(vector), "strength": strength})
        return written

    async def _remember_anew(self, tx: Transaction, palace: str, drawers: Sequence[str]) -> None:
        """Make the memory of drawers anew of the feedback that is left."""
        if not drawers:
            return
        rows = await tx.run("learning/read_answered", palace=palace, drawers=list(drawers), most=_MOST_ANSWERED)
        memories = [{"drawer": row["drawer"]} | memory_row(row["answered"], rate=self._rate) for row in rows]
        await tx.run("learning/set_narratives", narratives=memories)


_ABOVE = (("Wing", "wing"), ("Room", "room"), ("Closet", "closet"), ("Drawer", "id"))


@dataclass(frozen=True, slots=True)
class _Judgement:
    """What was useful and what was not: rewards by drawer, and documents of the caller's own."""

    useful: Rewards
    useless: Rewards
    documents: Sequence[JudgedDocument]


def _judgement(palace: str, search: KeptSearch, useful: Rewards, useless: Rewards) -> _Judgement:
    helped, own_helped = told_apart(search, useful, field="useful")
    others, own_others = told_apart(search, useless, field="useless")
    _check_apart(helped, others)
    space = search.namespace
    documents = [
        JudgedDocument(document_id(palace, space, name), space, name, is_useful, reward)
        for is_useful, own in ((True, own_helped), (False, own_others))
        for name, reward in sorted(own.items())
    ]
    return _Judgement(helped, others, sorted(documents, key=lambda one: one.id))


def _ways(search: KeptSearch, places: Mapping[str, Row], rewards: Rewards) -> list[JudgedWay]:
    """Return the ways to drawers: that which the path lane walked, or else from the wing down."""
    return [
        JudgedWay(search.trails.get(drawer) or _down_to(places[drawer]), reward) for drawer, reward in rewards.items()
    ]


def _down_to(place: Row) -> Trail:
    wing, room, closet, drawer = (NodeRef(kind, place[key]) for kind, key in _ABOVE)
    edges = [
        EdgeRef("HAS_ROOM", wing.id, room.id),
        EdgeRef("HAS_CLOSET", room.id, closet.id),
        EdgeRef("HAS_DRAWER", closet.id, drawer.id),
    ]
    return Trail(edges, [wing, room, closet, drawer])


def _answered(
    palace: str, search: KeptSearch, places: Mapping[str, Row], useful: Rewards
) -> dict[EdgeRef, tuple[str, float]]:
    """Return what lanes gain at the wings that they answered, with their names: their shares in what was useful."""
    gained: dict[EdgeRef, tuple[str, float]] = {}
    for drawer, reward in useful.items():
        for lane, share in search.shares.get(drawer, {}).items():
            edge = EdgeRef("ANSWERED_BY", places[drawer]["wing"], stable_id("lane", palace, lane))
            gained[edge] = lane, gained.get(edge, (lane, 0.0))[1] + reward * share
    return gained


def _properties(search: KeptSearch, places: Mapping[str, Row], source: str) -> dict[str, Any]:
    assert search.question is not None
    return {
        "asking": search.id,
        "query": search.query,
        "question": to_bytes(search.question),
        "candidates": list(search.candidates.ids),
        "evidence": to_bytes(search.candidates.evidence),
        "shown": search.candidates.shown,
        "wings": sorted({place["wing"] for place in places.values()}),
        "source": source,
    }


def _rows(rewards: Rewards) -> list[dict[str, Any]]:
    return [{"drawer": drawer, "reward": reward} for drawer, reward in sorted(rewards.items())]


def _checked(rewards: Rewards, field: str) -> dict[str, float]:
    for drawer, reward in rewards.items():
        if not math.isfinite(reward) or not 0 < reward <= 1:
            raise InvalidInput(
                f"{field} gives {drawer} a reward of {reward}; it must be above 0, and at most 1",
                field=field,
                value=reward,
            )
    if len(rewards) > MOST_DRAWERS:
        raise InvalidInput(f"{field} has {len(rewards)} drawers; at most {MOST_DRAWERS} fit", field=field)
    return {drawer: float(reward) for drawer, reward in rewards.items()}


def _check_both(run: str | None, question: Question | None, useful: Rewards, useless: Rewards) -> None:
    if (run is None) == (question is None):
        raise InvalidInput("give either the run of a search or its question", field="run", value=run)
    if not useful and not useless:
        raise InvalidInput("name at least one drawer that was useful or useless", field="useful", value={})
    _check_apart(useful, useless)


def _check_apart(useful: Rewards, useless: Rewards) -> None:
    if both := sorted(useful.keys() & useless.keys()):
        raise InvalidInput(f"{', '.join(both)}: both useful and useless", field="useless", value=both)

"""Find the answer that feedback judges: a search, a lane run, a fusion, a rerank, or a question asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphpalace.domain.learning.feedback import Candidates, LoggedSearch
from graphpalace.domain.runs.run import Run
from graphpalace.domain.search.conditions import conditions_of
from graphpalace.domain.search.request import LANES, SearchRequest
from graphpalace.domain.vectors import unit_vector
from graphpalace.errors import EmptyQuery, InvalidInput, NotFound
from graphpalace.operations.history import RERANK, SearchLog, new_search_id
from graphpalace.operations.runs.run_store import RunStore
from graphpalace.operations.search.recall import Recall
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.runs import StoredRuns

_DRAWER = "drawer-"  # prefix of the ids of drawers


class JudgedAnswers:
    """Finds the answer that a feedback judges."""

    def __init__(
        self, database: Database, searches: SearchLog, store: RunStore, recall: Recall, models: PalaceModels
    ) -> None:
        self._palaces = PalaceStore(database)
        self._stored = StoredRuns(database)
        self._searches = searches
        self._store = store
        self._recall = recall
        self._models = models

    async def of_run(self, palace: str, run: str, named: Collection[str]) -> LoggedSearch:
        """Return the answer of a run.

        The question of a run or a rerank is searched again, because a lesson needs what the lanes find for it.

        Args:
            named: Names of the judged results.

        Raises:
            NotFound: If the run does not exist, or has expired.
            InvalidInput: If the run searched only for classification codes.
        """
        if _is_stored_run(run):
            return await self._of_stored_run(palace, await self._store.get(palace, run), named)
        search = await self._searches.find(palace, run)
        if not run.startswith(RERANK) or all(search.names.get(name, "") is None for name in named):
            return search
        vector = None if search.question is None else search.question.tolist()
        again = await self.of_question(palace, SearchRequest(search.query, vector))
        return replace(again, id=run, shares={}, names=search.names, namespace=search.namespace)

    async def of_question(self, palace: str, question: SearchRequest) -> LoggedSearch:
        """Search a question again, without the effects of learning, and return the answer."""
        plain = replace(question, top_k=10, fold_duplicates=False, without=question.without | {"learning"})
        answer = await self._recall.search(palace, plain)
        return await self._searches.find(palace, answer.run)

    async def of_documents(
        self, palace: str, question: SearchRequest, *, namespace: str, named: Collection[str]
    ) -> LoggedSearch:
        """Return an answer that consists of the caller's own documents. Nothing is searched.

        Raises:
            EmptyQuery: If the question has neither words nor an embedding.
            InvalidInput: If the question has a wing, a room or filters.
        """
        if question != SearchRequest(question.query, question.query_embedding):
            raise InvalidInput(
                "namespace refers to documents outside the palace; leave out wing, room and filters", field="namespace"
            )
        embedder = await self._models.of(palace)
        if question.query_embedding is not None:
            vector = unit_vector(question.query_embedding, dimension=embedder.dimension, field="query_embedding")
        elif question.query.strip():
            vector = (await asyncio.to_thread(embedder.embed_questions, [question.query]))[0]
        else:
            raise EmptyQuery(field="query", value=question.query)
        return LoggedSearch(
            new_search_id(RERANK),
            palace,
            question.query,
            vector,
            Candidates(),
            names=dict.fromkeys(named),
            namespace=namespace,
        )

    async def shown(self, palace: str, run: str) -> Sequence[str]:
        """Return the results that a run showed, best first.

        Raises:
            NotFound: If the run does not exist, or has expired.
        """
        if _is_stored_run(run):
            return (await self._store.get(palace, run)).ids
        search = await self._searches.find(palace, run)
        return list(search.names) if run.startswith(RERANK) else search.candidates.ids[: search.candidates.shown]

    async def teaches(self, palace: str, run: str) -> bool:
        """Return whether a run can become a lesson; a run that searched only for codes cannot.

        Raises:
            NotFound: If the run does not exist, or has expired.
        """
        if _is_stored_run(run):
            return bool(_asked(await self._store.get(palace, run)))
        return (await self._searches.find(palace, run)).question is not None

    async def _of_stored_run(self, palace: str, run: Run, named: Collection[str]) -> LoggedSearch:
        asked = _asked(run)
        if not asked:
            raise InvalidInput(
                "the run was only for codes; feedback needs words or an embedding", field="run", value=run.id
            )
        given = next((recipe["query_embedding"] for recipe in asked if recipe["query_embedding"] is not None), None)
        first = asked[0]
        again = await self.of_question(
            palace,
            SearchRequest(
                " ".join(dict.fromkeys(recipe["q"] for recipe in asked if recipe["q"].strip())),
                given,
                wing=first["wing"],
                room=first["room"],
                since=_moment(first["since"]),
                until=_moment(first["until"]),
                conditions=conditions_of(first["filters"]),
            ),
        )
        return replace(again, id=run.id, shares=_shares(run), trails={}, names=await self._numbers(palace, run, named))

    async def _numbers(self, palace: str, run: Run, named: Collection[str]) -> dict[str, str | None]:
        """Return the drawer of each publication of a run, by number; empty if all judged results are drawers."""
        if all(name.startswith(_DRAWER) for name in named):
            return {}
        revision = (await self._palaces.get(palace)).revision
        folded = [drawer for others in run.folded.values() for drawer in others]
        members = [
            await self._store.members(palace, run, revision=revision),
            await self._stored.members(palace, folded),
        ]
        return {number: drawer for one in members for number, drawer in one.publications().items()}


def split_rewards(
    search: LoggedSearch, rewards: Mapping[str, float], *, field: str
) -> tuple[dict[str, float], dict[str, float]]:
    """Divide rewards into those of drawers, by id, and those of the caller's own documents, by name.

    Raises:
        NotFound: If a name is neither a drawer nor in the answer.
        InvalidInput: If a drawer is named twice.
    """
    drawers: dict[str, float] = {}
    documents: dict[str, float] = {}
    for name, reward in rewards.items():
        if name not in search.names and search.names and not name.startswith(_DRAWER):
            raise NotFound(f"{field} names {name!r}, which {search.id} does not have; nothing was stored", id=name)
        drawer = search.names.get(name, name)
        if drawer is None:
            documents[name] = reward
        elif drawer in drawers:
            raise InvalidInput(f"{field} names {drawer} twice, once as {name!r}; name it once", field=field, value=name)
        else:
            drawers[drawer] = reward
    return drawers, documents


def _is_stored_run(run: str) -> bool:
    return run.partition("-")[0] in {*LANES, "fusion"}


def _asked(run: Run) -> list[dict[str, Any]]:
    """Return the recipes of the lanes of a run that searched for words or an embedding."""
    recipes = [one["recipe"] for one in run.recipe.get("runs", [])] or [run.recipe]
    return [recipe for recipe in recipes if recipe["q"].strip() or recipe["query_embedding"] is not None]


def _shares(run: Run) -> dict[str, dict[str, float]]:
    """Return the share of each lane in the score of each document, 0 to 1."""
    if run.kind == "lane":
        return {drawer: {run.lane: 1.0} for drawer in run.ids}
    shares: dict[str, dict[str, float]] = {}
    for drawer, parts in run.contributions.items():
        own = shares.setdefault(drawer, {})
        for label, percent in parts.items():  # a label is a lane, or the id of a run, which begins with its lane
            lane = label.partition("-")[0]
            own[lane] = own.get(lane, 0.0) + percent / 100
    return shares


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)

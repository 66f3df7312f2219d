"""Find the cheapest path from one place to another, and explore a palace with a colony."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import replace
from typing import Any

import numpy as np

from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.walking.graph_snapshot import DRAWER, KINDS, PALACE, RELATIONS, GraphSnapshot, node_refs
from graphpalace.domain.walking.walks import (
    MOST_AGENTS,
    MOST_STEPS,
    ColonyRules,
    Exploration,
    FoundDrawer,
    NamedNode,
    Route,
    RouteStep,
    UnvisitedRoom,
)
from graphpalace.errors import Conflict, EmptyQuery, InvalidInput, NotFound
from graphpalace.operations.pheromones.deposit import Deposits
from graphpalace.operations.search.recall import Recall
from graphpalace.replica.node_vectors import NodeVectors
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.replica.places import find_node, first_words_of, names_of
from graphpalace.replica.snapshots import Snapshots
from graphpalace.store.connection.database import Database
from graphpalace.traverse.cheapest_path import cheapest_path
from graphpalace.traverse.colony import Colony, colony_size, walk
from graphpalace.traverse.path import PRESETS, explain_step, step_costs
from graphpalace.traverse.walk import Walk, convergence


class Navigate:
    """Finds the cheapest paths in palaces."""

    def __init__(self, database: Database, snapshots: Snapshots, vectors: NodeVectors) -> None:
        self._database = database
        self._snapshots = snapshots
        self._vectors = vectors

    async def find(self, palace: str, start: str, goal: str, *, context: str = "default") -> Route:
        """Return the cheapest path. Nothing changes in the palace.

        Args:
            start, goal: A wing, WING/ROOM, or the id of any node.
            context: A name in `PRESETS`, which sets the weights of meaning, pheromones and structure.

        Raises:
            NotFound: If start or goal is not in the palace, or no path joins them.
            InvalidInput: If the context is unknown, or a name fits several rooms.
        """
        if context not in PRESETS:
            known = ", ".join(PRESETS)
            raise InvalidInput(f"context is {context!r}; it must be one of {known}", field="context", value=context)
        snapshot = await self._snapshots.get(palace)
        source = await find_node(self._database, snapshot, palace, start, field="from")
        target = await find_node(self._database, snapshot, palace, goal, field="to")
        closeness = await self._vectors.closeness_to(palace, snapshot, target)
        weights = PRESETS[context]
        path = await asyncio.to_thread(
            lambda: cheapest_path(snapshot, step_costs(snapshot, closeness, weights), source, target)
        )
        if path is None:
            raise NotFound(
                f"there is no path from {start!r} to {goal!r}: no edges of palace {palace!r} connect them",
                field="to",
                value=goal,
            )
        names = await names_of(self._database, snapshot, path.nodes.tolist())

        def leg(step: int) -> RouteStep:
            edge, into = int(path.edges[step]), int(path.nodes[step + 1])
            parts, edges = explain_step(snapshot, closeness, weights, edge=edge, into=into), snapshot.edges
            return RouteStep(
                type=RELATIONS[edges.relation[edge]],
                forward=int(edges.target[edge]) == into,
                to=_stop(snapshot, into, names),
                cost=float(path.costs[step]),
                semantic=parts.semantic,
                pheromone=parts.pheromone,
                structural=parts.structural,
                base_cost=float(edges.base_cost[edge]),
                current_cost=float(edges.current_cost[edge]),
                success=float(edges.success[edge]),
                traversal=float(edges.traversal[edge]),
                recency=float(edges.recency[edge]),
            )

        return Route(
            _stop(snapshot, source, names), [leg(step) for step in range(len(path.edges))], path.total, context
        )


def _stop(snapshot: GraphSnapshot, node: int, names: dict[int, str]) -> NamedNode:
    return NamedNode(KINDS[snapshot.nodes.kind[node]], snapshot.nodes.ids[node], names[node])


_ENTRY_HITS, _SHOWN = 10, 10


class Explore:
    """Lets colonies of agents explore palaces."""

    def __init__(
        self,
        database: Database,
        snapshots: Snapshots,
        vectors: NodeVectors,
        deposits: Deposits,
        recall: Recall,
        models: PalaceModels,
        *,
        rules: ColonyRules | None = None,
    ) -> None:
        self._database = database
        self._snapshots = snapshots
        self._vectors = vectors
        self._deposits = deposits
        self._recall = recall
        self._models = models
        self._rules = rules or ColonyRules()

    async def walk(
        self,
        palace: str,
        *,
        query: str | None = None,
        wing: str | None = None,
        rules: ColonyRules | None = None,
        seed: int | None = None,
        mark: bool = True,
        until_converged: bool = False,
    ) -> Exploration:
        """Let a colony walk, and mark what it visited, so that the next walk looks elsewhere for a while.

        With a query, the colony starts at the best drawers for it; without one, at the wings.

        Args:
            wing: Start in this wing only.
            rules: Size and behaviour of the colony. Values that are None are taken from the settings. Without a setting
                either, the numbers of agents and steps fit the size of the palace or the wing (`colony_size`).
            seed: Seed of the random generator; None: a new one.
            mark: Whether to deposit the exploration mark on every visited node.
            until_converged: Stop when little new is found.

        Raises:
            EmptyQuery: If the query is blank.
            InvalidInput: If a number is out of range.
            Conflict: If the palace has nothing to walk on yet.
            NotFound: If the palace or the wing does not exist.
        """
        chosen_rules = (rules or ColonyRules()).over(self._rules)
        colony = _colony(chosen_rules, until_converged=until_converged)  # checks the rules before anything is read
        if query is not None and not query.strip():
            raise EmptyQuery(field="query", value=query)
        if seed is not None and seed < 0:
            raise InvalidInput(f"seed is {seed}; it must not be negative", field="seed", value=seed)
        chosen = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
        snapshot = await self._snapshots.get(palace)
        entries, weights, closeness = await self._begin(palace, snapshot, query, wing)
        part = len(snapshot.nodes) if wing is None else await self._size_of(palace, snapshot, wing)
        agents, steps = colony_size(part, agents=chosen_rules.agents, steps=chosen_rules.steps)
        colony = replace(colony, agents=agents, steps=steps)
        walked = await asyncio.to_thread(
            walk,
            snapshot,
            closeness,
            entries,
            rng=np.random.default_rng(chosen),
            colony=colony,
            weights=weights,
        )
        visited = np.flatnonzero(walked.visits)
        if mark:
            refs = node_refs(snapshot, visited.tolist())
            await self._deposits.exploration(palace, refs, deposit_id=f"explore-{uuid.uuid4()}")
        history = await asyncio.to_thread(convergence, walked)
        drawers = snapshot.nodes.kind == DRAWER
        return Exploration(
            agents=colony.agents,
            steps=walked.steps,
            seed=chosen,
            nodes=len(visited),
            drawers=int(drawers[visited].sum()),
            coverage=walked.coverage(of=snapshot.nodes.kind != PALACE),
            drawer_coverage=walked.coverage(of=drawers),
            frontier=walked.frontier,
            converged_at=int(history.converged.argmax()) if history.converged.any() else None,
            found=await self._found(walked) if query is not None else [],
            corners=await self._corners(walked),
            marked=len(visited) if mark else 0,
        )

    async def _begin(
        self, palace: str, snapshot: GraphSnapshot, query: str | None, wing: str | None
    ) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
        """Return the entry points, their weights (None: all alike), and the closeness of every node to the query."""
        if query is None:
            if wing is not None:
                entries = np.array([await find_node(self._database, snapshot, palace, wing, field="wing")])
            else:
                entries = np.flatnonzero(snapshot.nodes.kind == KINDS.index("Wing"))
            if not len(entries):
                raise Conflict(f"palace {palace!r} is empty; ingest something first", palace=palace)
            return entries, None, np.zeros(len(snapshot.nodes))
        question = SearchRequest(query, wing=wing, top_k=_ENTRY_HITS, fold_duplicates=False)
        answer = await self._recall.search(palace, question)
        scored = {at: hit.score for hit in answer.hits if (at := snapshot.index_of.get(hit.id)) is not None}
        if not scored:
            raise Conflict(f"palace {palace!r} has no drawer to start from", palace=palace)
        embedder = await self._models.of(palace)
        goal = (await asyncio.to_thread(embedder.embed_questions, [query]))[0]
        closeness = await self._vectors.closeness(palace, snapshot, goal)
        weights = np.array(list(scored.values()))
        return np.array(list(scored)), weights if weights.any() else None, closeness

    async def _size_of(self, palace: str, snapshot: GraphSnapshot, wing: str) -> int:
        """Return the number of nodes in a wing, including the wing itself."""
        below = np.zeros(len(snapshot.nodes), bool)
        below[await find_node(self._database, snapshot, palace, wing, field="wing")] = True
        edges = snapshot.edges
        for relation in ("HAS_ROOM", "HAS_CLOSET", "HAS_DRAWER"):
            holds = (edges.relation == RELATIONS.index(relation)) & below[edges.source]
            below[edges.target[holds]] = True
        return int(below.sum())

    async def _found(self, walked: Walk) -> list[FoundDrawer]:
        snapshot = walked.snapshot
        ranking = walked.ranking(limit=_SHOWN)
        best = [snapshot.index_of[drawer] for drawer in ranking.ids]
        paths = [walked.path_to(node).nodes.tolist() for node in best]
        texts = await first_words_of(self._database, snapshot, best)
        return [
            FoundDrawer(
                id=snapshot.nodes.ids[node],
                text=texts[node],
                score=score,
                visits=int(walked.visits[node]),
                path=[snapshot.nodes.ids[stop] for stop in path],
            )
            for node, score, path in zip(best, ranking.scores, paths, strict=True)
        ]

    async def _corners(self, walked: Walk) -> list[UnvisitedRoom]:
        """Return the least visited rooms: those with the smallest share of visited drawers, then the larger ones."""
        snapshot = walked.snapshot
        drawers, visited = _drawers_of_rooms(snapshot, walked.visits > 0)
        rooms = np.flatnonzero((snapshot.nodes.kind == KINDS.index("Room")) & (drawers > 0))
        share = visited[rooms] / drawers[rooms]
        order = rooms[np.lexsort((rooms, -drawers[rooms], share))][:_SHOWN]
        names = await names_of(self._database, snapshot, order.tolist())
        return [
            UnvisitedRoom(
                id=snapshot.nodes.ids[room],
                name=names[room],
                drawers=int(drawers[room]),
                visited=float(visited[room] / drawers[room]),
                exploration=float(snapshot.nodes.exploration[room]),
            )
            for room in order.tolist()
        ]


def _colony(rules: ColonyRules, *, until_converged: bool) -> Colony:
    """Return a colony with these rules; its size is set later.

    Raises:
        InvalidInput: If a rule is out of range.
    """
    for name, value, most in (("agents", rules.agents, MOST_AGENTS), ("steps", rules.steps, MOST_STEPS)):
        if value is not None and not 1 <= value <= most:
            raise InvalidInput(f"{name} is {value}; it must be 1 to {most}", field=name, value=value)
    named = {"mix": rules.mix, "temperatures": rules.temperatures, "schedule": rules.schedule, "floor": rules.floor}
    given: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    return Colony(until_converged=until_converged, **given)


def _drawers_of_rooms(snapshot: GraphSnapshot, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return, for each node, the number of drawers in its closets, and the number of those that were seen."""
    edges, count = snapshot.edges, len(snapshot.nodes)
    holds = edges.relation == RELATIONS.index("HAS_DRAWER")
    stands = edges.relation == RELATIONS.index("HAS_CLOSET")
    totals = []
    for counted in (np.ones(holds.sum()), seen[edges.target[holds]]):
        in_closet = np.bincount(edges.source[holds], weights=counted, minlength=count)
        totals.append(np.bincount(edges.source[stands], weights=in_closet[edges.target[stands]], minlength=count))
    return totals[0], totals[1]

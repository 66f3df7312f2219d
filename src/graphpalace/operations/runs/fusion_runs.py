"""Fuse lane runs, derive changed fusions from existing ones, and explain how a run was made."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from graphpalace.domain.runs.run import DrawerColumns, LaneRanking, Provenance, Run, RunSnapshot, RunVerification
from graphpalace.domain.runs.run_requests import FUSION_CHOICES, LaneRunChoice
from graphpalace.domain.search.fusion_plan import CODE_LANE, Plan
from graphpalace.errors import InvalidInput
from graphpalace.fuse.blend import BlendResult, blend
from graphpalace.operations.runs.lane_runs import LaneRanker
from graphpalace.operations.runs.run_store import RunStore, utc_now
from graphpalace.settings.sections.search import RunSettings
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore

MOST_RUNS = 20


class FusionRuns:
    """Makes fusions of lane runs, and explains runs."""

    def __init__(
        self, database: Database, store: RunStore, ranker: LaneRanker, *, settings: RunSettings, rrf_k: int
    ) -> None:
        """Set up fusions.

        Args:
            settings: Values for what a caller does not give.
            rrf_k: Default of the constant of reciprocal rank fusion.
        """
        self._palaces = PalaceStore(database)
        self._store = store
        self._ranker = ranker
        self._settings = settings
        self._rrf_k = rrf_k

    async def blend(self, palace: str, chosen: Sequence[LaneRunChoice], given: Mapping[str, Any]) -> tuple[Run, float]:
        """Fuse lane runs; return the fusion and the time that it took in milliseconds.

        Args:
            chosen: The runs, 1 to 20.
            given: Values for some of the names in `FUSION_CHOICES`, as `domain.search.fusion_plan.Plan` describes
                them. The others have their defaults.

        Raises:
            InvalidInput: If a value is out of range, a run is given twice, a run is not a lane run, or it is of another
                lane than stated.
            NotFound: If a run does not exist.
        """
        start = time.perf_counter()
        _check_names(given)
        if not 1 <= len(chosen) <= MOST_RUNS:
            raise InvalidInput(f"runs has {len(chosen)} items; it must have 1 to {MOST_RUNS}", field="runs")
        runs = [await self._lane_run(palace, one) for one in chosen]
        if len({run.id for run in runs}) < len(runs):
            raise InvalidInput("runs has the same run twice; give each once", field="runs")
        settings = self._settings
        plan = Plan(
            weights={run.lane: 1.0 for run in runs} | {CODE_LANE: settings.code_weight},
            rrf_k=self._rrf_k,
            beta_fuse=settings.beta_fuse,
            target_profile={},
            top_m_per_lane={},
            k_grid=settings.k_grid,
            fold="family",
            constants=settings.constants,
        )
        run = await self._fuse(palace, runs, plan.changed(given), parent=None)
        return run, (time.perf_counter() - start) * 1000

    async def mutate(self, palace: str, run_id: str, delta: Mapping[str, Any]) -> Run:
        """Fuse the lane runs of a fusion again with some values changed, and return the new fusion.

        The original fusion stays as it is and becomes the parent of the new one.

        Raises:
            InvalidInput: If the run is not a fusion, the delta is empty, or a value is out of range.
            NotFound: If the run does not exist.
        """
        if not delta:
            raise InvalidInput(f"delta is empty; give at least one value of {', '.join(FUSION_CHOICES)}", field="delta")
        _check_names(delta)
        parent = await self._store.get(palace, run_id)
        if parent.kind != "fusion":
            raise InvalidInput(
                f"run_id is {run_id!r}, a run of the lane {parent.lane}; only a fusion can be changed",
                field="run_id",
                value=run_id,
            )
        runs = [await self._store.get(palace, source) for source in parent.sources]
        return await self._fuse(palace, runs, Plan.from_recipe(parent.recipe).changed(delta), parent=parent)

    async def provenance(self, palace: str, run_id: str, *, verify: bool = False) -> Provenance:
        """Return how a run was made: its recipe, parents, sources and results.

        Args:
            verify: Compute the run again from its recipe alone, and report in `verified` whether the ranking is equal.

        Raises:
            NotFound: If the run does not exist.
        """
        run = await self._store.get(palace, run_id)
        return Provenance(
            run_id=run.id,
            kind=run.kind,
            lane=run.lane,
            count=len(run.ids),
            recipe=run.recipe,
            parent=run.parent,
            history=run.history,
            sources=run.sources,
            frontier=run.frontier,
            contributions=run.contributions,
            freqs_topk=run.counts,
            metrics=run.metrics,
            snapshot=RunSnapshot(palace, run.revision, run.created_at.isoformat(), run.expires_at.isoformat()),
            verified=await self._verified(palace, run) if verify else None,
        )

    async def _lane_run(self, palace: str, chosen: LaneRunChoice) -> Run:
        run = await self._store.get(palace, chosen.run_id_lane)
        if run.kind != "lane":
            raise InvalidInput(
                f"runs has {run.id!r}, which is a fusion; give lane runs, or change the fusion with mutate_run",
                field="runs",
                value=run.id,
            )
        if chosen.lane not in (None, run.lane):
            raise InvalidInput(
                f"runs says that {run.id!r} is of the lane {chosen.lane!r}; it is of {run.lane!r}",
                field="runs",
                value=chosen.lane,
            )
        return run

    async def _fuse(self, palace: str, runs: Sequence[Run], plan: Plan, *, parent: Run | None) -> Run:
        plan = plan.checked([(run.lane, run.id) for run in runs])
        revision = (await self._palaces.get(palace)).revision
        members = _united([await self._store.members(palace, run, revision=revision) for run in runs])
        found = await self._blended([LaneRanking(run.id, run.lane, run.ids) for run in runs], members, plan)
        now = utc_now()
        return await self._store.put(
            Run(
                id="fusion",
                palace=palace,
                kind="fusion",
                lane="fusion",
                ids=found.ids,
                scores=found.scores,
                recipe={
                    "kind": "fusion",
                    "runs": [{"lane": run.lane, "run_id_lane": run.id, "recipe": run.recipe} for run in runs],
                    **plan.as_recipe(),
                    "revision": revision,
                },
                revision=revision,
                created_at=now,
                expires_at=now,
                parent=parent.id if parent else None,
                history=parent.history if parent else (),
                sources=tuple(run.id for run in runs),
                counts=found.counts,
                folded=found.folded,
                frontier=found.frontier,
                contributions=found.contributions,
                metrics=found.metrics,
            ),
            digits=10,
        )

    async def _blended(self, runs: Sequence[LaneRanking], members: DrawerColumns, plan: Plan) -> BlendResult:
        there = set(members.ids)  # drawers that were deleted since their lane ran are left out
        left = [replace(run, ids=[one for one in run.ids if one in there]) for run in runs]
        return await asyncio.to_thread(
            blend,
            left,
            members,
            plan,
            codes_top_n=self._settings.codes_top_n,
            contributions_top=self._settings.contributions_top,
        )

    async def _verified(self, palace: str, run: Run) -> RunVerification:
        """Return whether the recipe gives the same ranking now, and the first rank that differs, counted from 1."""
        revision = (await self._palaces.get(palace)).revision
        if run.kind == "lane":
            ids = (await self._ranker.of(palace, run.recipe)).members.ids
        else:
            ranked = [(one, (await self._ranker.of(palace, one["recipe"])).members) for one in run.recipe["runs"]]
            found = await self._blended(
                [LaneRanking(one["run_id_lane"], one["lane"], members.ids) for one, members in ranked],
                _united([members for _, members in ranked]),
                Plan.from_recipe(run.recipe),
            )
            ids = found.ids
        pairs = zip(ids, run.ids, strict=False)
        same = min(len(ids), len(run.ids))
        first = next((rank for rank, (now, then) in enumerate(pairs, start=1) if now != then), same + 1)
        return RunVerification(ids == run.ids, None if ids == run.ids else first, revision)


def _united(columns: Sequence[DrawerColumns]) -> DrawerColumns:
    known = {
        row[0]: row[1:]
        for one in columns
        for row in zip(one.ids, one.documents, one.closets, one.families, one.codes, strict=True)
    }
    return DrawerColumns(tuple(known), *(zip(*known.values(), strict=True) if known else ((),) * 4))


def _check_names(given: Mapping[str, Any]) -> None:
    if unknown := sorted(set(given) - set(FUSION_CHOICES)):
        raise InvalidInput(f"{unknown[0]!r} cannot be chosen; {', '.join(FUSION_CHOICES)} can", field=unknown[0])

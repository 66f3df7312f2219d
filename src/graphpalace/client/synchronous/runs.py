# Written by `make client` from ../asynchronous/runs.py; change that file.
"""Runs: rankings that the palace keeps, so that they can be fused, changed and looked through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphpalace.client.synchronous.kept_runs import KeptRuns

if TYPE_CHECKING:
    from graphpalace.domain.runs.run import BlendAnswer
    from graphpalace.domain.search.fusion_plan import Fold, Scheme


class Runs(KeptRuns):
    """The runs of a palace. Answers are handles and pages; the rankings stay in the palace."""

    def blend(
        self,
        runs: Sequence[str | Mapping[str, Any]],
        *,
        weights: Mapping[str, float] | None = None,
        rrf_k: int | None = None,
        beta_fuse: float | None = None,
        target_profile: Mapping[Scheme, Mapping[str, float]] | None = None,
        top_m_per_lane: Mapping[str, int] | None = None,
        k_grid: Sequence[int] | None = None,
        fold: Fold | None = None,
        peek: Mapping[str, Any] | None = None,
    ) -> BlendAnswer:
        """Fuse lane runs by reciprocal rank and wanted codes, keep the fusion as a run, and return its handle.

        What is None is as [runs] of the settings says.

        Args:
            runs: 1 to 20 ids of lane runs, or `{"run_id_lane": ..., "lane": ...}`, which checks the lane.
            weights: By lane or run, and of `code`, 0 to 1000.
            rrf_k: The constant of reciprocal rank fusion, 1 to 1000.
            beta_fuse: How much a lane gains whose codes are the wanted ones, 0 to 10.
            target_profile: Wanted codes with weights above 0, by scheme.
            top_m_per_lane: How many of the best documents count, by lane or run, 1 to 10,000.
            k_grid: At which numbers of documents the frontier is computed, 1 to 50 numbers of at most 10,000.
            fold: What counts as one document: none, closet or family.
            peek: A first page for the answer: some of `count`, `fields`, `per_field_chars`, `budget_bytes` and
                `strategy`, which mean what they mean for `peek` (`count` is its `limit`); `{}` takes the defaults.
        Raises:
            InvalidInput: If a run is a fusion, is given twice or is of another lane, or a value is out of its range.
            NotFound: If a run does not exist, or has expired.
        """
        from graphpalace.domain.runs.run import BlendAnswer

        return self._link.post(
            BlendAnswer,
            "/v1/runs/rrf_blend_frontier",
            runs=[{"run_id_lane": run} if isinstance(run, str) else run for run in runs],
            weights=weights,
            rrf_k=rrf_k,
            beta_fuse=beta_fuse,
            target_profile=target_profile,
            top_m_per_lane=top_m_per_lane,
            k_grid=k_grid,
            fold=fold,
            peek=peek,
        )

"""The ranked drawers of a search, with what changed their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graphpalace.domain.search.answer import Importance, LearnedChange
from graphpalace.domain.search.ranking import FusedDrawer
from graphpalace.domain.search.rerank_answer import RerankSignals


@dataclass(frozen=True, slots=True)
class RankedDrawers:
    """Ranked drawers, best first.

    Attributes:
        best: The order of the answer.
        plain: The order without learning.
        changes: What learning changed, for each drawer of `best`; empty if nothing was learned.
        importances: Importance of the drawers for which it counts.
        reranked: Signals of the rerank; empty if none was requested.
    """

    best: Sequence[FusedDrawer]
    plain: Sequence[FusedDrawer]
    changes: Mapping[str, LearnedChange] = field(default_factory=dict)
    importances: Mapping[str, Importance] = field(default_factory=dict)
    reranked: Mapping[str, RerankSignals] = field(default_factory=dict)

"""What a search found, in order, with what changed that order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graphpalace.domain.search.answer import Importance, LearnedChange, RerankSignals
from graphpalace.domain.search.ranking import FusedDrawer


@dataclass(frozen=True, slots=True)
class RankedDrawers:
    """Drawers, best first.

    Attributes:
        best: As the answer has them.
        plain: As they would be if nothing had been learned.
        changes: What learning did to each of `best`; empty if nothing was learned.
        importances: Of those for which it counts.
        reranked: What the last order counted; empty if none was asked for.
    """

    best: Sequence[FusedDrawer]
    plain: Sequence[FusedDrawer]
    changes: Mapping[str, LearnedChange] = field(default_factory=dict)
    importances: Mapping[str, Importance] = field(default_factory=dict)
    reranked: Mapping[str, RerankSignals] = field(default_factory=dict)

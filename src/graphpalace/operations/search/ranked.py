"""The ranked drawers of a search, with what changed their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphpalace.domain.knowledge.current_fact import CurrentFact, Outdated
from graphpalace.domain.search.answer import Importance, LearnedChange, Pointing, RerankSignals
from graphpalace.domain.search.evidence import Calibrations
from graphpalace.domain.search.news import Newer, NewsOnHit
from graphpalace.domain.search.ranking import FusedDrawer
from graphpalace.domain.search.search_plan import Timely
from graphpalace.fuse.score_changes import with_changes


@dataclass(frozen=True, slots=True)
class RankedDrawers:
    """Ranked drawers, best first.

    Attributes:
        best: The order of the answer.
        plain: The order without learning.
        changes: What learning changed, for each drawer of `best`; empty if nothing was learned.
        importances: Importance of the drawers for which it counts.
        outdated: Why drawers are outdated, for those that are.
        facts: Facts on names in the question.
        pointing: How much of the drawers that point elsewhere does so, for which it counts.
        timely: The drawers that were said in the time that the question names.
        proven: What is left of the reward of drawers that were useful when the same question was asked before, 0 to 1.
        newer: What is news on older drawers.
        news_on: What newer drawers are news on.
        calibrations: What feedback says of the confidence of hits and answers.
        reranked: Signals of the rerank; empty if none was requested.
    """

    best: Sequence[FusedDrawer]
    plain: Sequence[FusedDrawer]
    changes: Mapping[str, LearnedChange] = field(default_factory=dict)
    importances: Mapping[str, Importance] = field(default_factory=dict)
    outdated: Mapping[str, Outdated] = field(default_factory=dict)
    facts: Sequence[CurrentFact] = ()
    pointing: Mapping[str, Pointing] = field(default_factory=dict)
    reranked: Mapping[str, RerankSignals] = field(default_factory=dict)
    timely: Mapping[str, Timely] = field(default_factory=dict)
    proven: Mapping[str, float] = field(default_factory=dict)
    newer: Mapping[str, Newer] = field(default_factory=dict)
    news_on: Mapping[str, NewsOnHit] = field(default_factory=dict)
    calibrations: Calibrations = field(default_factory=Calibrations)

    def moved(self, changes: Mapping[str, float]) -> RankedDrawers:
        """Return the drawers in the order after changes of scores that count without learning, too.

        Args:
            changes: What is added to the score of a drawer, by id.
        """
        plain = with_changes(self.plain, changes)
        rank = {hit.id: at for at, hit in enumerate(plain, start=1)}

        def told(drawer: str, change: LearnedChange) -> LearnedChange:
            # The changes belong to the score and rank before learning.
            return replace(change, rank=rank.get(drawer), score=change.score + changes.get(drawer, 0.0))

        learned = {drawer: told(drawer, change) for drawer, change in self.changes.items()}
        best = with_changes(self.best, changes) if learned else plain
        return replace(self, best=best, plain=plain, changes=learned)

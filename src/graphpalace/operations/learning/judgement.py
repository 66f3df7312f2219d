"""What a feedback judges: checked, and told apart into drawers and documents of the caller's own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphpalace.domain.learning.feedback import JudgedDocument, document_id
from graphpalace.domain.learning.logged_search import LoggedSearch
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import InvalidInput
from graphpalace.operations.learning.judged_answers import told_apart

MOST_DRAWERS = 200  # in one feedback

Rewards = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was useful and what was not: rewards by drawer, and documents of the caller's own."""

    useful: Rewards
    useless: Rewards
    documents: Sequence[JudgedDocument]

    @property
    def drawers(self) -> list[str]:
        """All that are judged, by id."""
        return sorted({*self.useful, *self.useless})

    @property
    def counts(self) -> tuple[int, int]:
        """How many were useful, and how many were not."""
        helped = sum(one.useful for one in self.documents)
        return len(self.useful) + helped, len(self.useless) + len(self.documents) - helped


def judgement_of(palace: str, search: LoggedSearch, useful: Rewards, useless: Rewards) -> Judgement:
    """Return what is judged of an answer.

    Raises:
        NotFound: If something is named that the answer does not have.
        InvalidInput: If a drawer is named twice.
    """
    helped, own_helped = told_apart(search, useful, field="useful")
    others, own_others = told_apart(search, useless, field="useless")
    _check_apart(helped, others)
    space = search.namespace
    documents = [
        JudgedDocument(document_id(palace, space, name), space, name, is_useful, reward)
        for is_useful, own in ((True, own_helped), (False, own_others))
        for name, reward in sorted(own.items())
    ]
    return Judgement(helped, others, sorted(documents, key=lambda one: one.id))


def checked_rewards(rewards: Rewards, field: str) -> dict[str, float]:
    """Return rewards as numbers.

    Raises:
        InvalidInput: If one is not above 0 and at most 1, or there are too many.
    """
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


def check_named(run: str | None, question: SearchRequest | None, useful: Rewards, useless: Rewards) -> None:
    """Refuse feedback that names no answer or two, or nothing in it, or the same as useful and useless."""
    if (run is None) == (question is None):
        raise InvalidInput("give either the run of a search or its question", field="run", value=run)
    if not useful and not useless:
        raise InvalidInput("name at least one drawer that was useful or useless", field="useful", value={})
    _check_apart(useful, useless)


def _check_apart(useful: Rewards, useless: Rewards) -> None:
    if both := sorted(useful.keys() & useless.keys()):
        raise InvalidInput(f"{', '.join(both)}: both useful and useless", field="useless", value=both)

"""Check what a feedback judges, and divide it into drawers and documents of the caller's own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphpalace.domain.learning.feedback import JudgedDocument, document_id
from graphpalace.domain.learning.logged_search import LoggedSearch
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import InvalidInput
from graphpalace.operations.learning.judged_answers import split_rewards

MOST_DRAWERS = 200  # in one feedback

Rewards = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a feedback judges: rewards of useful and useless drawers by id, and documents of the caller's own."""

    useful: Rewards
    useless: Rewards
    documents: Sequence[JudgedDocument]

    @property
    def drawers(self) -> list[str]:
        """Ids of all judged drawers, sorted."""
        return sorted({*self.useful, *self.useless})

    @property
    def counts(self) -> tuple[int, int]:
        """How many results were useful, and how many useless."""
        helped = sum(one.useful for one in self.documents)
        return len(self.useful) + helped, len(self.useless) + len(self.documents) - helped


def judgement_of(palace: str, search: LoggedSearch, useful: Rewards, useless: Rewards) -> Judgement:
    """Return the judgement of an answer.

    Raises:
        NotFound: If a judged result is not in the answer.
        InvalidInput: If a drawer is named twice.
    """
    helped, own_helped = split_rewards(search, useful, field="useful")
    others, own_others = split_rewards(search, useless, field="useless")
    _check_apart(helped, others)
    space = search.namespace
    documents = [
        JudgedDocument(document_id(palace, space, name), space, name, is_useful, reward)
        for is_useful, own in ((True, own_helped), (False, own_others))
        for name, reward in sorted(own.items())
    ]
    return Judgement(helped, others, sorted(documents, key=lambda one: one.id))


def checked_rewards(rewards: Rewards, field: str) -> dict[str, float]:
    """Check rewards and return them as floats.

    Raises:
        InvalidInput: If a reward is not above 0 and at most 1, or there are more than 200.
    """
    for drawer, reward in rewards.items():
        if not math.isfinite(reward) or not 0 < reward <= 1:
            raise InvalidInput(
                f"{field} gives {drawer} a reward of {reward}; it must be above 0, and at most 1",
                field=field,
                value=reward,
            )
    if len(rewards) > MOST_DRAWERS:
        raise InvalidInput(f"{field} has {len(rewards)} drawers; at most {MOST_DRAWERS} are allowed", field=field)
    return {drawer: float(reward) for drawer, reward in rewards.items()}


def check_named(run: str | None, question: SearchRequest | None, useful: Rewards, useless: Rewards) -> None:
    """Check that feedback names one answer, judges something, and calls nothing both useful and useless.

    Raises:
        InvalidInput: If not.
    """
    if (run is None) == (question is None):
        both = "" if run is None else ": a run knows its question, so leave out query, wing, room and filters"
        raise InvalidInput(f"give either the run of a search or its question{both}", field="run", value=run)
    if not useful and not useless:
        raise InvalidInput("name at least one drawer that was useful or useless", field="useful", value={})
    _check_apart(useful, useless)


def _check_apart(useful: Rewards, useless: Rewards) -> None:
    if both := sorted(useful.keys() & useless.keys()):
        raise InvalidInput(f"{', '.join(both)}: named as both useful and useless", field="useless", value=both)

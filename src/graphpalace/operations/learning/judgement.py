"""Check what a feedback judges, tell whether it was given before, and find what it rewards."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphpalace.domain.identity import stable_id
from graphpalace.domain.learning.feedback import JudgedDocument, JudgedDrawer, LaneOfWing, LoggedSearch, document_id
from graphpalace.domain.learning.feedback_requests import MOST_JUDGED
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.walking.graph_snapshot import EdgeRef, NodeRef, Trail
from graphpalace.errors import InvalidInput
from graphpalace.operations.learning.judged_answers import split_rewards
from graphpalace.pheromones.deposit import RewardedTrail

Rewards = Mapping[str, float]

SAME_WITHIN_S = 3600  # equal feedback on a question counts as a retry within this time, and as new evidence later

clock = time.time


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
    if len(rewards) > MOST_JUDGED:
        raise InvalidInput(f"{field} has {len(rewards)} drawers; at most {MOST_JUDGED} are allowed", field=field)
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


@dataclass(frozen=True, slots=True)
class FeedbackIdentity:
    """The id of a feedback.

    Attributes:
        neighbours: Ids that the same feedback would have in the hours before and after. One of them that was stored
            less than an hour ago is the same feedback.
    """

    id: str
    neighbours: tuple[str, ...] = ()


def identity_of(
    palace: str,
    *,
    key: str | None,
    caller: str | None = None,
    run: str | None,
    question: SearchRequest | None,
    useful: Mapping[str, float],
    useless: Mapping[str, float],
    namespace: str | None = None,
) -> FeedbackIdentity:
    """Return the identity of a feedback, which is derived from the following:

    - Feedback with a key of the client: the key alone, whatever the feedback says. Each caller has keys of their own,
      so that nobody learns which ones others used.
    - Feedback on a run: the run and the rewards. Judging the same answer in the same way twice counts once.
    - Feedback on a question: the question, its wing, room, namespace and filters, the rewards, and the hour. Repeating
      it within an hour is a retry.
    """
    if key is not None:
        owned = (key,) if caller is None else (caller, key)
        return FeedbackIdentity(stable_id("feedback", palace, *owned))
    rewards = [sorted(useful.items()), sorted(useless.items())]
    if question is None:
        return FeedbackIdentity(stable_id("feedback", palace, json.dumps([run, None, *rewards])))
    asked = [question.query, list(question.query_embedding or ()), question.wing, question.room, namespace]
    said = (question.speaker, question.project, question.conversation)
    among = repr((question.since, question.until, said, question.conditions, question.profile))
    hour = int(clock() // SAME_WITHIN_S)
    # The next hour is included because the clock of another service may be a little ahead.
    ids = {
        at: stable_id("feedback", palace, json.dumps([asked, among, at, *rewards])) for at in (hour - 1, hour, hour + 1)
    }
    return FeedbackIdentity(ids[hour], (ids[hour - 1], ids[hour + 1]))


def rewarded_trails(
    search: LoggedSearch, places: Mapping[str, JudgedDrawer], rewards: Mapping[str, float]
) -> list[RewardedTrail]:
    """Return the path to each drawer: the one that the lane `path` walked, or else the one from its wing down."""
    return [
        RewardedTrail(search.trails.get(drawer) or _down_to(places[drawer]), reward)
        for drawer, reward in rewards.items()
    ]


def lanes_answering(
    palace: str, search: LoggedSearch, places: Mapping[str, JudgedDrawer], useful: Mapping[str, float]
) -> dict[LaneOfWing, float]:
    """Return the gain of each lane in each wing: the sum of its shares in useful drawers, times their rewards."""
    gained: dict[LaneOfWing, float] = {}
    for drawer, reward in useful.items():
        for lane, share in search.shares.get(drawer, {}).items():
            one = LaneOfWing(places[drawer].wing, stable_id("lane", palace, lane), lane)
            gained[one] = gained.get(one, 0.0) + reward * share
    return gained


def _down_to(place: JudgedDrawer) -> Trail:
    wing, room = NodeRef("Wing", place.wing), NodeRef("Room", place.room)
    closet, drawer = NodeRef("Closet", place.closet), NodeRef("Drawer", place.id)
    edges = [
        EdgeRef("HAS_ROOM", wing.id, room.id),
        EdgeRef("HAS_CLOSET", room.id, closet.id),
        EdgeRef("HAS_DRAWER", closet.id, drawer.id),
    ]
    return Trail(edges, [wing, room, closet, drawer])

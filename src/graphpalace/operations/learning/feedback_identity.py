"""Decide when two feedbacks are the same, so that a request that is sent twice counts once."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

from graphpalace.domain.identity import stable_id
from graphpalace.domain.search.request import SearchRequest

SAME_WITHIN_S = 3600  # equal feedback on a question counts as a retry within this time, and as new evidence later

clock = time.time


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

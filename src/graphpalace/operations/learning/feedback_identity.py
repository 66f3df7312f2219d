"""When two feedbacks are the same, so that a request that is sent again counts once."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

from graphpalace.domain.identity import stable_id
from graphpalace.domain.search.request import SearchRequest

SAME_WITHIN_S = 3600  # the same, said of a question, is a retry within an hour, and new evidence later

clock = time.time


@dataclass(frozen=True, slots=True)
class FeedbackIdentity:
    """The id of a feedback.

    Attributes:
        neighbours: Ids under which the same may have been given less than an hour ago; one that is older is another.
    """

    id: str
    neighbours: tuple[str, ...] = ()


def identity_of(
    palace: str,
    *,
    key: str | None,
    run: str | None,
    question: SearchRequest | None,
    useful: Mapping[str, float],
    useless: Mapping[str, float],
    namespace: str | None = None,
) -> FeedbackIdentity:
    """Return what a feedback is known by.

    - With a key of the client's: the key alone. The same key is the same feedback, whatever it says.
    - Of a run: the run and the rewards. An answer that is judged alike twice was judged once.
    - Of a question: the question with the place, the namespace and the conditions it was asked with, the rewards, and
      the hour. The same within an hour is a retry.
    """
    if key is not None:
        return FeedbackIdentity(stable_id("feedback", palace, key))
    rewards = [sorted(useful.items()), sorted(useless.items())]
    if question is None:
        return FeedbackIdentity(stable_id("feedback", palace, json.dumps([run, None, *rewards])))
    asked = [question.query, list(question.query_embedding or ()), question.wing, question.room, namespace]
    among = repr((question.since, question.until, question.conditions, question.profile))
    hour = int(clock() // SAME_WITHIN_S)
    # Another service's clock may be a little ahead, hence the next hour too.
    ids = {
        at: stable_id("feedback", palace, json.dumps([asked, among, at, *rewards])) for at in (hour - 1, hour, hour + 1)
    }
    return FeedbackIdentity(ids[hour], (ids[hour - 1], ids[hour + 1]))

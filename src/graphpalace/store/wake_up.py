"""Read what a palace or a wing should be remembered for now: one query for each kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from graphpalace.domain.identity import stable_id
from graphpalace.domain.pheromones.pheromones import NOISE_FLOOR, DecayRates
from graphpalace.domain.wake_up import OPEN_ROOMS, QUESTION_ENDS, QUESTION_TOPICS, USUAL_IMPORTANCE
from graphpalace.store.connection.database import Database, Row

_LOOSE = ("notes:", "diary:")  # sources whose drawers do not belong together
_FIRST = 2  # drawers that say what a conversation or a file is about
_MOST_NEW_READ = 2000  # drawers of a wing, among which new conversations and files are looked for
_MOST_FACTS_READ = 2000  # the last written ones, among which those of a wing are looked for


@dataclass(frozen=True, slots=True)
class RememberedText:
    """A text with its drawer, if it has one.

    Attributes:
        at: When it was said or written; None where that does not matter.
    """

    id: str
    text: str
    drawer: str | None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RememberedFact:
    """A fact that holds, or one that holds no longer.

    Attributes:
        at: Since when it holds, or until when it did.
        instead: What holds in the place of one that ended.
    """

    id: str
    said: str
    drawer: str | None
    at: datetime | None
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class WakeUpScope:
    """What to read.

    Attributes:
        wing_id: None: the whole palace.
        other_than: A wing of whose drawers nothing is told; None: of every wing.
        now: The end of the current cycle of the palace's clock.
        limit: The most rows of each kind.
    """

    palace: str
    wing_id: str | None
    other_than: str | None
    cycle: int
    now: datetime
    limit: int


class WakeUpStore:
    """Reads what to know now. All drawers that others took the place of are among the rows.

    Args:
        rates: Decay rates of the pheromones, per cycle.
        least_confidence: An answer with less confidence does not fit, 0 to 1.
    """

    def __init__(self, database: Database, *, rates: DecayRates, least_confidence: float) -> None:
        self._database = database
        self._rates = asdict(rates)
        self._least = _log_odds(least_confidence)

    async def current_facts(self, scope: WakeUpScope) -> list[RememberedFact]:
        """Return facts that hold, those that were written last first."""
        rows = await self._read(scope, "wake_up/list_current_facts", now=scope.now, most_read=_MOST_FACTS_READ)
        return [RememberedFact(row["id"], _said(row), row["drawer"], _moment(row["since"])) for row in rows]

    async def ended_facts(self, scope: WakeUpScope) -> list[RememberedFact]:
        """Return facts that hold no longer, those that ended last first."""
        rows = await self._read(scope, "wake_up/list_ended_facts", now=scope.now, most_read=_MOST_FACTS_READ)
        return [
            RememberedFact(row["id"], _said(row), row["drawer"], _moment(row["until"]), row["instead"]) for row in rows
        ]

    async def helpful(self, scope: WakeUpScope) -> list[RememberedText]:
        """Return the drawers with the strongest pheromones, then those that the latest feedback called useful."""
        warm = await self._read_texts(
            scope, "wake_up/list_helpful", cycle=scope.cycle, rates=self._rates, floor=NOISE_FLOOR
        )
        return _drawers([*warm, *await self._read_texts(scope, "wake_up/list_useful")])

    async def important(self, scope: WakeUpScope) -> list[RememberedText]:
        """Return the drawers whose importance is above the usual, the most important first."""
        return _drawers(await self._read_texts(scope, "wake_up/list_important", usual=USUAL_IMPORTANCE))

    async def newest(self, scope: WakeUpScope) -> list[RememberedText]:
        """Return the drawers that were said, stored or corrected last, the latest first.

        A conversation or a file is told by its first drawers, which say what it is about; otherwise the last one would
        leave no room for those before it.
        """
        most = max(scope.limit, min(20 * scope.limit, _MOST_NEW_READ))
        rows = await self._read_texts(
            scope, "wake_up/list_newest", now=scope.now, loose=list(_LOOSE), first=_FIRST, most_read=most
        )
        return _drawers(rows)

    async def unanswered(self, scope: WakeUpScope) -> list[RememberedText]:
        """Return the questions of searches that found nothing that fits, the latest first."""
        rows = await self._read(
            scope,
            "wake_up/list_unanswered",
            least=self._least,
            now_ms=int(scope.now.timestamp() * 1000),
            ends=list(QUESTION_ENDS),
        )
        return [RememberedText(row["id"], row["text"], row["drawer"]) for row in rows]

    async def open(self, scope: WakeUpScope) -> list[RememberedText]:
        """Return the drawers of rooms for questions and for what is to be done, the newest first."""
        return _drawers(await self._read_texts(scope, "wake_up/list_open", rooms=list(OPEN_ROOMS)))

    async def entries(self, scope: WakeUpScope, agent: str | None, *, questions: bool = False) -> list[RememberedText]:
        """Return the latest entries of a diary, the latest first.

        Args:
            agent: None: what a search finds of all diaries.
            questions: Only those whose topic says that they ask something.
        """
        rows = await self._database.read(
            scope.palace,
            "wake_up/list_entries",
            agent_id=None if agent is None else stable_id("agent", scope.palace, agent),
            topics=list(QUESTION_TOPICS) if questions else None,
            limit=scope.limit,
        )
        return [RememberedText(row["id"], row["text"], row["drawer"], _moment(row["at"])) for row in rows]

    async def _read_texts(self, scope: WakeUpScope, name: str, **params: object) -> list[Row]:
        return await self._read(scope, name, other_than=scope.other_than, **params)

    async def _read(self, scope: WakeUpScope, name: str, **params: object) -> list[Row]:
        return await self._database.read(scope.palace, name, wing_id=scope.wing_id, limit=scope.limit, **params)


def _drawers(rows: Sequence[Row]) -> list[RememberedText]:
    return [RememberedText(row["id"], row["text"], row["id"], _moment(row.get("at"))) for row in rows]


def _said(row: Row) -> str:
    return f"{row['subject']} {row['predicate']} {row['object']}"


def _moment(stored: object) -> datetime | None:
    return None if stored is None else stored.to_native()  # pyright: ignore[reportAttributeAccessIssue] - a time of Neo4j


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share)) if 0 < share < 1 else math.copysign(math.inf, share - 0.5)

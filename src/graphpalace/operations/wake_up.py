"""Say what to know now about a palace or a wing, within some bytes. Reading changes nothing.

Each line has the id of its drawer in brackets. What was stored stands in quotation marks; all else is what the palace
says of it. So no text can say that it is, for example, a fact that holds no longer, or the line of another drawer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from graphpalace.domain.drawers.diaries import DIARIES
from graphpalace.domain.identity import stable_id
from graphpalace.domain.moments import shown_time
from graphpalace.domain.pheromones.pheromones import DecayRates
from graphpalace.domain.quoting import quotation, quoted
from graphpalace.domain.wake_up import SHARES, TITLES, WakeUp, WakeUpLine, WakeUpPart, WakeUpRequest
from graphpalace.errors import NotFound
from graphpalace.fuse.parts import Part, PartLine, filled, written
from graphpalace.fuse.snippets import ELLIPSIS
from graphpalace.replica.known_facts import KnownFacts
from graphpalace.replica.places import find_place
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.pheromones.warmth import WarmthStore
from graphpalace.store.wake_up import RememberedFact, RememberedText, WakeUpScope, WakeUpStore

_LEAST_LINE_BYTES = 50  # a line with its id is longer; so more rows than the budget has room for are never read
_MOST_NAME_BYTES = 60
_MOST_LINE_BYTES = 120  # of what a line says, without its date and id

_LEAST_CHARS = 10
_LAST_WORD_BYTES = 20  # a cut is before a word, unless the word is longer


class WakingUp:
    """Says what to know now: facts, what helped, what is important, open questions, what is new, and the diary.

    Args:
        cycle_seconds: Seconds of one cycle of the clock.
        least_confidence: An answer of a search with less confidence does not fit, 0 to 1.
        shares: The share of the bytes of each part.
    """

    def __init__(
        self,
        database: Database,
        known_facts: KnownFacts,
        *,
        rates: DecayRates,
        cycle_seconds: float,
        least_confidence: float,
        shares: Mapping[WakeUpPart, float] = SHARES,
    ) -> None:
        self._database = database
        self._facts = known_facts
        self._palaces = PalaceStore(database)
        self._clock = WarmthStore(database, rates=rates, cycle_seconds=cycle_seconds)
        self._stored = WakeUpStore(database, rates=rates, least_confidence=least_confidence)
        self._shares = shares

    async def now(self, palace: str, request: WakeUpRequest) -> WakeUp:
        """Return what to know now. An agent without a diary has nothing in it, which is no error.

        Raises:
            InvalidInput: If the budget is out of range, or a name is not valid.
            NotFound: If the palace or the wing does not exist.
        """
        request.check()
        clock = await self._clock.clock(palace)
        if clock is None:
            await self._palaces.get(palace)  # its error says what to do
            raise NotFound(f"there is no palace {palace!r}", palace=palace)
        wing_id = None
        if request.wing is not None:
            wing_id, _ = await find_place(self._database, palace, wing=request.wing, room=None)
        now = datetime.fromisoformat(clock.next_cycle_at).astimezone(UTC)
        limit = max(10, request.budget_bytes // _LEAST_LINE_BYTES)
        header = _header(palace, request.wing)
        room = request.budget_bytes - len(header.encode()) - 1
        form = LineForm(min(_MOST_LINE_BYTES, room // 2))
        diaries = stable_id("wing", palace, DIARIES)
        # A diary belongs to its agent. Those of others are told only of the palace as a whole, or as the wing they are.
        others = diaries if request.agent is not None and wing_id is None else None
        scope = WakeUpScope(palace, wing_id, others, clock.cycle, now, limit)
        lines = await self._lines(
            scope, request.agent, form, diary=request.agent is not None or wing_id in (None, diaries)
        )
        parts: dict[WakeUpPart, Part] = {
            name: Part(f"## {TITLES[name]}", lines[name], share) for name, share in self._shares.items() if share > 0
        }
        chosen, left_out = await asyncio.to_thread(filled, parts, budget_bytes=room)
        body = written(parts, chosen) or ("No line fits.\n" if left_out else "There is nothing to tell yet.\n")
        text = f"{header}\n{body}"
        return WakeUp(
            palace=palace,
            wing=request.wing,
            agent=request.agent,
            cycle=clock.cycle,
            budget_bytes=request.budget_bytes,
            bytes=len(text.encode()),
            text=text,
            lines=[WakeUpLine(name, one.key, one.drawer, one.says) for name in parts for one in chosen[name]],
            left_out=left_out,
        )

    async def _lines(
        self, scope: WakeUpScope, agent: str | None, form: LineForm, *, diary: bool
    ) -> dict[WakeUpPart, list[PartLine]]:
        stored = self._stored

        async def entries(*, questions: bool) -> list[RememberedText]:
            return await stored.entries(scope, agent, questions=questions) if diary else []

        known, facts, ended = await asyncio.gather(
            self._facts.latest(scope.palace), stored.current_facts(scope), stored.ended_facts(scope)
        )
        helpful, important, newest = await asyncio.gather(
            stored.helpful(scope), stored.important(scope), stored.newest(scope)
        )
        open_, asked, unanswered, written_down = await asyncio.gather(
            stored.open(scope), entries(questions=True), stored.unanswered(scope), entries(questions=False)
        )
        texts = [*helpful, *important, *newest, *open_, *asked]
        outdated = known.outdated([text.drawer for text in texts if text.drawer is not None], at=scope.now)

        def current(found: Sequence[RememberedText], *, timed: bool = False) -> list[PartLine]:
            return [form.of_text(text, timed=timed) for text in found if text.drawer not in outdated]

        return {
            "facts": [form.of_fact(fact) for fact in facts],
            "helped": current(helpful),
            "important": current(important),
            "questions": [*current(open_), *current(asked), *(form.of_search(one) for one in unanswered)],
            "changed": _by_turns([form.of_ended_fact(fact) for fact in ended], current(newest, timed=True)),
            "diary": [form.of_text(entry, timed=True) for entry in written_down],
        }


def _by_turns(fewer: Sequence[PartLine], more: Sequence[PartLine]) -> list[PartLine]:
    """Return one line of the first, then two of the second, and so on, as facts are few and short."""
    mixed: list[PartLine] = []
    for at in range(max(len(fewer), (len(more) + 1) // 2)):
        mixed += [*fewer[at : at + 1], *more[2 * at : 2 * at + 2]]
    return mixed


def _header(palace: str, wing: str | None) -> str:
    what = f"palace {palace}" if wing is None else f"wing {quotation(cut(wing, _MOST_NAME_BYTES))}"
    return f"# What to know now: {what}"


@dataclass(frozen=True, slots=True)
class LineForm:
    """Writes lines.

    Attributes:
        most_bytes: Of what a line says, in UTF-8, without its date and its id.
    """

    most_bytes: int

    def of_text(self, text: RememberedText, *, timed: bool) -> PartLine:
        """Return the line of a drawer or an entry.

        Args:
            timed: Whether its day is shown.
        """
        day = f"{text.at:%Y-%m-%d} " if timed and text.at is not None else ""
        return self._line(text.drawer or text.id, text.drawer, text.text, before=day)

    def of_fact(self, fact: RememberedFact) -> PartLine:
        """Return the line of a fact that holds."""
        since = f" since {shown_time(fact.at)}" if fact.at is not None else ""
        return self._line(fact.id, fact.drawer, fact.said, after=since)

    def of_ended_fact(self, fact: RememberedFact) -> PartLine:
        """Return the line of a fact that holds no longer, with what holds instead."""
        until = f" (until {shown_time(fact.at)})" if fact.at is not None else ""
        now = f"; now {quotation(cut(fact.instead, self.most_bytes // 2))}" if fact.instead is not None else ""
        return self._line(fact.id, fact.drawer, fact.said, before="no longer: ", after=f"{until}{now}")

    def of_search(self, question: RememberedText) -> PartLine:
        """Return the line of a question that nothing answered, with the drawer that came nearest."""
        return self._line(question.id, question.drawer, question.text, nearest=question.drawer is not None)

    def _line(
        self, key: str, drawer: str | None, text: str, *, before: str = "", after: str = "", nearest: bool = False
    ) -> PartLine:
        said = cut(text, self.most_bytes)
        while len(quoted(said).encode()) > self.most_bytes and len(said) > _LEAST_CHARS:
            said = cut(said, max(10, len(said.encode()) * 3 // 4))  # quoted, a sign may be six
        shown = f"- {before}{quotation(said)}{after} [{'nearest ' if nearest else ''}{drawer or key}]"
        return PartLine(key, drawer, shown, said)


def cut(text: str, most_bytes: int) -> str:
    """Return a text in one line, cut before a word so that it fits, with "..." at the cut.

    Args:
        most_bytes: In UTF-8, at least 10.

    >>> cut("The door code\\n is 4711.", 100), cut("The door code is 4711.", 15)
    ('The door code is 4711.', 'The door...')
    """
    line = " ".join(text.split())
    if len(line.encode()) <= most_bytes:
        return line
    head = line.encode()[: most_bytes - len(ELLIPSIS)].decode(errors="ignore")
    whole, blank, last = head.rpartition(" ")
    return (whole if blank and len(last.encode()) <= _LAST_WORD_BYTES else head) + ELLIPSIS

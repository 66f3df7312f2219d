"""Writes what is remembered as lines, each with the id of its drawer in brackets.

What was stored stands in quotation marks; all else is what the palace says of it. So no text can say that it is, for
example, a fact that holds no longer, or the line of another drawer.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphpalace.domain.knowledge.fact_times import shown_time
from graphpalace.domain.quoting import quotation, quoted
from graphpalace.fuse.snippets.excerpt import ELLIPSIS
from graphpalace.fuse.snippets.parts import PartLine
from graphpalace.store.wake_up import RememberedFact, RememberedText

_LEAST_CHARS = 10
_LAST_WORD_BYTES = 20  # a cut is before a word, unless the word is longer


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

"""Fills a budget of bytes with whole lines of several parts, each of which has a share of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from graphpalace.fuse.word_overlap import DistinctTexts

Name = TypeVar("Name", bound=str)


@dataclass(frozen=True, slots=True)
class PartLine:
    """A line that a part may show.

    Attributes:
        key: Id of what it is about; a second line about it is left out.
        drawer: The drawer that it names; None: none.
        shown: The line as it is written, without its end.
        says: What it says, by which lines are compared.
    """

    key: str
    drawer: str | None
    shown: str
    says: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text.

    Attributes:
        title: The line above its lines; it is written if there is one.
        lines: The most important one first.
        share: Of the budget, above 0. What a part does not need is shared by the others in the same proportion.
    """

    title: str
    lines: Sequence[PartLine]
    share: float


@dataclass(slots=True)
class _Filling:
    part: Part
    at: int = 0
    chosen: list[PartLine] = field(default_factory=list)

    @property
    def open(self) -> bool:
        return self.at < len(self.part.lines)

    def cost(self) -> int:
        """Return the bytes of the next line, with the title if it is the first one."""
        line = _bytes(self.part.lines[self.at].shown)
        return line if self.chosen else line + _bytes(self.part.title)


def filled(parts: Mapping[Name, Part], *, budget_bytes: int) -> tuple[dict[Name, list[PartLine]], int]:
    """Return the lines of each part that fit, and how many further lines there were.

    Each part takes lines in their order within its share. What is left goes to the parts that have more lines, until
    nothing fits. A line whose key or whose words an earlier one has is skipped; it counts as no further line.

    Args:
        parts: By name, in the order in which they are written.
        budget_bytes: In UTF-8, with the ends of lines and the titles.
    """
    fillings = {name: _Filling(part) for name, part in parts.items()}
    keys: set[str] = set()
    texts = DistinctTexts()
    left = budget_bytes
    while active := [one for one in fillings.values() if one.open]:
        whole = sum(one.part.share for one in active)
        before, room = left, left
        for one in active:
            left -= _fill(one, int(room * one.part.share / whole), keys, texts)
        if left == before:
            for one in active:  # no share has room for a line: the first lines that fit at all
                left -= _fill(one, left, keys, texts)
            if left == before:
                break
    further = {line.key for one in fillings.values() for line in one.part.lines[one.at :]} - keys
    return {name: one.chosen for name, one in fillings.items()}, len(further)


def written(parts: Mapping[Name, Part], chosen: Mapping[Name, Sequence[PartLine]]) -> str:
    """Return the text of the chosen lines, each part that has some under its title."""
    return "".join(
        f"{line}\n"
        for name, lines in chosen.items()
        if lines
        for line in (parts[name].title, *(one.shown for one in lines))
    )


def _fill(one: _Filling, room: int, keys: set[str], texts: DistinctTexts) -> int:
    """Take lines until one does not fit; return their bytes."""
    used = 0
    while one.open:
        line = one.part.lines[one.at]
        if line.key in keys:
            one.at += 1
            continue
        if used + one.cost() > room:
            break
        cost = one.cost()
        one.at += 1
        keys.add(line.key)
        if texts.add(line.says):
            one.chosen.append(line)
            used += cost
    return used


def _bytes(line: str) -> int:
    return len(line.encode()) + 1

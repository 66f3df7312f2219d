"""The reading order of a page: from signs with boxes to lines, column by column where a page has columns."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TypeVar

_SAME_LINE = 0.45  # of the height of a sign: how far the middles of the signs of a line lie apart at most
_WORD_GAP = 0.2
_COLUMN_GAP = 0.9
_PARAGRAPH = 1.9  # of the height: lines that lie further apart have a blank line between them
_APART = 2.5  # of the height: the head or foot of a page lies so far from the text
_LEAST_LINES = 3  # of a column
_LEAST_WORDS = 2.2  # of a line of prose, on average
_MOST_GUTTERS = 30
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign on a page: its place in the file, its text and its box, in points, upwards and to the right."""

    at: int
    text: str
    left: float
    right: float
    bottom: float
    top: float

    @property
    def height(self) -> float:
        """Its height, at least a point, since some fonts state none."""
        return max(self.top - self.bottom, 1.0)

    @property
    def middle(self) -> float:
        """Where it stands on the page, as far as lines are concerned."""
        return (self.bottom + self.top) / 2


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a line without a wide gap."""

    at: int
    text: str
    left: float
    right: float
    middle: float
    height: float


Placed = TypeVar("Placed", Sign, _Piece)


def lines_of(signs: Sequence[Sign]) -> list[str]:
    """Return the lines of a page in reading order, with blank lines between paragraphs and columns."""
    pieces = [piece for line in _rows(signs) for piece in _pieces(line)]
    head, body, foot = _head_and_foot(_rows(pieces))
    lines: list[str] = []
    for block in (*head, *_blocks(body, 0), *foot):
        if lines:
            lines.append("")
        above: _Piece | None = None
        for row in _rows(block):
            if above is not None and above.middle - row[0].middle > _PARAGRAPH * max(above.height, row[0].height):
                lines.append("")
            lines.append(" ".join(piece.text for piece in row))
            above = row[0]
    return lines


def _rows(placed: Sequence[Placed]) -> list[list[Placed]]:
    """Return what stands side by side, from top to bottom, each row from left to right."""
    rows: list[list[Placed]] = []
    middle = height = 0.0
    for one in sorted(placed, key=lambda one: (-one.middle, one.left)):
        if not rows or middle - one.middle > _SAME_LINE * max(height, one.height):
            rows.append([])
            middle, height = one.middle, one.height
        rows[-1].append(one)
    for row in rows:
        row.sort(key=lambda one: one.left)
    return rows


def _pieces(line: Sequence[Sign]) -> Iterator[_Piece]:
    """Yield the pieces of a line, divided at wide gaps."""
    group: list[Sign] = []
    spaced = False  # whether a blank was written since the last sign
    words: list[str] = []
    for sign in line:
        if not sign.text.strip():
            spaced = True
            continue
        if group:
            last = group[-1]
            if sign.text == last.text and abs(sign.left - last.left) < 0.1 * sign.height:
                continue  # printed twice, to look bold
            gap = sign.left - last.right
            if gap > _COLUMN_GAP * sign.height:
                yield _piece(group, words)
                group, words = [], []
            elif spaced or gap > _WORD_GAP * sign.height:
                words.append(" ")
        group.append(sign)
        words.append(sign.text)
        spaced = False
    if group:
        yield _piece(group, words)


def _piece(group: list[Sign], words: list[str]) -> _Piece:
    text = "".join(words)
    if any(unicodedata.bidirectional(sign) in {"R", "AL"} for sign in text):
        text = _right_to_left(group)
    return _Piece(
        at=min(sign.at for sign in group),
        text=text,
        left=group[0].left,
        right=max(sign.right for sign in group),
        middle=median(sign.middle for sign in group),
        height=median(sign.height for sign in group),
    )


def _right_to_left(group: list[Sign]) -> str:
    """Return a text in the order of the file, which is the order of its words in scripts from right to left."""
    ordered = sorted(group, key=lambda sign: sign.at)
    parts = [ordered[0].text]
    for before, sign in pairwise(ordered):
        apart = max(sign.left - before.right, before.left - sign.right)
        parts += [" " * (apart > _WORD_GAP * sign.height), sign.text]
    return "".join(parts)


def _head_and_foot(rows: list[list[_Piece]]) -> tuple[list[list[_Piece]], list[_Piece], list[list[_Piece]]]:
    """Return the one or two lines that stand apart at the top of a page, the others, and those at the bottom."""

    def apart(above: list[_Piece], below: list[_Piece]) -> bool:
        return above[0].middle - below[0].middle > _APART * max(above[0].height, below[0].height)

    first, after = 0, len(rows)
    if len(rows) > 2 * _LEAST_LINES:
        first = next((at for at in (1, 2) if apart(rows[at - 1], rows[at])), 0)
        after = next((len(rows) - at for at in (1, 2) if apart(rows[-at - 1], rows[-at])), len(rows))
    return rows[:first], [piece for row in rows[first:after] for piece in row], rows[after:]


def _blocks(pieces: list[_Piece], depth: int) -> Iterator[list[_Piece]]:
    """Yield the blocks of a page in reading order: columns, and what stands across them."""
    gutter = _gutter(pieces) if depth < _DEEPEST else None
    if gutter is None:
        if pieces:
            yield pieces
        return
    across: list[_Piece] = []
    for band in _bands(pieces, gutter):
        left, right = _sides(band, gutter)
        if _are_columns(left, right):
            yield from _blocks(across, depth + 1)
            across = []
            yield from _blocks(left, depth + 1)
            yield from _blocks(right, depth + 1)
        else:
            across += band
    yield from _blocks(across, depth + 1)


def _gutter(pieces: list[_Piece]) -> float | None:
    """Return where the page is best divided into columns: just left of the right column. None for no columns."""
    if len(pieces) < 4:
        return None
    height = median(piece.height for piece in pieces)
    edges: defaultdict[int, list[float]] = defaultdict(list)
    for piece in pieces:
        edges[round(piece.left / height)].append(piece.left)
    first = min(piece.left for piece in pieces)
    often = sorted(edges.values(), key=len, reverse=True)[:_MOST_GUTTERS]
    best, most = None, 0
    for edge in sorted(min(lefts) - 0.1 for lefts in often if len(lefts) > 1):
        if edge < first + height:
            continue
        sides = [_sides(band, edge) for band in _bands(pieces, edge)]
        held = sum(len(left) + len(right) for left, right in sides if _are_columns(left, right))
        if held > most:
            best, most = edge, held
    return best


def _bands(pieces: list[_Piece], gutter: float) -> Iterator[list[_Piece]]:
    """Yield the pieces from top to bottom, in bands that the gutter divides, and those that stand across it alone."""
    band: list[_Piece] = []
    for row in _rows(pieces):
        if any(piece.left < gutter and piece.right > gutter + 1 for piece in row):
            if band:
                yield band
            yield row
            band = []
        else:
            band += row
    if band:
        yield band


def _sides(band: list[_Piece], gutter: float) -> tuple[list[_Piece], list[_Piece]]:
    return [piece for piece in band if piece.left < gutter], [piece for piece in band if piece.left >= gutter]


def _are_columns(left: list[_Piece], right: list[_Piece]) -> bool:
    """Return whether two sides are columns of text, and not the cells of a table.

    They are if the file has one after the other, or if both have lines of prose: some words, which often go on from the
    line above with a small letter.
    """
    if min(len(left), len(right)) < 2:
        return False
    if max(piece.at for piece in left) < min(piece.at for piece in right):
        return True
    return _is_prose(left) and _is_prose(right)


def _is_prose(side: list[_Piece]) -> bool:
    if len(_rows(side)) < _LEAST_LINES:
        return False
    words = sum(len(piece.text.split()) for piece in side) / len(side)
    cased = [piece.text[0] for piece in side if piece.text[0].isalpha()]
    small = sum(sign.islower() for sign in cased) / max(1, len(cased))
    uncased = sum(not sign.isupper() and not sign.islower() for sign in cased)  # scripts without small letters
    goes_on = small >= 0.25 or uncased * 2 > len(side)
    return (words >= _LEAST_WORDS or uncased * 2 > len(side)) and len(cased) * 2 > len(side) and goes_on

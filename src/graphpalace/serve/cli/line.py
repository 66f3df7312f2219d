"""Lines with styles, which a terminal shows without rich: its import takes as long as the answer of the service."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graphpalace.domain.texts import visible

if TYPE_CHECKING:
    from rich.text import Text

_CODES = {"bold": "1", "dim": "2", "italic": "3", "red": "31", "green": "32", "yellow": "33"}  # of ANSI
Part = str | tuple[str, str]


class Line:
    """A line, or several, of which some parts have a style, such as `Line(("4711", "bold"), " is the code")`."""

    def __init__(self, *parts: Part) -> None:
        """Take texts, or pairs of a text and its style: some of bold, dim, italic, red, green and yellow."""
        self.parts = parts

    def __str__(self) -> str:
        """Return the line without styles."""
        return "".join(part if isinstance(part, str) else part[0] for part in self.parts)

    def __rich__(self) -> Text:
        """Return the line for rich."""
        from rich.text import Text

        return Text.assemble(*self.parts)

    def for_terminal(self, *, width: int | None) -> str | None:
        """Return the line for a terminal, with its hidden signs spelled out; None: only rich can tell where to break.

        Args:
            width: After how many cells a line is broken between two words; None: it is not broken.
        """
        pairs = [(visible(part), "") if isinstance(part, str) else (visible(part[0]), part[1]) for part in self.parts]
        whole = "".join(text for text, _ in pairs)
        if width is not None:
            broken = _broken(whole, width)
            if broken is None:
                return None
            places = iter(broken)  # of the same length, with ends of lines in the place of some blanks
            pairs = [("".join(next(places) for _ in text), style) for text, style in pairs]
        return "".join(_coloured(text, style) for text, style in pairs)


def _coloured(text: str, style: str) -> str:
    codes = ";".join(_CODES[word] for word in style.split())
    return f"\x1b[{codes}m{text}\x1b[0m" if codes and text else text


def _broken(text: str, width: int) -> str | None:
    lines = text.split("\n")
    if all(len(line) <= width for line in lines) and text.isascii():
        return text
    if not text.isascii() or any(len(word) > width for word in text.split()):
        return None
    return "\n".join(_broken_line(line, width) for line in lines)


def _broken_line(line: str, width: int) -> str:
    words = line.rstrip(" ")  # the blanks behind them need no room
    broken = re.sub(rf"(.{{1,{width}}})(?: |$)", r"\1\n", words)[:-1] if words else ""
    return broken + line[len(words) :]

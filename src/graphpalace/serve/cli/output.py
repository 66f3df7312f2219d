"""Where commands print: answers to standard output, messages to standard error, and lines with styles without rich.

Whatever is printed passes here. A terminal never gets what it would obey, or what would hide something from its user,
because a stored text may hold both: a text that clears the screen is shown with its signs spelled out.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from shutil import get_terminal_size
from typing import IO, TYPE_CHECKING, Any, cast

from graphpalace.domain.texts import visible

if TYPE_CHECKING:
    from rich.console import Console
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


# What tells programs about colours and terminals in other ways than the terminal itself; rich knows what to make of it.
_TOLD = ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")


class LightConsole:
    """A console that prints texts and lines by itself. It gives everything else to rich, which takes long to import."""

    def __init__(self, *, stderr: bool = False, soft_wrap: bool = False) -> None:
        """Print to standard output, or to standard error; with `soft_wrap` a line stays one line in a terminal too."""
        self._stderr = stderr
        self._soft_wrap = soft_wrap

    @property
    def stderr(self) -> bool:
        """Whether it prints to standard error."""
        return self._stderr

    @stderr.setter
    def stderr(self, stderr: bool) -> None:
        self._stderr = stderr
        if "rich" in vars(self):
            self.rich.stderr = stderr

    @property
    def file(self) -> IO[str]:
        """Where it prints to."""
        return sys.stderr if self._stderr else sys.stdout

    @property
    def is_terminal(self) -> bool:
        """Whether somebody looks at it, or the environment says so."""
        return self.rich.is_terminal if any(name in os.environ for name in _TOLD) else self.file.isatty()

    @property
    def width(self) -> int:
        """How many cells a line of the terminal has."""
        return get_terminal_size().columns

    @cached_property
    def rich(self) -> Console:
        """The console of rich that prints the same."""
        from graphpalace.serve.cli.visible_console import VisibleConsole

        return VisibleConsole(stderr=self._stderr, soft_wrap=self._soft_wrap)

    def print(self, *objects: Any, markup: bool = True, end: str = "\n", **options: Any) -> None:
        """Print texts, lines, or anything that rich can print, with the options of rich."""
        light = self._light(objects, markup=markup, **options)
        if light is None:
            self.rich.print(*objects, markup=markup, end=end, **options)
        else:
            self.file.write(light + end)
            self.file.flush()

    def _light(
        self,
        objects: Sequence[Any],
        *,
        markup: bool,
        style: str = "",
        highlight: bool = True,
        soft_wrap: bool | None = None,
    ) -> str | None:
        """Return what is written for texts and lines, or None if it takes rich to tell."""
        if not all(isinstance(one, Line) or (isinstance(one, str) and not (markup and "[" in one)) for one in objects):
            return None
        text = " ".join(map(str, objects))
        if not self.is_terminal:
            return visible(text)
        texts = [one for one in objects if isinstance(one, str)]
        if (texts and highlight) or len(objects) > 1 or os.name != "posix" or os.environ.get("TERM", "dumb") == "dumb":
            return None
        wraps = not (self._soft_wrap if soft_wrap is None else soft_wrap)
        line = Line((text, style)) if texts or style else objects[0] if objects else Line()
        return line.for_terminal(width=self.width if wraps else None)

    def write(self, text: str) -> None:
        """Write a text as it is, but for its hidden signs."""
        self.file.write(visible(text))
        self.file.flush()

    def __enter__(self) -> Console:
        """Collect what is printed, as rich does it for a bar of progress."""
        return self.rich.__enter__()

    def __exit__(self, *error: Any) -> None:
        """Print what was collected."""
        self.rich.__exit__(*error)

    def __getattr__(self, name: str) -> Any:
        """Return what else a console of rich has."""
        return getattr(self.rich, name)


# With soft_wrap a line stays one line: what is piped can be read by programs, an id can be copied.
out = cast("Console", LightConsole(soft_wrap=True))
err = cast("Console", LightConsole(stderr=True))
_answers = LightConsole(soft_wrap=True)


@contextmanager
def json_alone() -> Iterator[None]:
    """Leave standard output to `print_json`: whatever else is printed goes to standard error."""
    out.stderr = True
    try:
        yield
    finally:
        out.stderr = False


def print_plain(text: str, *, end: str = "\n") -> None:
    """Print a text as it is, but for its hidden signs."""
    _answers.write(text + end)


def print_json(answer: Any) -> None:
    """Print an answer as JSON, as it is declared in `domain`."""
    from graphpalace.serve.render import plain

    text = json.dumps(plain(answer), indent=2, ensure_ascii=False)
    if _answers.is_terminal:
        _answers.rich.print_json(text)
    else:
        print_plain(text)

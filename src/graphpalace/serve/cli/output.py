"""Where commands print: answers to standard output, messages to standard error.

Whatever is printed passes here. A terminal never gets what it would obey, or what would hide something from its user,
because a stored text may hold both: a text that clears the screen is shown with its signs spelled out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.segment import Segment

from graphpalace.domain.hidden_signs import visible


class VisibleConsole(Console):
    """A console that spells out hidden signs as JSON does, so that JSON stays what it is.

    The styles that a console writes itself stay; a link could lead somewhere else than it says, so there are none.
    """

    def _render_buffer(self, buffer: Iterable[Segment]) -> str:
        return super()._render_buffer(_spelled_out(one) for one in buffer)


# With soft_wrap a line stays one line: what is piped can be read by programs, an id can be copied.
out = VisibleConsole(soft_wrap=True)
err = VisibleConsole(stderr=True)
_answers = VisibleConsole(soft_wrap=True)


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
    sys.stdout.write(visible(text) + end)
    sys.stdout.flush()


def print_json(answer: Any) -> None:
    """Print an answer as JSON, as it is declared in `domain`."""
    from graphpalace.serve.render import as_json

    _answers.print_json(json.dumps(as_json(answer)))


def _spelled_out(segment: Segment) -> Segment:
    text, style, control = segment
    if control:
        return segment
    return Segment(visible(text), style.update_link(None) if style and style.link else style)

"""A console of rich that a stored text can make do nothing."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.segment import Segment

from graphpalace.domain.texts import visible


class VisibleConsole(Console):
    """A console that spells out hidden signs as JSON does, so that JSON stays what it is.

    The styles that a console writes itself stay; a link could lead somewhere else than it says, so there are none.
    """

    def _render_buffer(self, buffer: Iterable[Segment]) -> str:
        return super()._render_buffer(_spelled_out(one) for one in buffer)


def _spelled_out(segment: Segment) -> Segment:
    text, style, control = segment
    if control:
        return segment
    return Segment(visible(text), style.update_link(None) if style and style.link else style)

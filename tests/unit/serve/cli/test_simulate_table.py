"""The table of `graphpalace simulate` keeps its figures in a narrow terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from graphpalace.serve.cli.commands.simulate import _show


@pytest.mark.parametrize("width", [80, 100, 200])
def test_a_long_text_pushes_no_figure_out_of_the_table(width: int) -> None:
    result = {"score": 1.25, "similarity": 0.65, "visits": 1754, "path": "wing / room / closet", "snippet": "long " * 9}
    found = {"results": [result], "stopped_by": "trails", "agents": 2, "docs": 3, "step": 40, "seed": 7}
    written = io.StringIO()
    _show(Console(file=written, width=width), found | {"simulation": "cli"})
    header, row, *_, end = written.getvalue().splitlines()
    assert header.split() == ["rank", "score", "similarity", "visits", "path", "snippet"]
    assert row.split()[:4] == ["1", "1.250", "0.650", "1754"]
    assert end == "2 agents, 3 documents, 40 steps: the trails are stable; seed 7; stored as cli"

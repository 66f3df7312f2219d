"""Palaces of MemPalace are read from either of its stores."""

from __future__ import annotations

from pathlib import Path

from tests import foreign_memories

from graphpalace.client.moving_in.mempalace import read_mempalace
from graphpalace.client.moving_in.records import ForeignDrawer


def test_both_stores_have_the_same_drawers(tmp_path: Path) -> None:
    chroma = list(read_mempalace(foreign_memories.mempalace(tmp_path / "chroma"), wing=None))
    exact = list(read_mempalace(foreign_memories.mempalace_exact(tmp_path / "exact"), wing=None))
    drawers = [one for one in chroma if isinstance(one, ForeignDrawer)]
    assert drawers == [one for one in exact if isinstance(one, ForeignDrawer)]
    assert drawers[0].drawer["source_uri"] == "mempalace:/n/max.md"
    assert drawers[0].drawer["title"] == "max.md"

"""Exporting and importing behind every door."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphpalace.errors import Conflict, InvalidInput, NotFound


async def test_a_palace_is_exported_and_imported(door: Any, tmp_path: Path) -> None:
    kept = await door.add("Prune the roses\u2028in late winter.", wing="garden")
    seen: list[Any] = []
    done = await door.export(tmp_path / "out", progress=seen.append)
    assert (done.rows["drawers"], done.rows.get("similar_to", 0)) == (1, 0)
    assert seen[-1].done == sum(done.rows.values())
    await door.delete(kept.id)
    await door.add("Feed the sourdough starter.", wing="kitchen")
    found = await door.import_(tmp_path / "out", vectors=False, progress=seen.append)
    assert (found.created["drawers"], found.conflicts) == (1, 0)
    assert sum(done.rows.values()) in {now.total for now in seen}
    assert {hit.text for hit in (await door.search("prune roses")).hits} >= {"Prune the roses\u2028in late winter."}

    with pytest.raises(Conflict, match="not empty"):
        await door.export(tmp_path / "out")
    with pytest.raises(NotFound, match="no folder"):
        await door.import_(tmp_path / "no")
    (tmp_path / "out" / "wings.jsonl").unlink()
    with pytest.raises(InvalidInput, match="missing"):
        await door.import_(tmp_path / "out")
    assert (await door.export(tmp_path / "small", vectors=False)).rows["drawers"] == 2
    await door.export(tmp_path / "runs", runs=True)

"""Ingest and search on a real Neo4j."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphpalace.bootstrap import GraphPalace
from graphpalace.operations.recall import Question


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kitchen").mkdir()
    (tmp_path / "garden").mkdir()
    (tmp_path / "kitchen" / "bread.md").write_text(
        "# Bread\n\nSourdough needs a starter.\n\n# Soup\n\nLentils simmer.\n"
    )
    (tmp_path / "garden" / "roses.md").write_text("# Roses\n\nPrune roses in winter.\n")
    return tmp_path


async def test_what_was_ingested_is_found_with_its_path(app: GraphPalace, palace: str, folder: Path) -> None:
    report = await app.ingest([folder], palace=palace, wing="home")
    assert report.documents_stored == 2
    answer = await app.recall.search(palace, Question("when to prune roses"))
    best = answer.hits[0]
    assert "Prune roses in winter." in best.drawer["text"]
    assert [step["kind"] for step in best.path] == ["Palace", "Wing", "Room", "Closet", "Drawer"]
    assert [step["name"] for step in best.path][1:3] == ["home", "garden"]
    assert best.drawer["source_uri"] == (folder / "garden" / "roses.md").as_uri()
    assert set(best.lanes) == {"fulltext", "semantic"}
    assert sum(lane.share for lane in best.lanes.values()) == pytest.approx(1)

"""Storing files and folders behind every door."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from graphpalace import Palace
from graphpalace.errors import InvalidInput, NotFound
from tests.acceptance.served import failure, until


async def test_files_are_stored_with_progress_and_pruned_when_they_are_gone(
    door: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("a.md", "# Ships\n\nShips sail the sea.\n"), ("b.md", "# Bread\n\nBread needs flour.\n")):
        (tmp_path / name).write_text(text, "utf-8")
    seen: list[Any] = []
    monkeypatch.chdir(tmp_path.parent)
    report = await door.ingest(tmp_path.name, wing="notes", wing_type="project", rooms="headings", progress=seen.append)
    assert (report.files_total, report.files_done, report.documents_stored) == (2, 2, 2)
    assert report.drawers_created == 2
    assert all(one.files_total <= 2 for one in seen)
    assert (await door.search("sail", wing="notes")).hits[0].text.endswith("Ships sail the sea.")
    assert [(wing.name, wing.wing_type) for wing in await door.wings()] == [("notes", "project")]
    assert {room.name for room in await door.rooms()} == {"Ships", "Bread"}

    (tmp_path / "b.md").unlink()
    again = await door.ingest([tmp_path], wing="notes", rooms="headings")
    assert (again.documents_unchanged, again.gone) == (1, [(tmp_path / "b.md").as_uri()])
    assert await door.prune("notes", again.gone) == 1
    assert await door.prune("notes", again.gone) == 0
    assert (await door.search("flour", lanes=["fulltext"])).count == 0


async def test_what_cannot_be_ingested_is_refused_before_anything_is_read(door: Any, tmp_path: Path) -> None:
    for call, match in (
        (door.ingest([tmp_path], wing=" "), "wing"),
        (door.ingest([tmp_path], wing="w", wing_type="planet"), "wing_type"),
        (door.ingest([tmp_path], wing="w", rooms="planets"), "rooms"),
        (door.ingest([tmp_path], wing="w", max_files=-1), "max_files"),
        (door.ingest([tmp_path], wing="w", windows=[0]), "windows"),
        (door.ingest([], wing="w"), "paths"),
        (door.prune("w", []), "sources"),
    ):
        with pytest.raises(InvalidInput, match=match):
            await call
    with pytest.raises(NotFound, match=r"paths\.1"):
        await door.ingest([tmp_path, tmp_path / "nowhere"], wing="w")
    assert await door.wings() == []


def test_a_service_reads_only_the_folders_that_its_settings_allow(
    service_url: str, palace: str, tmp_path: Path
) -> None:
    (tmp_path / "out").symlink_to("/etc")
    with httpx.Client(base_url=service_url) as http:
        for path in (
            "/etc/hostname",
            str(tmp_path / "out"),
            "/",
            "notes.md",
            "\0",
        ):
            error = failure(
                http.post("/v1/ingest", json={"palace": palace, "wing": "w", "paths": [path]}), 422, "VALIDATION_ERROR"
            )
            assert "paths.0" in error["message"]
        for body in ({"wing": "w"}, {"paths": ["/x"]}, {"wing": "w", "paths": "/x"}, {"wing": "w", "paths": [1]}):
            failure(http.post("/v1/ingest", json=body), 422, "VALIDATION_ERROR")
        failure(http.post("/v1/ingest", json={"palace": "nowhere", "wing": "w", "paths": ["/x"]}), 404, "NOT_FOUND")


def test_a_client_that_leaves_stops_its_ingest_and_what_is_stored_stays(
    service_url: str, palace: str, tmp_path: Path
) -> None:
    for number in range(400):
        words = "\n\n".join(f"Text {number} {part} of the ships." for part in range(40))
        (tmp_path / f"{number}.md").write_text(words, "utf-8")
    body = {"palace": palace, "wing": "w", "paths": [str(tmp_path)]}
    with (
        httpx.Client(base_url=service_url, timeout=60) as http,
        http.stream("POST", "/v1/ingest", json=body) as answer,
    ):
        first = json.loads(next(answer.iter_lines()))
        assert first["done"] is False
        assert first["report"]["files_total"] == 400
    with Palace.connect(service_url, name=palace) as door:
        until(lambda: _is_still(door), seconds=30)
        assert door.stats().nodes["Drawer"] < 400
        assert door.ingest(tmp_path, wing="w").documents_stored > 0
        assert door.stats().nodes["Closet"] == 400


def _is_still(door: Palace) -> bool:
    before = door.stats().revision
    time.sleep(1)
    return door.stats().revision == before

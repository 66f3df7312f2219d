"""A file whose content a client sends becomes what an ingest of it becomes, whatever its format."""

from __future__ import annotations

import json
import uuid
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from graphpalace.settings.load import Settings
from tests import transcripts
from tests.acceptance.served import changed, failure, served
from tests.spare_palaces import spare_name
from tests.unit.ingest.readers.test_rich_formats import pdf_of

_MARKDOWN = "---\ntags: [sea]\n---\n# Boats\n\nThe blue boat needs tar.\n\n## Sails\n\n" + "Dry every sail. " * 90
_CODE = "def start(pump):\n    return pump.turn_on()\n\n\n" + "class Pump:\n" + "    speed = 1\n" * 200
_FILES = {
    "boats/new/guide.md": _MARKDOWN.encode(),
    "boats/pump.py": _CODE.encode(),
    "boats/soup.html": b"<h1>Soup</h1><p>Simmer the lentils.</p>",
    "boats/prices.csv": b"what,price\nflour,2\nsalt,1\n",
    "boats/report.pdf": pdf_of([[(72, 700, "The harbour freezes in January.")]]),
    "boats/latin.txt": "Der Käse ist groß".encode("latin-1"),
}


@pytest.fixture(scope="module")
def http(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    allowed = (str(tmp_path_factory.getbasetemp()),)
    own = changed(settings, palace={"name": spare_name()}, ingest={"folders": allowed})
    with served(own) as client:
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


@pytest.fixture
def wing() -> str:
    return f"wing {uuid.uuid4().hex[:8]}"


def send(http: httpx.Client, wing: str, path: str, data: bytes, **more: Any) -> dict[str, Any]:
    """Send a file and return the report."""
    body = {"wing": wing, "path": path, "content": b64encode(data).decode(), **more}
    answer = http.post("/v1/ingest/content", json=body)
    assert answer.status_code == 200, answer.text
    last = json.loads(answer.text.splitlines()[-1])
    assert last["done"]
    return last["report"]


def texts(http: httpx.Client, wing: str) -> list[tuple[str, str, tuple[str, ...], str]]:
    drawers = http.get("/v1/drawers", params={"wing": wing, "limit": 200}).raise_for_status().json()["drawers"]
    return sorted((one["room"], one["closet"], tuple(one["headings"]), one["text"]) for one in drawers)


def test_files_of_many_formats_become_what_an_ingest_of_their_folder_makes(
    http: httpx.Client, wing: str, tmp_path: Path
) -> None:
    for path, data in _FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    read = {"paths": [str(tmp_path / "boats")], "wing": f"{wing} read", "rooms": "folders"}
    http.post("/v1/ingest", json=read).raise_for_status()
    seen = {"folders": {"": 5, "new": 1}}
    for path, data in _FILES.items():
        report = send(http, wing, path, data, seen=seen, last=False, rooms="folders")
        assert (report["documents_stored"], report["unreadable"], report["skipped"]) == (1, [], {}), (path, report)
    http.post("/v1/ingest/documents", json={"wing": wing, "documents": [], "rooms": "folders"}).raise_for_status()
    assert texts(http, wing) == texts(http, f"{wing} read")
    for path, data in _FILES.items():
        assert send(http, wing, path, data, seen=seen, rooms="folders")["documents_unchanged"] == 1, path
    before = len(texts(http, wing))
    assert send(http, wing, "boats/soup.html", b"<p>Boil the peas.</p>", seen=seen)["documents_stored"] == 1
    after = texts(http, wing)
    assert len(after) == before
    assert "Boil the peas." in {text for *_, text in after}
    assert "Simmer the lentils." not in {text for *_, text in after}


def test_a_transcript_is_filed_as_a_conversation(http: httpx.Client, wing: str) -> None:
    data = transcripts.lines(transcripts.CLAUDE_CODE)
    report = send(http, wing, "talk.jsonl", data)
    assert report["documents_stored"] == 1
    assert report["drawers_created"] > 0
    assert {room for room, *_ in texts(http, wing)} == {"conversations"}
    assert send(http, wing, "talk.jsonl", data)["documents_unchanged"] == 1


@pytest.mark.parametrize(
    ("path", "data", "skipped", "unreadable"),
    [
        ("a/.hidden/b.md", b"text", {"hidden folder": 1}, ""),
        ("a/node_modules/b.md", b"text", {"excluded folder": 1}, ""),
        ("a/b.zip", b"PK\3\4", {"unsupported": 1}, ""),
        ("a/b.bin", bytes(range(256)), {"binary": 1}, ""),
        ("a/b.pdf", b"%PDF-1.4 nothing", {}, "a/b.pdf "),
    ],
)
def test_what_is_not_stored_is_told_with_the_reason_and_the_clients_path(
    http: httpx.Client, wing: str, path: str, data: bytes, skipped: dict[str, int], unreadable: str
) -> None:
    report = send(http, wing, path, data)
    assert report["skipped"] == skipped
    assert [one.startswith(unreadable) for one in report["unreadable"]] == ([True] if unreadable else [])
    assert report["documents_stored"] == 0
    assert "graphpalace-" not in json.dumps(report["unreadable"])
    failure(http.get("/v1/drawers", params={"wing": wing}), 404, "NOT_FOUND")


def test_a_file_without_text_leaves_no_drawer(http: httpx.Client, wing: str) -> None:
    report = send(http, wing, "a/blank.md", b"\n\n")
    assert not any(value for name, value in report.items() if name not in ("files_total", "files_done", "seconds"))


@pytest.mark.parametrize("path", ["/etc/passwd", "../x.md", "a//b.md", "a/./b.md", "a/\0.md", "x" * 300 + ".md"])
def test_a_path_that_no_file_below_a_folder_has_is_refused(http: httpx.Client, wing: str, path: str) -> None:
    body = {"wing": wing, "path": path, "content": "dGV4dA=="}
    assert "path is" in failure(http.post("/v1/ingest/content", json=body), 422, "VALIDATION_ERROR")["message"]


def test_content_that_is_no_base64_is_refused(http: httpx.Client, wing: str) -> None:
    body = {"wing": wing, "path": "a.md", "content": "not base64"}
    assert "content" in failure(http.post("/v1/ingest/content", json=body), 422, "VALIDATION_ERROR")["message"]

"""The cache of pinned jars, against a small Maven repository on this machine that misbehaves on demand."""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
from collections import Counter, namedtuple
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from graphpalace import maven
from graphpalace.errors import (
    ArtifactMissing,
    ChecksumMismatch,
    DownloadFailed,
    NotEnoughDisk,
    SettingsInvalid,
)
from graphpalace.managed_neo4j import jars as manifests
from graphpalace.managed_neo4j.jars import ensure_jars, pinned_versions, read_manifest, verify_jars
from graphpalace.maven import Jar

pytestmark = pytest.mark.slow

CONTENT = {f"org.example:part-{number}:1.{number}": bytes([number]) * 50_000 for number in range(1, 6)}
CONTENT["org.example:native:2.0:linux-x86_64"] = b"native" * 1000


class Repository:
    """A Maven repository: `faults` maps a file name to what goes wrong, once for each entry of the list."""

    def __init__(self) -> None:
        self.files = {f"/{Jar(name, '', 0).location}": content for name, content in CONTENT.items()}
        self.faults: dict[str, list[str]] = {}
        self.asked: Counter[str] = Counter()
        repository = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                repository.answer(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        name = request.path.rsplit("/", 1)[1]
        self.asked[name] += 1
        content = self.files[request.path]
        faults = self.faults.get(name, [])
        fault = faults.pop(0) if faults else "none"
        status = int(fault) if fault.isdigit() else 200
        request.send_response(status)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        if fault == "broken off":
            request.wfile.write(content[:1000])
            request.close_connection = True
        else:
            request.wfile.write(b"?" + content[1:] if fault == "changed" else content)


@pytest.fixture
def repository() -> Iterator[Repository]:
    with_faults = Repository()
    yield with_faults
    with_faults.server.shutdown()
    with_faults.server.server_close()


@pytest.fixture(autouse=True)
def manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pin the small jars above as version 1.0, and wait little between tries."""
    folder = tmp_path / "manifests"
    folder.mkdir()
    lines = [f"{hashlib.sha256(content).hexdigest()}  {len(content)}  {name}\n" for name, content in CONTENT.items()]
    (folder / "neo4j-1.0.sha256").write_text("# small jars\n" + "".join(lines))
    monkeypatch.setattr(manifests, "_HERE", folder)
    monkeypatch.setattr(maven, "_BACKOFF_S", 0.05)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def leftovers(cache: Path) -> list[Path]:
    return list(cache.rglob("*.part"))


def test_all_jars_are_fetched_once_and_laid_out_like_a_repository(repository: Repository, cache: Path) -> None:
    paths = ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)
    assert paths[0] == cache / "jars/org/example/part-1/1.1/part-1-1.1.jar"
    assert paths[-1].name == "native-2.0-linux-x86_64.jar"
    assert all(path.is_file() for path in paths)
    assert ensure_jars("1.0", cache_dir=cache, repository_url=repository.url) == paths
    assert set(repository.asked.values()) == {1}
    assert leftovers(cache) == []


def test_progress_ends_at_the_total(repository: Repository, cache: Path) -> None:
    seen: list[tuple[int, int]] = []
    ensure_jars("1.0", cache_dir=cache, repository_url=repository.url, progress=lambda *pair: seen.append(pair))
    total = sum(map(len, CONTENT.values()))
    assert seen[-1] == (total, total)


def test_nothing_is_asked_of_the_network_when_all_jars_are_cached(repository: Repository, cache: Path) -> None:
    ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)
    seen: list[tuple[int, int]] = []
    ensure_jars("1.0", cache_dir=cache, repository_url="http://127.0.0.1:9", progress=lambda *pair: seen.append(pair))
    assert seen == []


def test_a_download_that_breaks_off_twice_succeeds_at_the_third_try(repository: Repository, cache: Path) -> None:
    repository.faults["part-2-1.2.jar"] = ["broken off", "503"]
    ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)
    assert repository.asked["part-2-1.2.jar"] == 3


def test_a_download_that_keeps_breaking_off_says_so_and_keeps_the_rest(repository: Repository, cache: Path) -> None:
    repository.faults["native-2.0-linux-x86_64.jar"] = ["broken off"] * 3
    with pytest.raises(DownloadFailed, match=r"of 6 files are downloaded. Run") as failed:
        ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)
    assert failed.value.detail["fetched"] == len(list(cache.rglob("*.jar"))) > 0
    assert leftovers(cache) == []
    ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)
    assert verify_jars("1.0", cache_dir=cache) == []


def test_a_repository_that_cannot_be_reached_is_a_failed_download(cache: Path) -> None:
    with pytest.raises(DownloadFailed, match="0 of 6 files"):
        ensure_jars("1.0", cache_dir=cache, repository_url="http://127.0.0.1:9")


def test_a_refusal_is_not_tried_again(repository: Repository, cache: Path) -> None:
    repository.faults["part-3-1.3.jar"] = ["403"]
    with pytest.raises(DownloadFailed, match="HTTP 403"):
        ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)
    assert repository.asked["part-3-1.3.jar"] == 1


def test_a_missing_jar_is_named_by_its_coordinate(repository: Repository, cache: Path) -> None:
    repository.faults["part-4-1.4.jar"] = ["404"]
    with pytest.raises(ArtifactMissing, match=r"org\.example:part-4:1\.4") as missing:
        ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)
    assert missing.value.detail["coordinate"] == "org.example:part-4:1.4"


def test_a_jar_with_another_checksum_is_refused_and_removed(repository: Repository, cache: Path) -> None:
    repository.faults["part-5-1.5.jar"] = ["changed"]
    with pytest.raises(ChecksumMismatch, match=r"org\.example:part-5:1\.5"):
        ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)
    assert not list(cache.rglob("part-5*.jar*"))


@pytest.mark.parametrize("damage", ["shortened", "changed"])
def test_a_jar_damaged_in_the_cache_is_fetched_again(repository: Repository, cache: Path, damage: str) -> None:
    paths = ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)
    content = paths[0].read_bytes()
    paths[0].write_bytes(content[:10] if damage == "shortened" else b"?" + content[1:])
    ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)
    assert paths[0].read_bytes() == content
    assert repository.asked["part-1-1.1.jar"] == 2


def test_a_full_check_finds_damage_that_left_size_and_time_alone(repository: Repository, cache: Path) -> None:
    path = ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)[0]
    times = (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    path.write_bytes(b"?" + path.read_bytes()[1:])
    os.utime(path, ns=times)
    assert verify_jars("1.0", cache_dir=cache) == ["org.example:part-1:1.1"]
    ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)
    assert verify_jars("1.0", cache_dir=cache) == []


def test_a_full_check_of_an_empty_cache_names_every_jar(cache: Path) -> None:
    assert len(verify_jars("1.0", cache_dir=cache)) == len(CONTENT)


def test_too_little_disk_is_told_before_anything_is_fetched(
    repository: Repository, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10, 9, 1 << 20))
    with pytest.raises(NotEnoughDisk, match="1 MiB free") as full:
        ensure_jars("1.0", cache_dir=cache, repository_url=repository.url)
    assert full.value.detail["free_bytes"] == 1 << 20
    assert repository.asked == {}


def test_a_version_without_a_manifest_is_refused_with_those_there_are(cache: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"Choose one of 1\.0"):
        ensure_jars("4.4.0", cache_dir=cache)


def test_the_shipped_manifests_hold_whole_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "_HERE", Path(manifests.__file__).parent)
    assert pinned_versions() == ["5.26.30", "2026.08.1"]
    for version in pinned_versions():
        pinned = {jar.coordinate for jar in read_manifest(version)}
        assert f"org.neo4j.app:neo4j-server:{version}" in pinned
        assert len(pinned) > 200
        assert all(len(jar.sha256) == 64 and jar.size_bytes > 0 for jar in read_manifest(version))

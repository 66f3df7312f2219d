"""Download pinned jars from a Maven repository in parallel, and check each one before storing it."""

from __future__ import annotations

import hashlib
import os
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import httpx

from graphpalace.errors import ArtifactMissing, ChecksumMismatch, DownloadFailed

Progress = Callable[[int, int], None]  # bytes downloaded so far, bytes in all
_WORKERS = 16
_TRIES = 3
_BACKOFF_S = 0.5
_CHUNK_BYTES = 256 * 1024
_GONE = {404, 410}
_PASSING = {408, 425, 429, 500, 502, 503, 504}


def fetch_jars(jars: list[Jar], *, folder: Path, repository_url: str | None, progress: Progress | None) -> None:
    """Download all the given jars into a folder laid out like a Maven repository.

    Proxies and certificates are taken from the environment. Jars that were downloaded before an error are kept.

    Raises:
        ArtifactMissing: If the repository does not have one of them.
        ChecksumMismatch: If a complete jar does not have the pinned checksum. The jar is removed.
        DownloadFailed: If the network or the repository fails three times in a row.
    """
    if repository_url is None:
        from jgo.constants import MAVEN_CENTRAL_URL as repository_url  # noqa: N811
    tally = _Tally(sum(jar.size_bytes for jar in jars), progress)
    limits = httpx.Limits(max_connections=_WORKERS, max_keepalive_connections=_WORKERS)
    timeout = httpx.Timeout(30, connect=10, pool=None)
    with httpx.Client(limits=limits, timeout=timeout, follow_redirects=True) as client:
        pool = ThreadPoolExecutor(_WORKERS)
        try:
            biggest_first = sorted(jars, key=lambda jar: -jar.size_bytes)
            base = repository_url.rstrip("/")
            running = [pool.submit(_fetch, client, base, jar, folder, tally) for jar in biggest_first]
            failed = [done.exception() for done in wait(running, return_when=FIRST_EXCEPTION).done]
        finally:
            tally.stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
    error = next((error for error in failed if error is not None), None)
    if isinstance(error, DownloadFailed):
        have = sum((folder / jar.location).exists() for jar in jars)
        raise DownloadFailed(
            f"{error.message} {have} of {len(jars)} files are downloaded. Run the command again to get the rest.",
            **error.detail, fetched=have, wanted=len(jars),
        ) from error  # fmt: skip
    if error is not None:
        raise error


class _Tally:
    """Counts the bytes of all threads, and signals them to stop."""

    def __init__(self, total_bytes: int, progress: Progress | None) -> None:
        self.total_bytes = total_bytes
        self.progress = progress
        self.done_bytes = 0
        self.lock = threading.Lock()
        self.stop = threading.Event()

    def add(self, count_bytes: int) -> None:
        with self.lock:
            self.done_bytes += count_bytes
            if self.progress is not None:
                self.progress(self.done_bytes, self.total_bytes)


class _BrokenError(Exception):
    """An attempt failed in a way that may succeed next time."""


def _fetch(client: httpx.Client, base: str, jar: Jar, folder: Path, tally: _Tally) -> None:
    for attempt in range(1, _TRIES + 1):
        try:
            return _try(client, f"{base}/{jar.location}", jar, folder / jar.location, tally)
        except (httpx.TransportError, _BrokenError) as error:
            if tally.stop.is_set():
                return None
            if attempt == _TRIES:
                raise DownloadFailed(
                    f"The download of {jar.coordinate} from {_without_password(base)} failed "
                    f"({error or type(error).__name__}).",
                    coordinate=jar.coordinate, repository=_without_password(base),
                ) from error  # fmt: skip
            tally.stop.wait(_BACKOFF_S * 2 ** (attempt - 1) * random.uniform(0.8, 1.2))
    return None


def _try(client: httpx.Client, url: str, jar: Jar, target: Path, tally: _Tally) -> None:
    """Download one jar to a temporary file, check it, and move it to its place."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f"{target.name}.{os.getpid()}.{threading.get_ident()}.{time.monotonic_ns()}.part")
    got_bytes, digest = 0, hashlib.sha256()
    try:
        with client.stream("GET", url) as response, draft.open("wb") as stream:
            _check_status(response, jar, url)
            for chunk in response.iter_bytes(_CHUNK_BYTES):
                if tally.stop.is_set():
                    raise _BrokenError("stopped")
                stream.write(chunk)
                digest.update(chunk)
                got_bytes += len(chunk)
                tally.add(len(chunk))
                if got_bytes > jar.size_bytes:
                    break
        if got_bytes < jar.size_bytes and "Content-Length" not in response.headers:
            raise _BrokenError(f"{got_bytes} of {jar.size_bytes} bytes arrived")
        if got_bytes != jar.size_bytes or digest.hexdigest() != jar.sha256:
            raise ChecksumMismatch(
                f"{_without_password(url)} does not have the expected checksum of {jar.coordinate}, and was removed."
                " Check whether a proxy or mirror changes files.",
                coordinate=jar.coordinate, url=_without_password(url), expected=jar.sha256, found=digest.hexdigest(),
            )  # fmt: skip
        draft.replace(target)
    except BaseException:
        tally.add(-got_bytes)
        draft.unlink(missing_ok=True)
        raise


def _check_status(response: httpx.Response, jar: Jar, url: str) -> None:
    status, url = response.status_code, _without_password(url)
    if status in _GONE:
        raise ArtifactMissing(
            f"The repository does not have {jar.coordinate} (HTTP {status} for {url}).",
            coordinate=jar.coordinate, url=url,
        )  # fmt: skip
    if status in _PASSING:
        raise _BrokenError(f"HTTP {status}")
    if status != httpx.codes.OK:
        raise DownloadFailed(
            f"The repository refused {jar.coordinate} (HTTP {status} for {url}).",
            coordinate=jar.coordinate, url=url, status=status,
        )  # fmt: skip


def _without_password(url: str) -> str:
    return str(httpx.URL(url).copy_with(userinfo=b""))


@dataclass(frozen=True)
class Jar:
    """One pinned jar: `coordinate` is group:artifact:version[:classifier]."""

    coordinate: str
    sha256: str
    size_bytes: int

    @property
    def location(self) -> str:
        """The path of the jar in a Maven repository and in the cache."""
        group, artifact, version, *classifier = self.coordinate.split(":")
        name = "-".join([artifact, version, *classifier])
        return f"{group.replace('.', '/')}/{artifact}/{version}/{name}.jar"

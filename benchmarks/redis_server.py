"""A Redis server of a benchmark's own."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import redis


@contextmanager
def redis_server(*, timeout_s: float = 10) -> Iterator[redis.Redis]:
    """Give a client of a new Redis, on a unix socket and without persistence, until the block ends.

    Raises:
        SystemExit: If there is no `redis-server` on this machine.
        RuntimeError: If it does not answer in time.
    """
    program = shutil.which("redis-server")
    if program is None:
        raise SystemExit("redis-server is not on the PATH: install it, on Debian with `apt-get install redis-server`")
    with tempfile.TemporaryDirectory(prefix="redis-") as folder:  # a short path: a socket's may have 107 bytes
        socket = f"{folder}/redis.sock"
        without = ["--port", "0", "--save", "", "--appendonly", "no"]
        command = [program, *without, "--unixsocket", socket, "--dir", folder]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            client = redis.Redis(unix_socket_path=socket)
            _answers(client, time.monotonic() + timeout_s)
            yield client
            client.close()
        finally:
            process.terminate()
            process.wait(10)


def _answers(client: redis.Redis, until: float) -> None:
    while True:
        try:
            client.ping()
            return
        except redis.ConnectionError as error:
            if time.monotonic() > until:
                raise RuntimeError("the redis-server does not answer") from error
            time.sleep(0.05)

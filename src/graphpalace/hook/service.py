"""Ask the service of a data folder, with nothing but sockets: `http.client` takes twice as long to import as Python."""

import json
import os
import time

from graphpalace.process_start import created_at

try:
    import _socket as socket  # what `socket` is made from; making the rest of it takes half as long as Python's start
except ImportError:  # not CPython
    import socket

_FILE = "service.json"  # which `client/service_file.py` describes and writes
_CHUNK = 65_536
_OK = 200


class NoAnswer(Exception):
    """Why the service did not answer as it should; the message is for the log."""


class NoService(NoAnswer):
    """No service runs."""


def answer_of(folder: str, path: str, body: bytes, *, until: float) -> dict[str, object]:
    """Send a request to the service of a data folder, and return its answer.

    Args:
        path: With its query, for example `/v1/hooks/codex/Stop`.
        body: JSON.
        until: When to give up, as `time.monotonic` tells it.

    Raises:
        NoService: If none runs.
        NoAnswer: If it is too late, or the service answers with an error.
    """
    url, key = _running(folder)
    host, _, port = url.rpartition("//")[2].rpartition(":")
    host = host.strip("[]")
    head = (
        f"POST {path} HTTP/1.0\r\nHost: {url.rpartition('//')[2]}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n"
    )
    if key:
        head += f"Authorization: Bearer {key}\r\n"
    connection = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        connection.settimeout(_left(until))
        connection.connect((host, int(port)))
        connection.sendall(head.encode() + b"\r\n" + body)
        received = bytearray()
        while True:
            connection.settimeout(_left(until))
            part = connection.recv(_CHUNK)
            if not part:
                break
            received += part
    except TimeoutError:
        raise NoAnswer("the service did not answer in time") from None
    except OSError as error:
        raise NoAnswer(f"the service at {url} cannot be reached: {error.strerror or error}") from None
    finally:
        connection.close()
    return _understood(bytes(received))


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _understood(received: bytes) -> dict[str, object]:
    head, _, body = received.partition(b"\r\n\r\n")
    words = head.split(b"\r\n", 1)[0].split()
    status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    try:
        answer = json.loads(body)
    except ValueError:
        raise NoAnswer(f"the service answered {status or 'something that is not HTTP'}") from None
    if status != _OK or not isinstance(answer, dict):
        error = answer.get("error") if isinstance(answer, dict) else None
        said = error.get("message") if isinstance(error, dict) else None
        raise NoAnswer(f"the service answered {status}" + (f": {said}" if said else ""))
    return answer


def _running(folder: str) -> tuple[str, str]:
    """Return address and key of the service. Its process must run: another program may listen at its port by now."""
    path = os.path.join(folder, _FILE)
    try:
        with open(path, encoding="utf-8") as file:
            found = os.fstat(file.fileno())
            if os.name == "posix" and (found.st_uid != os.getuid() or found.st_mode & 0o077):
                raise NoAnswer(f"{path} belongs to another user, or others can read it")
            service = json.load(file)
        url, key, pid, started = service["url"], service["key"], service["pid"], service["started"]
        home = service.get("home") or ""
    except FileNotFoundError:
        raise NoService("no service runs") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise NoAnswer(f"{path} cannot be read") from None
    created = created_at(pid)
    if created is None or abs(created - started) >= 1 or home not in ("", os.path.realpath(folder)):
        raise NoService("no service runs")
    return url, key

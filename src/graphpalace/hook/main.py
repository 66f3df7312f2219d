"""Hosts of agents run this at their events. It asks the service by sockets. `graphpalace install` sets it up.

graphpalace-hook [--home DIR] [--palace NAME] [--config FILE] [--deadline-s SECONDS] HOST EVENT

It asks the service of the data folder DIR and prints what the host shall read. If anything is wrong, it prints nothing,
ends with 0 all the same, and notes the reason in the data folder: memory must never stop or slow down an agent. It ends
within a second, or what --deadline-s says.
"""

from __future__ import annotations

import _thread
import json
import os
import sys
import time

from graphpalace.hook import notes
from graphpalace.process_start import is_process

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
        home, born = service.get("home") or "", service.get("born") or ""
    except FileNotFoundError:
        raise NoService("no service runs") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise NoAnswer(f"{path} cannot be read") from None
    if not is_process(pid, born=born, created=started) or home not in ("", os.path.realpath(folder)):
        raise NoService("no service runs")
    return url, key


# pyright: basic

_DEADLINE_S = 1.0
_MARGIN_S = 0.1  # of the deadline, to note what went wrong
_MOST_BYTES = 8 << 20  # of the host's JSON
_TOLD = ("session_id", "conversation_id", "transcript_path", "cwd", "workspace_roots")
_STARTS = ("SessionStart", "sessionStart")


class _Words:
    """The words of the command line."""

    def __init__(self, words: list) -> None:
        given = {"--home": "", "--palace": "", "--config": "", "--deadline-s": ""}
        words, rest = list(words), []
        while words:
            word = words.pop(0)
            if word in given and words:
                given[word] = words.pop(0)
            else:
                rest.append(word)
        self.home, self.palace, self.config, deadline = given.values()
        self.deadline_s = _seconds(deadline)
        self.host, self.event = [*rest, "", ""][:2]


def _seconds(word: str) -> float:
    try:
        return min(max(float(word), 0.2), 600.0)
    except ValueError:
        return _DEADLINE_S


def main() -> None:
    """Run the command."""
    before_s = time.process_time()  # what Python has spent on its start
    started = time.monotonic() - before_s
    words = _Words(sys.argv[1:])
    if words.host in ("-h", "--help", ""):
        print(__doc__)
        return
    try:
        home = words.home or _usual_home(words.config)
    except Exception as error:  # the settings cannot be read, so it is noted where no settings are needed
        notes.noted(_own_home(), words.host, words.event, took_s=0.0, did="failed", error=str(error))
        return
    run = _Run(words, home, started)
    _thread.start_new_thread(run.end_in_time, ())
    run.work()


class _Run:
    """One run of the command."""

    def __init__(self, words: _Words, home: str, started: float) -> None:
        self._words = words
        self._home = home
        self._started = started
        self._deadline = started + words.deadline_s
        self._ended = _thread.allocate_lock()  # whoever takes it first says how the run ended

    def work(self) -> None:
        """Ask the service, and print what the host shall read."""
        told = {}
        try:
            told = _told()
            content = {"input": told} | ({"palace": self._words.palace} if self._words.palace else {})
            path = f"/v1/hooks/{_segment(self._words.host)}/{_segment(self._words.event)}"
            body = json.dumps(content).encode()
            answer = answer_of(self._home, path, body, until=self._deadline - _MARGIN_S)
        except NoAnswer as error:
            if isinstance(error, NoService) and self._words.event in _STARTS:
                self._start_service()
            self._end("failed", str(error), told)
            return
        except Exception as error:  # whatever it is, the agent goes on
            self._end("failed", f"{type(error).__name__}: {error}", told)
            return
        output = answer.get("output")
        self._end(str(answer.get("did") or ""), "", told, output=output if isinstance(output, str) else "")

    def end_in_time(self) -> None:
        """End the process at the deadline, whatever it waits for."""
        time.sleep(max(0.0, self._deadline - _MARGIN_S / 2 - time.monotonic()))
        self._end("failed", f"it took longer than {self._words.deadline_s:g} s", {})

    def _end(self, did: str, error: str, told: dict, *, output: str = "") -> None:
        if not self._ended.acquire(blocking=False):
            time.sleep(self._words.deadline_s)  # the other thread ends the process
            return
        if output:
            try:
                os.write(1, output.encode())
            except OSError as failure:  # the host has gone
                error = f"the host did not read the answer: {failure.strerror}"
        took_s = time.monotonic() - self._started
        notes.noted(self._home, self._words.host, self._words.event, took_s=took_s, did=did, error=error)
        if error and told.get("transcript_path"):
            known = {name: told[name] for name in _TOLD if name in told}
            notes.leave_unfiled(self._home, self._words.host, self._words.palace, known)
        os._exit(0)  # without waiting for the other thread

    def _start_service(self) -> None:
        """Start the service in the background, if the settings say so; nothing waits for it."""
        import subprocess

        words = [sys.executable, "-m", "graphpalace.client.ensure_service", self._home, self._words.config]
        try:
            os.makedirs(self._home, exist_ok=True)
            subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=self._home,
                start_new_session=True,
            )
        except OSError:
            pass


def _told() -> dict:
    """Return what the host says on standard input.

    Raises:
        NoAnswer: If it is no JSON object.
    """
    data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise NoAnswer(f"the host said more than {_MOST_BYTES >> 20} MiB")
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        raise NoAnswer("standard input is not JSON; the host sends one object") from None
    if not isinstance(told, dict):
        raise NoAnswer("standard input is JSON, but no object")
    return told


def _segment(word: str) -> str:
    """Return a word for the path of a URL."""
    return "".join(
        one if one.isascii() and (one.isalnum() or one in "-_") else f"%{ord(one) & 0xFF:02X}" for one in word
    )


def _usual_home(config: str) -> str:
    """Return the data folder that the settings name; an installed hook has it in its command, which is quicker."""
    from pathlib import Path

    from graphpalace.settings.home import data_folder

    return str(data_folder(Path(config) if config else None))


def _own_home() -> str:
    """Return the data folder of the user without settings."""
    from graphpalace.settings.home import usual_data_folder

    return str(usual_data_folder(None))


if __name__ == "__main__":
    main()

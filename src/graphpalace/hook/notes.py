"""What is noted of hooks in the data folder: when each ran last, a log of what went wrong, and what is not filed yet.

hooks/claude-code.Stop.json   the last run of one hook, and how many there were
hooks/hooks.log               what went wrong, a line for each; hooks.previous.log is the part before
hooks/unfiled/*.json          transcripts that were to be filed while no service answered
"""

import json
import os
import time
import zlib

FOLDER = "hooks"
LOG, PREVIOUS_LOG = "hooks.log", "hooks.previous.log"
_LOG_BYTES = 256 * 1024
_MOST_UNFILED = 500
_MOST_NOTED = 200  # files of runs: hosts have some twenty events
_NAMES = "abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_CHARS = 500

# pyright: basic


def noted(home: str, host: str, event: str, *, took_s: float, did: str, error: str = "") -> None:
    """Note a run of a hook; with an error, note it in the log too. Never raises.

    Args:
        home: The data folder.
        did: One word or two on what was done.
    """
    try:
        folder = os.path.join(home, FOLDER)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        error = " ".join(error.split())[:_MOST_CHARS]
        if error:
            _log(folder, f"{now} {host[:40]!r} {event[:40]!r} {took_s:.3f} s: {error}\n")
        if not (host and event) or set(host + event) - set(_NAMES) or len(host + event) > 60:
            return
        path = os.path.join(folder, f"{host}.{event}.json")
        before = _read(path)
        if not before and len(os.listdir(folder)) > _MOST_NOTED:
            return
        run = {
            "host": host,
            "event": event,
            "at": now,
            "took_ms": round(1000 * took_s, 1),
            "did": did,
            "error": error or None,
            "runs": _count(before, "runs") + 1,
            "failures": _count(before, "failures") + bool(error),
            "failed_at": now if error else before.get("failed_at"),
            "failure": error or before.get("failure"),
        }
        _write(path, run)
    except OSError:
        pass


def leave_unfiled(home: str, host: str, palace: str, told: dict) -> str:
    """Note that a transcript is to be filed, and return the file that says so; "" if there is none. Never raises.

    Whoever has filed it removes that file. Until then, each hook that reaches the service has it filed.

    Args:
        told: What the host said, without the prompt.
    """
    try:
        folder = os.path.join(home, FOLDER, "unfiled")
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if len(os.listdir(folder)) < _MOST_UNFILED:
            content = {"host": host, "palace": palace or None, "input": told}
            name = f"{zlib.crc32(json.dumps(content, sort_keys=True).encode()):08x}.json"
            path = os.path.join(folder, name)
            _write(path, content)
            return path
    except OSError:
        pass
    return ""


def _log(folder: str, line: str) -> None:
    path = os.path.join(folder, LOG)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a", encoding="utf-8") as file:
        file.write(line)
        size = file.tell()
    if size > _LOG_BYTES:
        os.replace(path, os.path.join(folder, PREVIOUS_LOG))


def _read(path: str) -> dict:
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _count(run: dict, name: str) -> int:
    return run[name] if isinstance(run.get(name), int) else 0


def _write(path: str, value: dict) -> None:
    draft = f"{path}.{os.getpid()}"
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(value, file)
    os.replace(draft, path)
